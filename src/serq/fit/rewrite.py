"""A fitted number put into the text of a program, where the old one stands.

The cost of a step stage is replaced at its place in the text, and a constant such as `overhead`
at its `let`; all else stays. What is not written in the program's own text once (a cost that a
definition or a library brings, or several stages) is refused, and so is a text that would not
mean what was fitted. The file is whole or as it was. Depends on the Python interface.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from serq.api.compile import compile
from serq.diagnostics import Diagnostic, SerqError, Span
from serq.files import whole
from serq.fit.findings import no_fit
from serq.fit.replay import step_stage
from serq.fit.terms import written
from serq.ir import nodes as ir

if TYPE_CHECKING:
    from serq.api.program import Program


def write_cost(
    path: str, cost: str, *, stage: str | None = None, constants: Mapping[str, float] | None = None
) -> None:
    """Replace the cost of a program file's step stage, and the values of some constants.

    Raises `SerqError` (SQ721, SQ704).
    """
    program = compile(path=path)
    span = _place(program, path, stage)
    start, end = _whole(span)
    text = span.source.text[:start] + cost + span.source.text[end:]
    for name, value in (constants or {}).items():
        text = _with_constant(text, name, value, path)
    indices = step_stage(program, stage)
    replace_file(path, text, lambda staged: _check(staged, path, cost, indices))


def check_place(path: str, *, stage: str | None = None) -> None:
    """Raise what `write_cost` would for the program as it is: said before a long search."""
    _place(compile(path=path), path, stage)
    if not os.access(path, os.W_OK):
        hint = "change its permissions, or copy it to where you may write"
        message = f"`{path}` can not be written"
        raise SerqError([Diagnostic("SQ704", message, help=hint, file=path)])


def _place(program: Program, path: str, stage: str | None) -> Span:
    """Where the cost of the step stage stands in the file."""
    index = step_stage(program, stage)[0]
    span = program.spans.find(("stages", index, "cost")) if program.spans else None
    if span is None or span.expansion is not None or Path(span.source.name) != Path(path):
        name = program.ir.stages[index].name
        message = f"the cost of `{name}` is not written in `{path}` itself"
        raise no_fit(message, "write `cost 0;` there, and fit again", span)
    return span


def _whole(span: Span) -> tuple[int, int]:
    """Where the expression starts and ends with the parentheses at its ends, which are not part
    of its place; `cost` stands before it, `;` behind.
    """
    text, start, end = span.source.text, span.start, span.end
    while (before := text[:start].rstrip()).endswith("("):
        start = len(before) - 1
    while text[end:].lstrip().startswith(")"):
        end = text.index(")", end) + 1
    return start, end


def _with_constant(text: str, name: str, value: float, path: str) -> str:
    found = list(re.finditer(rf"^([ \t]*let[ \t]+{name}[ \t]*=[ \t]*)[^;/\n]+;", text, re.M))
    if len(found) != 1:
        message = f"`{path}` has {len(found)} lines `let {name} = …;`, so none is replaced"
        raise no_fit(message, f"write `let {name} = {written(value)};` yourself")
    match = found[0]
    old, new = match[0], f"{match[1]}{written(value)};"
    rest = text[match.end() :]
    spare = len(rest) - len(rest.lstrip(" ")) - 1
    if rest.lstrip(" ").startswith("//") and 0 < len(new) - len(old) <= spare:
        rest = rest[len(new) - len(old) :]  # a comment stays in its column
    return text[: match.start()] + new + rest


def _check(staged: Path, path: str, cost: str, indices: list[int]) -> None:
    """The new text has the new cost where it had the old one; libraries are found as before."""
    wanted = compile(
        source=f"stage engine : step {{ cost {cost}; }} workload {{ arrive none; }} "
        "session { end; } run { horizon 1; }"
    )
    kind = wanted.ir.stages[0].kind
    assert isinstance(kind, ir.Step)
    kinds: list[ir.StageKind | None]
    try:
        kinds = [compile(path=staged).ir.stages[index].kind for index in indices]
    except SerqError:
        kinds = [None]
    for new in kinds:
        if not isinstance(new, ir.Step) or new.cost != kind.cost:
            message = f"`{path}` would not have the fitted cost where it has one now"
            raise no_fit(message, f"write it there: `cost {cost};`")


def replace_file(path: str, text: str, check: Callable[[Path], None] | None = None) -> None:
    """Write a file under another name beside, check it there, then rename it.

    Raises `SerqError` (SQ704), and what the check raises.
    """
    with whole(path) as staged:
        staged.write_text(text, encoding="utf-8", newline="\n")
        if check is not None:
            check(staged)
