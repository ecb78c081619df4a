"""Places of an IR in the text it came from; they travel beside the IR, never inside it.

A path is a tuple of field names and indices of `serq.ir.nodes` from the program down:
`("pools", 0)`, `("pools", 0, "cap")`, `("pools", 0, "evict", 1)`, `("pools", 0, "spill", "when")`,
`("stages", 2, "cost")`, `("stages", 2, "serve", 0)`, `("blocks", 3, 1)` for a statement,
`("blocks", 3, 1, "pools", 0, "units")` for a part of one, and `("arrival",)`, `("horizon",)`,
`("warmup",)`, `("seed",)`, `("arrivals",)`, `("share",)`, `("trace",)`, `("gauges", 0)`,
`("gauges", 0, "value")`, `("hidden", 1)`, `("observes", 0)`, `("attributes", 9)`. The index of a
reference stands at the reference's path and `"index"`. Depends on `serq.diagnostics`.
"""

from __future__ import annotations

from dataclasses import field

from serq.diagnostics import Span
from serq.records import Draft

Path = tuple[str | int, ...]


class SpanTable(Draft):
    """Spans by path; for an expression also the span of each node, in the order of
    `serq.ir.walk.nodes`.
    """

    places: dict[Path, Span] = field(default_factory=dict)
    expressions: dict[Path, tuple[Span, ...]] = field(default_factory=dict)

    def add(self, path: Path, span: Span) -> None:
        """Record where the node at `path` was written."""
        self.places[path] = span

    def add_expression(self, path: Path, spans: tuple[Span, ...]) -> None:
        """Record where each node of the expression at `path` was written, the root first."""
        self.expressions[path] = spans

    def find(self, path: Path, node: int = 0) -> Span | None:
        """The place of the node at `path`, or of the nearest enclosing node that has one.

        `node` counts the nodes of an expression in the order they are walked.
        """
        spans = self.expressions.get(path)
        if spans is not None and node < len(spans):
            return spans[node]
        for length in range(len(path), 0, -1):
            place = self.places.get(path[:length])
            if place is not None:
                return place
            spans = self.expressions.get(path[:length])
            if spans:
                return spans[0]
        return None
