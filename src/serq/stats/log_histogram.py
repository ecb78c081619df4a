"""Values counted in buckets 1 % wide, for quantiles of more values than are kept.

Gaps between tokens (inter-token latency) are counted so, and the observations of a run that keeps
no samples. Bucket k holds the values between 1.01^k and 1.01^(k+1), its mirror image the negative
ones; 0, the infinities and what is no number have a bucket each. A quantile is the middle of its
bucket, never outside what the bucket has seen: within 0.5 % of the exact one. Depends on the rule
for ranks.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, floor, inf, log, log1p, nan

from serq.stats.quantile import rank

LOG_WIDTH = log1p(0.01)
ONE = 100_000
"""The key of the bucket from 1 to 1.01; doubles reach from 25,188 to 171,333."""
INFINITE = 2 * ONE
NOT_A_NUMBER = -3 * ONE
"""NaN stands before every number."""


VALUE_OF = {0: 0.0, INFINITE: inf, -INFINITE: -inf, NOT_A_NUMBER: nan}
"""Of buckets that hold one value."""


def key_of(value: float) -> int:
    """The bucket of a value; keys are in the order of the values."""
    if 0.0 < value < inf:
        return ONE + floor(log(value) / LOG_WIDTH)
    if -inf < value < 0.0:
        return -ONE - floor(log(-value) / LOG_WIDTH)
    if value == 0.0:
        return 0
    if value == inf:
        return INFINITE
    return -INFINITE if value == -inf else NOT_A_NUMBER


def middle_of(key: int) -> float:
    """The geometric middle of a bucket of positive numbers."""
    return exp((key - ONE + 0.5) * LOG_WIDTH)


class LogHistogram:
    """Counts of values by bucket, with the least and the greatest value of each."""

    __slots__ = ("buckets", "count", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.buckets: dict[int, list[float]] = {}  # key: [count, least, greatest]

    @classmethod
    def of(cls, buckets: Iterable[tuple[int, int, float, float]]) -> LogHistogram:
        """What has counted these: of each bucket its key, count, least and greatest value.

        Its mean is not known.
        """
        made = cls()
        made.total = nan
        for key, count, least, greatest in buckets:
            made.count += count
            made.buckets[key] = [count, least, greatest]
        return made

    def add(self, value: float) -> None:
        """Count one value."""
        self.count += 1
        self.total += value
        key = ONE + floor(log(value) / LOG_WIDTH) if 0.0 < value < inf else key_of(value)
        bucket = self.buckets.get(key)
        if bucket is None:
            self.buckets[key] = [1, value, value]
            return
        bucket[0] += 1
        if value < bucket[1]:
            bucket[1] = value
        elif value > bucket[2]:
            bucket[2] = value

    def mean(self) -> float:
        """The mean, which is exact; NaN without a value."""
        return self.total / self.count if self.count else nan

    def quantile(self, q: float) -> float:
        """The `q` quantile, within 0.5 %; NaN without a value."""
        if not self.count:
            return nan
        wanted, seen = rank(q, self.count), 0
        for key in sorted(self.buckets):
            number, least, greatest = self.buckets[key]
            seen += int(number)
            if seen >= wanted:
                return within(key, least, greatest)
        return nan

    def is_zero(self) -> bool:
        """Whether no value but 0 was counted."""
        return all(key == 0 for key in self.buckets)


def within(key: int, least: float, greatest: float) -> float:
    """What stands for the values of a bucket: its middle, between the least and the greatest."""
    if key in VALUE_OF:
        return VALUE_OF[key]
    middle = middle_of(key) if key > 0 else -middle_of(-key)
    return min(max(middle, least), greatest)
