"""Diagnostics for a program: one JSON object a line.

    {"code", "name", "severity", "message", "help", "place", "notes", "expansions", "data"}

`place` is `{"file", "line", "column", "end_line", "end_column"}` with lines and columns from 1
in characters, the end exclusive; lines and columns are null where only the file is known, and
`place` is null where not even that is. A note is `{"message", "place"}`, an expansion
`{"name", "place"}`, the innermost first; `help` may be null. Depends on diagnostics.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from serq.diagnostics.diagnostic import Diagnostic
from serq.diagnostics.span import Span


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line a finding."""
    return "".join(f"{json.dumps(as_data(each))}\n" for each in diagnostics)


def as_data(found: Diagnostic) -> dict[str, Any]:
    """A finding as plain data."""
    expansions = found.span.expansions() if found.span is not None else []
    return {
        "code": found.code,
        "name": found.title,
        "severity": str(found.severity),
        "message": found.message,
        "help": found.help,
        "place": _place(found.span, found.file),
        "notes": [{"message": note.text, "place": _place(note.span)} for note in found.notes],
        "expansions": [{"name": each.name, "place": _place(each.use)} for each in expansions],
        "data": {key: _plain(value) for key, value in found.data.items()},
    }


def _place(span: Span | None, file: str | None = None) -> dict[str, Any] | None:
    if span is None:
        if file is None:
            return None
        start = end = (None, None)
        return _lines(file, start, end)
    source = span.source
    return _lines(source.name, source.position(span.start), source.position(span.end))


def _lines(
    file: str, start: tuple[int | None, int | None], end: tuple[int | None, int | None]
) -> dict[str, Any]:
    return {
        "file": file,
        "line": start[0],
        "column": start[1],
        "end_line": end[0],
        "end_column": end[1],
    }


def _plain(value: object) -> object:
    """A value JSON has a form for, else its text."""
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
