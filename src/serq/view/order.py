"""The order of stops from left to right: that of the first visit, with what a pool encloses side
by side as far as that goes.

Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

_MOST: Final = 40
"""Stops that are still moved about; a longer path stays in the order of the first visit."""


def arrange(
    stops: Sequence[str],
    gates: Mapping[str, Collection[str]],
    enclosures: Sequence[Collection[str]],
    edges: Sequence[tuple[str, str]],
) -> list[str]:
    """The stops in a good order: few interrupted enclosures, then short edges that go forward.

    `gates` says which stops lie behind a queue. The source stays first and the sink last.
    """
    order = [stop for stop in stops if stop != "sink"]
    for gate, members in gates.items():
        if gate in order:
            first = min(order.index(member) for member in members)
            if order.index(gate) > first:
                order.remove(gate)
                order.insert(first, gate)
    for gate in [stop for stop in order if stop.startswith("gate ")]:
        served = [order.index(b) for a, b in edges if a == gate and b in order]
        if gate not in gates and served and min(served) < order.index(gate):
            order.remove(gate)
            order.insert(min(served), gate)
    order += [stop for stop in stops if stop == "sink"]
    best = _cost(order, gates, enclosures, edges)
    improved = best[0] > 0 and len(order) <= _MOST
    while improved:
        improved = False
        for candidate in _moves(order):
            cost = _cost(candidate, gates, enclosures, edges)
            if cost < best:
                order, best, improved = candidate, cost, True
                break
    return order


def _moves(order: list[str]) -> list[list[str]]:
    """The orders in which one stop stands elsewhere."""
    found: list[list[str]] = []
    inner = [stop for stop in order if stop not in ("source", "sink")]
    head = [stop for stop in order if stop == "source"]
    tail = [stop for stop in order if stop == "sink"]
    for stop in inner:
        rest = [other for other in inner if other != stop]
        found += [
            [*head, *rest[:at], stop, *rest[at:], *tail]
            for at in range(len(inner))
            if [*rest[:at], stop, *rest[at:]] != inner
        ]
    return found


def _cost(
    order: list[str],
    gates: Mapping[str, Collection[str]],
    enclosures: Sequence[Collection[str]],
    edges: Sequence[tuple[str, str]],
) -> tuple[int, int]:
    place = {stop: at for at, stop in enumerate(order)}
    breaks = 0
    for members in enclosures:
        places = sorted(place[member] for member in members)
        breaks += sum(1 for a, b in pairwise(places) if b != a + 1)
    for gate, members in gates.items():
        if gate in place and any(place[member] < place[gate] for member in members):
            breaks += 100
    length = sum(
        place[b] - place[a] if b in place and place[b] > place[a] else 2 * (place[a] - place[b]) + 2
        for a, b in edges
    )
    return breaks, length
