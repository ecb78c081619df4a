"""Places of an IR in the text it came from; they travel beside the IR, never inside it.

A path is a tuple of field names and indices from the program down, such as
`("pools", 0, "cap")`, `("stages", 2, "cost")`, `("blocks", 3, 1)` for a statement or
`("blocks", 3, 1, "pools", 0, "units")` for a part of one; `("arrival",)`, `("horizon",)`,
`("warmup",)`, `("seed",)`, `("arrivals",)`, `("gauges", 0)`, `("hidden", 1)`, `("observes", 0)`.
Depends on `serq.diagnostics`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from serq.diagnostics import Span

Path = tuple[str | int, ...]


@dataclass(slots=True)
class SpanTable:
    """Spans by path."""

    places: dict[Path, Span] = field(default_factory=dict)

    def add(self, path: Path, span: Span) -> None:
        """Record where the node at `path` was written."""
        self.places[path] = span

    def find(self, path: Path) -> Span | None:
        """The place of the node at `path`, or of the nearest enclosing node that has one."""
        for length in range(len(path), 0, -1):
            place = self.places.get(path[:length])
            if place is not None:
                return place
        return None
