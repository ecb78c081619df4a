"""Programs for the tests of the linker, and what linking one gives."""

from __future__ import annotations

from serq.diagnostics import Diagnostic, Source
from serq.ir import nodes as ir
from serq.link import LinkResult, Overrides, link
from serq.syntax import parse

DECLARED = """
pool kv { cap 100; block 16; }
pool reqs { cap 4; }
pool kvs[3] { cap 10; }
stage svc : fifo;
stage engine : step { cost 1; }
stage ps1 : ps(3);
stage es[3] : step { cost 1; }
stage ds[3] : delay;
"""
"""One of everything, and arrays of three."""


def program(
    session: str = "",
    *,
    items: str = "",
    workload: str = "arrive batch (1);",
    run: str = "horizon 10;",
) -> str:
    """A program that declares one of everything; its session stands on a line of its own."""
    declared = f"{DECLARED}{items}\nworkload {{ {workload} }}\n"
    return f"{declared}session {{\n{session}\n}}\nrun {{ {run} }}\n"


def linking(text: str, overrides: Overrides | None = None) -> LinkResult:
    """What linking the text gives; the text parses."""
    given = overrides or Overrides()
    parsed = parse(Source("program.sq", text), sets=given.sets)
    assert parsed.program is not None, [str(found) for found in parsed.diagnostics]
    return link(parsed.program, given)


def linked(text: str, overrides: Overrides | None = None) -> ir.Program:
    """The IR of a text that links."""
    result = linking(text, overrides)
    assert result.program is not None, [str(found) for found in result.diagnostics]
    return result.program


def refusals(text: str, overrides: Overrides | None = None) -> list[Diagnostic]:
    """What is found in a text that does not link."""
    result = linking(text, overrides)
    assert result.program is None
    return result.diagnostics


def placed(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks `⟪`, and the line and column of each."""
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split("⟪")
        column = 1
        for part in parts[:-1]:
            column += len(part)
            places.append((number, column))
        lines.append("".join(parts))
    return "\n".join(lines), places


def found(text: str, overrides: Overrides | None = None) -> list[tuple[str, int, int]]:
    """Code, line and column of everything found, in order."""
    result = linking(text, overrides)
    return [
        (each.code, each.span.start_line, each.span.start_column)
        if each.span
        else (each.code, 0, 0)
        for each in result.diagnostics
    ]


def assert_refused(code: str, marked: str) -> None:
    """The text is refused with `code` once at every mark, and with nothing else."""
    text, places = placed(marked)
    assert found(text) == [(code, *place) for place in places]


SESSION = 2
"""The block of the session."""


def statements(session: str, **parts: str) -> ir.Block:
    """The session's statements, linked."""
    ir_program = linked(program(session, **parts))
    return ir_program.blocks[ir_program.session]
