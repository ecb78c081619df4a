"""The program that a fit replays, read once and compiled as often as it has to be.

A constant `overhead` is the time a request spends outside the engine. A fit adds that time
itself, so the program is replayed with 0 for it. Depends on the Python interface.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from serq.cli.streams import show_diagnostics
from serq.cli.verb import STDIN
from serq.diagnostics import SerqError

if TYPE_CHECKING:
    from serq.api.program import Program

OVERHEAD = "overhead"

Pairs = Sequence[tuple[str, str]]


def compiler(
    file: str, sets: Pairs, defs: Pairs, trace: str | None = None
) -> Callable[[Mapping[str, str]], Program]:
    """What compiles FILE with further constants set; `-` is standard input, read here."""
    from serq.api.compile import compile
    from serq.api.read_text import read_stream

    where: dict[str, Any] = {"path": file}
    if file == STDIN:
        where = {"source": read_stream(sys.stdin.buffer, "<stdin>"), "name": "<stdin>"}

    def make(constants: Mapping[str, str]) -> Program:
        return compile(**where, sets={**dict(sets), **constants}, defs=dict(defs), trace=trace)

    return make


def load_program(file: str, sets: Pairs, defs: Pairs, error_format: str) -> tuple[Program, bool]:
    """The program, and whether it has a constant `overhead`. Raises `SerqError`."""
    make = compiler(file, sets, defs)
    program, has_overhead = None, True
    try:
        program = make({OVERHEAD: "0"})
    except SerqError as error:
        if any(found.code not in ("SQ214", "SQ508") for found in error.diagnostics):
            raise
    if program is None:
        program, has_overhead = make({}), False
    if program.warnings:
        show_diagnostics(program.warnings, error_format)
    return program, has_overhead
