"""What iterations are made of: prefill, decode, or both (contract §3, *Statistics*).

Depends on statistics.
"""

from __future__ import annotations

from math import nan

from serq.stats.time_average import TimeAverage


class Composition:
    """Of the iteration that runs: its kind and its decodes, over time and over iterations.

    `decodes` and `prefills` are how many jobs of either kind the running iteration serves. The
    shares are of time in which an iteration of that kind ran; the means are over iterations
    with decodes that started after the warm-up (`counted` of them).
    """

    __slots__ = (
        "counted", "decode_only", "decodes", "decodes_average", "mean_decode_batch",
        "mean_decode_step", "mixed", "prefill_only", "prefills",
    )  # fmt: skip

    def __init__(self) -> None:
        self.decodes = 0
        self.prefills = 0
        self.prefill_only = TimeAverage()
        self.decode_only = TimeAverage()
        self.mixed = TimeAverage()
        self.decodes_average = TimeAverage()
        self.counted = 0
        self.mean_decode_batch = nan
        self.mean_decode_step = nan

    def averages(self) -> tuple[TimeAverage, ...]:
        """Its time averages."""
        return (self.prefill_only, self.decode_only, self.mixed, self.decodes_average)

    def begin(self, decodes: int, prefills: int, cost: float, warm: bool) -> None:
        """An iteration starts."""
        self.decodes = decodes
        self.prefills = prefills
        if warm and decodes:
            self.counted += 1
            if self.counted == 1:
                self.mean_decode_batch = float(decodes)
                self.mean_decode_step = cost
            else:
                self.mean_decode_batch += (decodes - self.mean_decode_batch) / self.counted
                self.mean_decode_step += (cost - self.mean_decode_step) / self.counted

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
