"""Time average of a quantity that is held from instant to instant (contract §3, *Statistics*).

The value that counts is the one an instant leaves behind; what it passes through on the way is
not read. The area under the value grows when the value changes, so a quantity that stays costs
nothing. Depends on nothing of ours.
"""

from __future__ import annotations

from math import nan


class TimeAverage:
    """A value held since some time, and the area under it before that.

    Invariant: the area under the quantity from the start of measurement to `since` is
    `integral`, and it has been `held` since then.
    """

    __slots__ = ("held", "integral", "since")

    def __init__(self, held: float = 0.0) -> None:
        self.held = held
        self.since = 0.0
        self.integral = 0.0

    def record(self, value: float, now: float) -> None:
        """The instant `now` leaves `value` behind."""
        if value != self.held:
            self.integral += self.held * (now - self.since)
            self.held = value
            self.since = now

    def restart(self, now: float) -> None:
        """Measurement starts over at `now`; the value stays."""
        self.integral = 0.0
        self.since = now

    def mean(self, start: float, end: float) -> float:
        """The average from `start`, where measurement started, to `end`; NaN over no time."""
        if end <= start:
            return nan
        return (self.integral + self.held * (end - self.since)) / (end - start)
