"""What the outside changes about a program: constants by name, and the options of its run.

`--set name=expression` gives a declared constant another value; the expression sees the
constants above it, and the last value given to a name wins. A constant that sizes an array can
not be changed: the arrays are already there. Depends on `serq.syntax` and the findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from serq.diagnostics import Source, Span, nearest
from serq.link.findings import Findings
from serq.syntax import ast, parse


@dataclass(frozen=True, slots=True)
class Overrides:
    """Values that replace the program's own; None leaves it as written.

    `sets` gives constants a number or the text of an expression; `horizon` and `warmup` are in
    the program's clock, `arrivals` is a number of sessions, `trace` a path.
    """

    sets: Mapping[str, float | str] = field(default_factory=dict)
    seed: int | None = None
    horizon: float | None = None
    warmup: float | None = None
    arrivals: int | None = None
    trace: str | None = None


NO_OVERRIDES = Overrides()


def overridden_lets(
    program: ast.Program, overrides: Overrides, findings: Findings
) -> tuple[ast.Let, ...]:
    """The program's constants, those that are overridden with their new values."""
    names = {let.name for let in program.lets}
    values: dict[str, ast.Expression] = {}
    for name, given in overrides.sets.items():
        source = Source(f"--set {name}", given if isinstance(given, str) else repr(float(given)))
        if name not in names:
            _unknown(name, program, source, findings)
        elif name in program.array_lets:
            _sizes_array(name, program, findings)
        else:
            value = _parse(name, source, given, findings)
            if value is not None:
                values[name] = value
    return tuple(
        replace(let, value=values[let.name]) if let.name in values else let for let in program.lets
    )


def _whole(source: Source) -> Span:
    return Span(source, 0, max(len(source.text), 1))


def _unknown(name: str, program: ast.Program, source: Source, findings: Findings) -> None:
    declared = list(dict.fromkeys(let.name for let in program.lets if "." not in let.name))
    if not declared:
        legal = "the program declares no constant"
    else:
        legal = "its constants are " + ", ".join(f"`{known}`" for known in declared)
    near = nearest(name, declared)
    hint = None if near is None else f"did you mean `{near}`?"
    if not declared:
        hint = f"declare it with the value it has now, `let {name} = …;`, and use it"
    findings.report(
        "SQ214",
        f"the program has no constant `{name}` to set; {legal}",
        _whole(source),
        help=hint,
    )


def _sizes_array(name: str, program: ast.Program, findings: Findings) -> None:
    let = next(let for let in program.lets if let.name == name)
    findings.report(
        "SQ403",
        f"`{name}` sizes an array, directly or through other constants, so it can not be set "
        "from outside",
        let.name_span,
        help="change the value in the program's text",
    )


def _parse(
    name: str, source: Source, given: float | str, findings: Findings
) -> ast.Expression | None:
    """The expression of a `--set`; None, with a finding, when it is not one."""
    if not isinstance(given, str):
        return ast.Number(float(given), _whole(source))
    end = "\n;" if "//" in given else ";"  # a comment does not hide the end
    parsed = parse(Source(source.name, f"let {name} = {given}{end}"))
    for diagnostic in parsed.diagnostics:
        findings.add(diagnostic)
    if parsed.program is None:
        return None
    lets = parsed.program.lets
    if len(lets) == 1:
        return lets[0].value
    findings.report(
        "SQ101",
        "the value of a constant is one expression",
        _whole(source),
        help="such as `--set rate=2.5`",
    )
    return None
