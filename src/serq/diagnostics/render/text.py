"""Diagnostics for a person: the sentence, the place with its line and carets, notes, the way out.

    error[SQ201]: unknown name `hitt`
      --> program.sq:12:7
       |
    12 |   set c = hitt;
       |           ^^^^
       = help: did you mean `hit`?

Depends on `serq.diagnostics.render.excerpt`.
"""

from __future__ import annotations

from collections.abc import Iterable

from serq.diagnostics.diagnostic import Diagnostic, Note
from serq.diagnostics.render.excerpt import excerpt, shown
from serq.diagnostics.span import Span

_COLORS = {"error": "1;31", "warning": "1;33", "note": "1;36", "help": "1;32"}
_BOLD, _GUTTER = "1", "1;34"


def render(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """The findings, an empty line between two; `color` adds the escapes of a terminal."""
    paint = _Paint(color)
    return "\n".join(_diagnostic(each, paint) for each in diagnostics)


class _Paint:
    """Colours, or none."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.on else text


def _diagnostic(found: Diagnostic, paint: _Paint) -> str:
    gutter = _gutter(found)
    tag = f"{found.severity}[{found.code}]"
    style = _COLORS[found.severity]
    lines = [f"{paint(tag, style)}{paint(': ' + shown(found.message), _BOLD)}"]
    if found.span is not None:
        lines += _place(found.span, gutter, paint, style)
    elif found.file is not None:
        lines.append(f"{' ' * gutter}{paint('-->', _GUTTER)} {shown(found.file)}")
    for note in found.notes:
        lines += _note(note, gutter, paint)
    if found.span is not None:
        for each in found.span.expansions():
            lines += _attached(
                "note", f"in `{each.name}`, used at {where(each.use)}", gutter, paint
            )
    if found.help is not None:
        lines += _attached("help", found.help, gutter, paint)
    return "\n".join(lines) + "\n"


def where(span: Span) -> str:
    """`file:line:column`."""
    line, column = span.source.position(span.start)
    return f"{shown(span.source.name)}:{line}:{column}"


def _gutter(found: Diagnostic) -> int:
    """How wide the widest line number of a diagnostic is."""
    spans = [found.span, *(note.span for note in found.notes)]
    return max(len(str(span.start_line)) if span is not None else 1 for span in spans)


def _place(span: Span, gutter: int, paint: _Paint, style: str) -> list[str]:
    part = excerpt(span)
    bar = paint("|", _GUTTER)
    blank = " " * gutter
    return [
        f"{blank}{paint('-->', _GUTTER)} {where(span)}",
        f"{blank} {bar}",
        f"{paint(str(part.line).rjust(gutter), _GUTTER)} {bar} {part.text}".rstrip(),
        f"{blank} {bar} {part.carets.replace('^', '') + paint(part.carets.lstrip(), style)}",
    ]


def _note(note: Note, gutter: int, paint: _Paint) -> list[str]:
    if note.span is None:
        return _attached("note", note.text, gutter, paint)
    first = f"{paint('note', _COLORS['note'])}: {shown(note.text)}"
    return [first, *_place(note.span, gutter, paint, _COLORS["note"])]


def _attached(kind: str, text: str, gutter: int, paint: _Paint) -> list[str]:
    """A sentence without a place of its own; its further lines are indented."""
    first, *more = text.splitlines() or [""]
    mark = f"{' ' * gutter} {paint('=', _GUTTER)} {paint(kind, _COLORS[kind])}: "
    return [mark + shown(first), *(f"{' ' * (gutter + 9)}{shown(line)}" for line in more)]
