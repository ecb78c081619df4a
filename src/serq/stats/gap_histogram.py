"""Gaps between successive tokens (inter-token latency), in buckets 1 % wide.

A run has millions of gaps, so they are counted and not kept: bucket k holds the gaps between
1.01^k and 1.01^(k+1) seconds, and one bucket below all of them holds what is not above 0. The
mean is exact; a quantile is the middle of its bucket, never outside what the bucket has seen.
Depends on the rule for ranks.
"""

from __future__ import annotations

from math import exp, floor, inf, log, log1p, nan

from serq.stats.quantile import rank

LOG_WIDTH = log1p(0.01)
NOT_POSITIVE = -(2**62)
"""The bucket of gaps that are not above 0."""


class GapHistogram:
    """Counts of gaps by bucket, with the least and the greatest gap of each."""

    __slots__ = ("buckets", "count", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.buckets: dict[int, list[float]] = {}  # bucket: [count, least, greatest]

    def add(self, gap: float) -> None:
        """Count one gap (seconds)."""
        self.count += 1
        self.total += gap
        key = floor(log(gap) / LOG_WIDTH) if 0.0 < gap < inf else NOT_POSITIVE
        bucket = self.buckets.get(key)
        if bucket is None:
            self.buckets[key] = [1, gap, gap]
            return
        bucket[0] += 1
        if gap < bucket[1]:
            bucket[1] = gap
        elif gap > bucket[2]:
            bucket[2] = gap

    def mean(self) -> float:
        """The mean gap (seconds); NaN without a gap."""
        return self.total / self.count if self.count else nan

    def quantile(self, q: float) -> float:
        """The `q` quantile (seconds), within 1 %; NaN without a gap."""
        if not self.count:
            return nan
        wanted, seen = rank(q, self.count), 0
        for key in sorted(self.buckets):
            number, least, greatest = self.buckets[key]
            seen += int(number)
            if seen >= wanted:
                middle = exp((key + 0.5) * LOG_WIDTH)
                return min(max(middle, least), greatest)
        return nan
