"""What linking found wrong: every diagnostic once, in the order of the text.

The same text may be linked several times (the terms of an aggregate, a server requested twice);
a mistake in it is one mistake. Depends on `serq.diagnostics`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace

from serq.diagnostics import Diagnostic, Expansion, Note, Span
from serq.records import Draft


class Splice(Expansion):
    """The request or call that put statements in its place which stand elsewhere in the text."""


SERVER = "server"
"""The name under which a server's statements stand in the place of a request."""

Order = tuple[tuple[str, int], ...]


def within(span: Span, expansion: Expansion | None) -> Span:
    """The span as a part of text that stands where `expansion` put it."""
    if expansion is None:
        return span
    if span.expansion is None:
        return Span(span.source, span.start, span.end, expansion)
    outer = replace(span.expansion, use=within(span.expansion.use, expansion))
    return Span(span.source, span.start, span.end, outer)


def position(span: Span | None) -> Order:
    """A key that sorts as the text does: what a definition put in place sorts at its use, the
    statements of a server or an entry where they are written.
    """
    if span is None:
        return ()
    places = [span]
    for expansion in span.expansions():
        if isinstance(expansion, Splice):
            break
        places.append(expansion.use)
    return tuple((place.source.name, place.start) for place in reversed(places))


class Findings(Draft):
    """The diagnostics so far; `expansion` is the use through which the text at hand is read."""

    expansion: Expansion | None = None
    _found: dict[tuple[object, ...], Diagnostic] = field(default_factory=dict)

    def report(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        notes: Iterable[Note] = (),
        help: str | None = None,
    ) -> None:
        """Record an error at `span`."""
        place = None if span is None else self.place(span)
        self.add(Diagnostic(code, message, place, notes=tuple(notes), help=help))

    def add(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic that knows its place."""
        span = diagnostic.span
        key: tuple[object, ...] = (diagnostic.code, diagnostic.message)
        if span is not None:
            key = (diagnostic.code, id(span.source), span.start, span.end)
        self._found.setdefault(key, diagnostic)

    def place(self, span: Span) -> Span:
        """The span, with the use through which its text is read."""
        return within(span, self.expansion)

    def sorted(self) -> list[Diagnostic]:
        """All of them, in the order of the text."""
        return sorted(self._found.values(), key=lambda found: position(found.span))
