"""Batch means of a sequence whose length nobody knows in advance.

`serq.stats.batch_means` cuts a run into 20 batches when it is over. Here the values are added up
as they come, in small batches of equal length; when there are 2048 of these, neighbours are joined
and are twice as long from then on. At the end the 20 batches are made of the small ones. Fewer
than 2048 values give the interval of `batch_means` to the bit; of more, at most 19 small batches
and an unfinished one, 2 % of the values, are left out at the end. Depends on the batch means.
"""

from __future__ import annotations

from math import inf

from serq.stats.batch_means import BATCHES, LEAST_SAMPLES, half_width_around

MOST = 2048
"""Small batches at most."""


class GrowingBatches:
    """Sums of small batches: all of `size` values, but the unfinished one that has `filled`."""

    __slots__ = ("filled", "size", "sums", "unfinished")

    def __init__(self) -> None:
        self.sums: list[float] = []
        self.size = 1
        self.unfinished = -0.0
        self.filled = 0

    def add(self, value: float) -> None:
        """Take one more value into account."""
        self.unfinished += value
        self.filled += 1
        if self.filled < self.size:
            return
        self.sums.append(self.unfinished)
        self.unfinished = -0.0
        self.filled = 0
        if len(self.sums) == MOST:
            self.sums = join(self.sums)
            self.size *= 2

    def half_width(self) -> float:
        """Half the 95 % confidence interval of the mean; infinite below 40 values."""
        if len(self.sums) < LEAST_SAMPLES:
            return inf
        means = means_of(self.sums, float(self.size))
        total = -0.0
        for mean in means:
            total += mean
        return half_width_around(means, total / BATCHES)


def join(sums: list[float]) -> list[float]:
    """Sums of two neighbours each; one that is left over is dropped."""
    return [sums[at] + sums[at + 1] for at in range(0, len(sums) - 1, 2)]


def means_of(sums: list[float], size: float) -> list[float]:
    """The means of 20 batches, made of small ones of `size` each; the rest is left out."""
    many = len(sums) // BATCHES
    means = []
    for start in range(0, many * BATCHES, many):
        total = -0.0
        for at in range(start, start + many):
            total += sums[at]
        means.append(total / (many * size))
    return means
