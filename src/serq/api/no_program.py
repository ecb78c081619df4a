"""A text that was handed over as a program and is something else: a trace, a log, a table, bytes.

Asked when a text was refused, so that a file of another kind is told once and not character by
character. Depends on the traces, which know their own kinds, and on diagnostics.
"""

from __future__ import annotations

import re
from typing import Final

from serq.diagnostics import Diagnostic
from serq.trace.logs.guess import looks_like

_LOOKED_AT: Final = 64 * 1024
"""Characters at the beginning that are looked at."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_IR: Final = re.compile(r'\s*\{\s*"version"')
_CELL: Final = r"""(?:"[^"\n]*"|[\w.'+-]+)"""
_TRACE: Final = re.compile(r"session(?:,|[;\t]turn\b)")
_TURN: Final = re.compile(r"[\d.eE+-]+(?:,[\d.eE+-]*){4,6}")
_HEADER: Final = re.compile(rf"{_CELL}(?:[,\t] *{_CELL})+")


def no_program(text: str, name: str) -> Diagnostic | None:
    """SQ703 that says what the text is instead of a program; None when it may be meant as one."""
    found = _kind(text[:_LOOKED_AT], "FILE" if name.startswith("<") else name)
    if found is None:
        return None
    what, hint = found
    return Diagnostic("SQ703", f"`{name}` is no program: {what}", help=hint, file=name)


def _kind(text: str, file: str) -> tuple[str, str] | None:
    """What a text is, and what to do with it."""
    if len(_CONTROL.findall(text)) > 1 + len(text) // 32:
        return "it is not text", "a program is a text in UTF-8, and so is an IR"
    log = looks_like(text)
    row = _first_row(text)
    if (
        log is not None
        and not _IR.match(text)
        and (row.startswith(("{", "[")) or _HEADER.fullmatch(row))
    ):
        return f"it looks like a log of {log}", f"`serq trace import {log} {file} TRACE` reads it"
    if _TRACE.match(row) or _TURN.fullmatch(row):
        hint = f"`serq trace info {file}` says what it holds; a program replays it with `--trace`"
        return "it looks like a trace", hint
    if _HEADER.fullmatch(row):
        hint = "`serq trace import` reads logs of requests, `serq fit` logs of engine steps"
        return "it looks like a table (CSV)", hint
    return None


def _first_row(text: str) -> str:
    """The first line that is neither empty nor a comment of a table."""
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")
