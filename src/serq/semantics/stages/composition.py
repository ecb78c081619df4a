"""What iterations are made of: prefill, decode, or both (contract §3, *Statistics*).

Depends on statistics.
"""

from __future__ import annotations

from serq.stats.running_moments import RunningMoments
from serq.stats.time_average import TimeAverage


class Composition:
    """Of the iteration that runs: its kind and its decodes, over time and over iterations.

    `decodes` is how many the running iteration serves; the shares are of time in which an
    iteration of that kind ran.
    """

    __slots__ = (
        "batch", "decode_only", "decodes", "decodes_average", "duration", "mixed",
        "prefill_only", "prefills",
    )  # fmt: skip

    def __init__(self) -> None:
        self.decodes = 0
        self.prefills = 0
        self.prefill_only = TimeAverage()
        self.decode_only = TimeAverage()
        self.mixed = TimeAverage()
        self.decodes_average = TimeAverage()
        # of iterations with decodes that started after the warm-up
        self.batch = RunningMoments()
        self.duration = RunningMoments()

    def averages(self) -> tuple[TimeAverage, ...]:
        """Its time averages."""
        return (self.prefill_only, self.decode_only, self.mixed, self.decodes_average)

    def begin(self, decodes: int, prefills: int, cost: float, warm: bool) -> None:
        """An iteration starts."""
        self.decodes = decodes
        self.prefills = prefills
        if warm and decodes:
            self.batch.add(float(decodes))
            self.duration.add(cost)

    def end(self) -> None:
        """The iteration is over."""
        self.decodes = self.prefills = 0

    def record(self, now: float) -> None:
        """The instant `now` is over."""
        decodes, prefills = self.decodes, self.prefills
        self.prefill_only.record(1.0 if prefills and not decodes else 0.0, now)
        self.decode_only.record(1.0 if decodes and not prefills else 0.0, now)
        self.mixed.record(1.0 if decodes and prefills else 0.0, now)
        self.decodes_average.record(float(decodes), now)
