"""A place in a source text.

A `Source` is a named text; a `Span` is a half-open range of characters in it. Lines and
columns are computed when a place is shown, never stored. Depends on nothing of ours.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text with the name a reader knows it by (a path, or `<string>`)."""

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False)

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


@dataclass(frozen=True, slots=True, eq=False)
class Expansion:
    """The use of a definition, a server or a library that put a piece of text where it is."""

    name: str
    use: Span


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """Characters `start` to `end` (exclusive) of a source.

    `expansion` says through which use the text came to stand where it was read; a use inside
    another definition has an expansion of its own. Renderers print the chain as notes.
    """

    source: Source
    start: int
    end: int
    expansion: Expansion | None = None

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
