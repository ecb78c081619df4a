"""What the verbs have in common: reading FILE, and ending with diagnostics on standard error.

Depends on the Python interface, loaded when a verb runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

from serq.cli.streams import show_diagnostics
from serq.diagnostics import Diagnostic, SerqError

if TYPE_CHECKING:
    from serq.api.program import Program

STDIN = STDOUT = "-"


def refusing(verb: Callable[..., int]) -> Callable[..., int]:
    """A verb that shows what refuses its work, in its `error_format`, and ends with status 1."""

    @wraps(verb)
    def run(**arguments: Any) -> int:
        error_format = arguments.get("error_format", "text")
        try:
            return verb(**arguments)
        except SerqError as error:
            show_diagnostics(error.diagnostics, error_format)
        except MemoryError:
            hint = "shorten the run, observe less, or use a machine with more memory"
            message = "there is not enough memory"
            show_diagnostics([Diagnostic("SQ610", message, help=hint)], error_format)
        return 1

    return run


def load(
    file: str,
    sets: Sequence[tuple[str, str]],
    defs: Sequence[tuple[str, str]],
    error_format: str,
    **options: Any,
) -> Program:
    """The program of FILE: text, or an IR when its name ends in `.json` or it starts with `{`.

    `-` is standard input. Warnings are shown. Raises `SerqError`.
    """
    from serq.api.compile import compile
    from serq.api.read_text import read_stream

    if file == STDIN:
        text = read_stream(sys.stdin.buffer, "<stdin>")
        options |= {"source": text, "name": "<stdin>"}
    else:
        options["path"] = file
    program = compile(sets=dict(sets), defs=dict(defs), **options)
    if program.warnings:
        show_diagnostics(program.warnings, error_format)
    return program
