"""Standard output and standard error: UTF-8 whatever the locale, results whole or not at all.

Depends on click and the renderers of diagnostics.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import click

from serq.diagnostics import Diagnostic, SerqError

MOST_SHOWN = 50
"""Diagnostics shown at most; the others are counted."""

READER_GONE = 141
"""The exit status when whoever read standard output went away."""


def prepare_streams() -> None:
    """Write UTF-8 with line breaks as they are; what has no UTF-8 form is escaped.

    A stream that Python left without a buffer (`PYTHONUNBUFFERED`) loses what the system takes
    only in part, without a word; standard output gets one. Standard input and error that were
    closed are empty, and nobody.
    """
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.BytesIO())
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(sys.stdout.detach()))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def print_result(result: str | bytes | Iterable[str], end: str = "") -> None:
    """Write a command's whole result, one text, its pieces or bytes, to standard output.

    Raises `SerqError` (SQ704) when that fails, say on a full disk. A reader that went away ends
    the command in silence.
    """
    if sys.stdout is None:
        message = "standard output can not be written: it is closed"
        raise SerqError([Diagnostic("SQ704", message, help="send it to a file or a program")])
    try:
        if isinstance(result, bytes):
            sys.stdout.buffer.write(result)
        else:
            sys.stdout.writelines((result,) if isinstance(result, str) else result)
        sys.stdout.write(end)
        sys.stdout.flush()
    except BrokenPipeError:
        forget_standard_output()
        raise click.exceptions.Exit(READER_GONE) from None
    except OSError as error:
        from serq.diagnostics import refused

        forget_standard_output()
        message = f"standard output can not be written: {refused.reason(error)}"
        hint = refused.writing("-", error)
        raise SerqError([Diagnostic("SQ704", message, help=hint)]) from None


@contextmanager
def gathered_result() -> Iterator[TextIO]:
    """A file to write a long result into, printed when nothing went wrong: whole or not at all,
    whatever its length. Raises as `print_result` does.
    """
    from tempfile import TemporaryFile

    with TemporaryFile("w+", encoding="utf-8", newline="\n") as file:
        yield file
        file.seek(0)
        print_result(iter(lambda: file.read(1 << 20), ""))


def forget_standard_output() -> None:
    """Let the interpreter's own flush at exit go nowhere."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def show_diagnostics(found: Sequence[Diagnostic], error_format: str) -> None:
    """Write diagnostics to standard error, in one of the formats of `--error-format`."""
    shown = found[:MOST_SHOWN]
    match error_format:
        case "json":
            from serq.diagnostics.render.json import render

            text = render(found)
        case "github":
            from serq.diagnostics.render.github import render

            text = render(found)
        case _:
            from serq.diagnostics.render.text import render as render_text

            text = render_text(shown, color=has_color(sys.stderr))
            if len(found) > len(shown):
                text += f"\nand {len(found) - len(shown)} more\n"
    say(text, end="")


def say(text: str, end: str = "\n") -> None:
    """Write to standard error; nobody is there to hear that it failed."""
    try:
        sys.stderr.write(text + end)
        sys.stderr.flush()
    except OSError:
        pass


def has_color(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user has not asked for no colour."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()
