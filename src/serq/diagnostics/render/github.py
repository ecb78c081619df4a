"""Diagnostics as annotations of a GitHub workflow: one command a line, shown at the line it names.

    ::error file=program.sq,line=12,col=7,endLine=12,endColumn=11,title=SQ201 unknown-name::…

Depends on diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable

from serq.diagnostics.diagnostic import Diagnostic

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """One line a finding."""
    return "".join(f"{_annotation(each)}\n" for each in diagnostics)


def _annotation(found: Diagnostic) -> str:
    properties: dict[str, str] = {}
    if found.span is not None:
        source = found.span.source
        line, column = source.position(found.span.start)
        end_line, end_column = source.position(found.span.end)
        properties |= {"file": source.name, "line": str(line), "col": str(column)}
        properties |= {"endLine": str(end_line), "endColumn": str(end_column)}
    elif found.file is not None:
        properties["file"] = found.file
    properties["title"] = f"{found.code} {found.title}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[found.severity]} {listed}::{_text(_message(found))}"


def _message(found: Diagnostic) -> str:
    lines = [found.message, *(f"note: {note.text}" for note in found.notes)]
    if found.help is not None:
        lines.append(f"help: {found.help}")
    return "\n".join(lines)


def _text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
