"""The line a span stands in, with carets under the span, as a terminal shows it.

Tabs become blanks, characters a terminal would obey a mark (U+FFFD), wide characters count twice,
and a long line is cut around the span. Depends on spans.
"""

from __future__ import annotations

import unicodedata

from serq.diagnostics.span import Span
from serq.records import Record

TAB = 4
WIDTH = 100
"""Columns of source text shown at most."""
_CONTEXT = 40
"""Columns kept before the span when a line is cut."""
_CUT = "…"
_UNSHOWN = "\N{REPLACEMENT CHARACTER}"


class Excerpt(Record):
    """A line of text, and the carets that go below it."""

    line: int
    text: str
    carets: str


def excerpt(span: Span) -> Excerpt:
    """The first line of a span; an empty span has one caret."""
    line, column = span.source.position(span.start)
    text = span.source.line(line)
    first = min(column - 1, len(text))
    last = min(first + max(span.end - span.start, 1), max(len(text), first + 1))
    text, first, last = _cut(text, first, last)
    before, within, after = text[:first], text[first:last], text[last:]
    lead = shown(before)
    inside = shown(within, width(lead))
    rest = shown(after, width(lead) + width(inside))
    carets = " " * width(lead) + "^" * max(width(inside), 1)
    return Excerpt(line, (lead + inside + rest).rstrip(), carets)


def _cut(text: str, first: int, last: int) -> tuple[str, int, int]:
    """A window of a long line around the span; offsets within the window."""
    if len(text) <= WIDTH:
        return text, first, last
    start = max(0, min(first - _CONTEXT, len(text) - WIDTH))
    end = min(len(text), start + WIDTH)
    lead = _CUT if start > 0 else ""
    tail = _CUT if end < len(text) else ""
    shift = len(lead) - start
    last = max(min(last, end), first + 1)
    return lead + text[start:end] + tail, first + shift, last + shift


def shown(text: str, column: int = 0) -> str:
    """Text as a terminal may show it, tabs as blanks up to the next stop from `column` on."""
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    for character in text:
        if character == "\t":
            part = " " * (TAB - column % TAB)
        elif character.isprintable() or unicodedata.combining(character):
            part = character
        else:
            part = _UNSHOWN
        column += width(part)
        parts.append(part)
    return "".join(parts)


def width(text: str) -> int:
    """Columns the text takes in a terminal."""
    if text.isascii():
        return len(text)
    columns = 0
    for character in text:
        if not unicodedata.combining(character):
            columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return columns
