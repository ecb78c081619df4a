"""Tokens, and the span that covers several of them.

A token is a word, a number, a string or a symbol with its place. Tokens that a definition's use
put into the text keep their own place; their span's `expansion` says through which use they came.
Depends on `serq.diagnostics`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from serq.diagnostics import Span


class Kind(Enum):
    """What a token is; the value names it in a sentence."""

    NAME = "a word"
    NUMBER = "a number"
    STRING = "a text in quotes"
    SYMBOL = "a symbol"
    COMMENT = "a comment"
    BAD = "a character the language does not have"
    END = "the end of the text"


class Token(NamedTuple):
    """One token.

    The text of `END` is what the text's end left open: `"`, `/*`, or nothing. A token that the use
    of a definition put there, and nobody wrote, says in `stands_for` what a reader sees.
    """

    kind: Kind
    text: str
    span: Span
    stands_for: str = ""

    def describe(self) -> str:
        """The token as a sentence names it."""
        match self.kind:
            case Kind.NUMBER:
                return f"the number {shorten(self.text)}"
            case Kind.STRING:
                return f"the text {shorten(self.text)}"
            case Kind.END:
                return "the end of the text"
        return self.stands_for or f"`{shorten(self.text)}`"


def shorten(text: str, limit: int = 40) -> str:
    """A text short enough for a sentence, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def cover(first: Span, last: Span) -> Span:
    """The span from `first` to `last`, each taken to the innermost text both stand in.

    An operand that came out of a definition and one written beside the use have in common the
    text that holds the use, where the definition's part stands as the use.
    """
    if first.source is last.source and first.expansion is last.expansion:
        return _join(first, last)
    for outer in _outward(first):
        for other in _outward(last):
            if outer.source is other.source and outer.expansion is other.expansion:
                return _join(outer, other)
    return first


def _join(first: Span, last: Span) -> Span:
    start, end = min(first.start, last.start), max(first.end, last.end)
    return Span(first.source, start, end, first.expansion)


def _outward(span: Span) -> Iterator[Span]:
    yield span
    for expansion in span.expansions():
        yield expansion.use


def root(span: Span) -> Span:
    """Where the outermost use stands that `span` came through, or `span` itself."""
    expansions = span.expansions()
    return expansions[-1].use if expansions else span
