"""An observation: its records after warm-up and what they average to (contract §3, *Statistics*).

Statistics are worked out when they are asked for, once. Depends on `serq.stats`; arrays are
NumPy's, imported when first asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from serq.report.measurements import ObserveMeasurements
from serq.stats.batch_means import half_width
from serq.stats.quantile import quantile
from serq.stats.running_moments import RunningMoments

if TYPE_CHECKING:
    from array import array

    import numpy as np
    from numpy.typing import NDArray


class Observe:
    """One observation of a run, in the unit of what the program observes.

    Records are in the order they were made.
    """

    def __init__(self, measured: ObserveMeasurements) -> None:
        self.measured = measured
        self.name = measured.name

    @property
    def count(self) -> int:
        """How many records were made after warm-up."""
        return len(self.measured.samples)

    @cached_property
    def _moments(self) -> RunningMoments:
        moments = RunningMoments()
        add = moments.add
        for value in self.measured.samples:
            add(value)
        return moments

    @property
    def mean(self) -> float:
        """The mean of the records; NaN without one."""
        return self._moments.mean()

    @property
    def cv2(self) -> float:
        """Squared coefficient of variation; NaN below two records or at mean 0."""
        return self._moments.cv2()

    @cached_property
    def ci(self) -> float:
        """Half-width of the 95 % confidence interval of the mean, from 20 batches; infinite
        below 40 records.
        """
        return half_width(self.measured.samples)

    @cached_property
    def p99(self) -> float:
        """The record of rank ceil(0.99 n) in ascending order, NaN before every number."""
        samples = self.measured.samples
        numbers = [value for value in samples if value == value]  # noqa: PLR0124 - NaN is not
        numbers.sort()
        return quantile([float("nan")] * (len(samples) - len(numbers)) + numbers, 0.99)

    @cached_property
    def samples(self) -> NDArray[np.float64]:
        """The recorded values (read-only)."""
        return view(self.measured.samples)

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """When each was recorded, in simulated time (read-only)."""
        return view(self.measured.times)

    @cached_property
    def sessions(self) -> NDArray[np.uint64]:
        """The serial number of the session that recorded it (read-only)."""
        return view(self.measured.sessions)

    @cached_property
    def turns(self) -> NDArray[np.uint64]:
        """The session's turn number then (read-only)."""
        return view(self.measured.turns)

    def __repr__(self) -> str:
        return f"Observe({self.name!r}, count={self.count}, mean={self.mean!r})"


def view(values: array[float] | array[int]) -> NDArray[Any]:
    """The values as a NumPy array that shares their memory and can not be written to."""
    import numpy as np

    viewed = np.frombuffer(values, np.dtype(values.typecode)) if values else np.empty(0)
    viewed = viewed.astype(values.typecode, copy=False)
    viewed.flags.writeable = False
    return viewed
