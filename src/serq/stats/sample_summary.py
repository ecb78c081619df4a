"""What a sample comes to: number, mean, variation, confidence interval, 99 % quantile.

`summarise` knows all values; `SampleStream` sees each once and keeps none, for runs too long to
keep them: number, mean and variation are the same to the bit, the interval is that of
`serq.stats.growing_batches`, and quantiles are within 0.5 %. Depends on the other statistics.
"""

from __future__ import annotations

from collections.abc import Sequence

from serq.records import Record
from serq.stats.batch_means import half_width
from serq.stats.growing_batches import GrowingBatches
from serq.stats.log_histogram import LogHistogram
from serq.stats.quantile import ascending, quantile
from serq.stats.running_moments import RunningMoments


class SampleSummary(Record):
    """Number of values, mean, squared coefficient of variation, half-width of the 95 % interval
    of the mean, 99 % quantile, and whether no value is other than 0.
    """

    count: int
    mean: float
    cv2: float
    ci: float
    p99: float
    all_zero: bool


def summarise(samples: Sequence[float]) -> SampleSummary:
    """Everything about values that are all there, in the order they were made."""
    moments = RunningMoments()
    for value in samples:
        moments.add(value)
    return SampleSummary(
        count=len(samples),
        mean=moments.mean(),
        cv2=moments.cv2(),
        ci=half_width(samples),
        p99=quantile(ascending(samples), 0.99),
        all_zero=all(value == 0.0 for value in samples),
    )


class SampleStream:
    """Values that are summed up as they come, in memory that does not grow with their number."""

    __slots__ = ("batches", "histogram", "moments")

    def __init__(self) -> None:
        self.moments = RunningMoments()
        self.batches = GrowingBatches()
        self.histogram = LogHistogram()

    def add(self, value: float) -> None:
        """Take one more value into account."""
        self.moments.add(value)
        self.batches.add(value)
        self.histogram.add(value)

    def summary(self) -> SampleSummary:
        """Everything about the values so far."""
        return SampleSummary(
            count=self.moments.count,
            mean=self.moments.mean(),
            cv2=self.moments.cv2(),
            ci=self.batches.half_width(),
            p99=self.histogram.quantile(0.99),
            all_zero=self.histogram.is_zero(),
        )
