"""Events: what will happen, ordered by time and then by the order of scheduling (contract §3,
*Ties*).

An event is the function that handles it and what that function is told. An event whose cause has
gone meanwhile stays here and is found stale when it comes up: it is counted, and nothing happens.
Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

Event = tuple[float, int, Callable[..., None], tuple[Any, ...]]


class EventQueue:
    """The events to come, the earliest first; among equals the one scheduled first."""

    __slots__ = ("heap", "scheduled")

    def __init__(self) -> None:
        self.heap: list[Event] = []
        self.scheduled = 0  # events ever scheduled: the next one's number

    def schedule(self, time: float, handler: Callable[..., None], *told: Any) -> None:
        """`handler(machine, *told)` will happen at `time`."""
        heappush(self.heap, (time, self.scheduled, handler, told))
        self.scheduled += 1

    def pop(self) -> Event:
        """Take the next event out."""
        return heappop(self.heap)
