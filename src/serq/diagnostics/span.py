"""A place in a source text.

A `Source` is a named text; a `Span` is a half-open range of characters in it. Lines and
columns are computed when a place is shown, never stored. Depends on the records.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field

from serq.records import Record


class _Identical(Record):
    """A record that equals itself alone, whatever else has the same fields."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Source(_Identical):
    """A text with the name a reader knows it by (a path, or `<string>`)."""

    name: str
    text: str
    _starts: list[int] = field(default_factory=list)

    def line_starts(self) -> list[int]:
        """Offsets of the first character of every line."""
        if not self._starts:
            self._starts.append(0)
            at = self.text.find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = self.text.find("\n", at + 1)
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1, in characters) of an offset."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line `number` (from 1), without its line break."""
        starts = self.line_starts()
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")


class Expansion(_Identical):
    """The use of a definition, a server or a library that put a piece of text where it is."""

    name: str
    use: Span


class Span(_Identical):
    """Characters `start` to `end` (exclusive) of a source.

    `expansion` says through which use the text came to stand where it was read; a use inside
    another definition has an expansion of its own. Renderers print the chain as notes.
    """

    source: Source
    start: int
    end: int
    expansion: Expansion | None = None

    def __init__(
        self, source: Source, start: int, end: int, expansion: Expansion | None = None
    ) -> None:
        put = object.__setattr__  # a text has as many spans as tokens, and more: no loop here
        put(self, "source", source)
        put(self, "start", start)
        put(self, "end", end)
        put(self, "expansion", expansion)

    @property
    def start_line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def start_column(self) -> int:
        """Column of the first character, from 1, in characters."""
        return self.source.position(self.start)[1]

    def to(self, other: Span) -> Span:
        """The span from here to the end of a later span of the same source."""
        if other.source is not self.source:
            return self
        return Span(self.source, self.start, max(self.end, other.end), self.expansion)

    def expansions(self) -> list[Expansion]:
        """The uses it came through, innermost first."""
        chain: list[Expansion] = []
        expansion = self.expansion
        while expansion is not None:
            chain.append(expansion)
            expansion = expansion.use.expansion
        return chain

    @property
    def text(self) -> str:
        """The characters it covers."""
        return self.source.text[self.start : self.end]
