"""What the outside changes about a program: constants by name, and the options of its run.

`--set name=expression` gives a declared constant another value; the expression sees the
constants above it, and the last value given to a name wins. The parser, which sizes the arrays,
is told the same values. Depends on `serq.syntax` and the findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from serq.diagnostics import Source, Span, nearest
from serq.link.findings import Findings
from serq.records import Record
from serq.syntax import ast, parse_constant


class Overrides(Record):
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
            continue
        parsed = parse_constant(name, given)
        for diagnostic in parsed.diagnostics:
            findings.add(diagnostic)
        if parsed.expression is not None:
            values[name] = parsed.expression
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
