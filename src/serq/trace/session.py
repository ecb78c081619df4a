"""A session of a request trace: its turns, and when it arrives if the trace says so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self


class TraceTurn(NamedTuple):
    """One turn: `new` prompt tokens, `out` tokens answered, `think` time between the answer
    before (the arrival, for the first) and this turn's request, and whether its prefix is
    `forced` to miss (0 or 1).
    """

    new: float
    out: float
    think: float
    forced: float = 0.0


TraceSession = tuple[TraceTurn, ...]


class TimedSession(tuple[TraceTurn, ...]):
    """A session that arrives at `arrival`, in the program's clock from the trace's beginning."""

    arrival: float

    def __new__(cls, turns: Iterable[TraceTurn], arrival: float = 0.0) -> Self:
        """The session of these turns."""
        session = super().__new__(cls, turns)
        session.arrival = arrival
        return session

    def __reduce__(self) -> tuple[type[TimedSession], tuple[TraceSession, float]]:
        """So that a copy, say in another process, arrives at the same time."""
        return TimedSession, (tuple(self), self.arrival)
