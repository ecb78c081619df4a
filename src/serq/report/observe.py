"""An observation: its records after warm-up and what they come to (contract §3, *Statistics*).

Statistics an engine did not work out are worked out when they are asked for, once. Depends on
`serq.stats`; arrays are NumPy's, imported when first asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from serq.report.measurements import Floats, Integers, ObserveMeasurements
from serq.stats.quantile import ascending, quantile
from serq.stats.sample_summary import SampleSummary, summarise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Observe:
    """One observation of a run, in the unit of what the program observes.

    Records are in the order they were made. A run with `samples=False` keeps none of them: it
    has the statistics alone, its quantiles are within 0.5 %, and asking for an array raises
    `ValueError`.
    """

    def __init__(self, measured: ObserveMeasurements) -> None:
        self.measured = measured
        self.name = measured.name

    @cached_property
    def _summary(self) -> SampleSummary:
        return self.measured.summary or summarise(self.measured.samples)

    @cached_property
    def _ascending(self) -> list[float]:
        return ascending(self.measured.samples)

    @property
    def count(self) -> int:
        """How many records were made after warm-up."""
        summary = self.measured.summary
        return len(self.measured.samples) if summary is None else summary.count

    @property
    def mean(self) -> float:
        """The mean of the records; NaN without one."""
        return self._summary.mean

    @property
    def cv2(self) -> float:
        """Squared coefficient of variation; NaN below two records or at mean 0."""
        return self._summary.cv2

    @property
    def ci(self) -> float:
        """Half-width of the 95 % confidence interval of the mean, from 20 batches; infinite
        below 40 records.
        """
        return self._summary.ci

    @property
    def p99(self) -> float:
        """The record of rank ceil(0.99 n) in ascending order, NaN before every number."""
        return self._summary.p99

    def quantile(self, q: float) -> float:
        """The record of rank ceil(q n) in ascending order, NaN before every number; NaN without
        a record. Raises `ValueError` unless q lies between 0 and 1.
        """
        if not 0.0 <= q <= 1.0:
            raise ValueError(f"q must lie between 0 and 1, not {q}")
        if self.measured.histogram is not None:
            return self.measured.histogram.quantile(q)
        return quantile(self._ascending, q)

    @property
    def all_zero(self) -> bool:
        """Whether no record is other than 0."""
        return self._summary.all_zero

    @cached_property
    def samples(self) -> NDArray[np.float64]:
        """The recorded values (read-only)."""
        return self._view(self.measured.samples)

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """When each was recorded, in simulated time (read-only)."""
        return self._view(self.measured.times)

    @cached_property
    def sessions(self) -> NDArray[np.uint64]:
        """The serial number of the session that recorded it (read-only)."""
        return self._view(self.measured.sessions)

    @cached_property
    def turns(self) -> NDArray[np.uint64]:
        """The session's turn number then (read-only)."""
        return self._view(self.measured.turns)

    def _view(self, values: Floats | Integers) -> NDArray[Any]:
        if self.measured.histogram is not None:
            raise ValueError(f"the run kept no samples of `{self.name}`: it had `samples=False`")
        return view(values)

    def __repr__(self) -> str:
        return f"Observe({self.name!r}, count={self.count}, mean={self.mean!r})"


def view(values: Floats | Integers) -> NDArray[Any]:
    """The values as a NumPy array that shares their memory and can not be written to."""
    import numpy as np

    column = memoryview(values)
    viewed = np.frombuffer(column, column.format) if column else np.empty(0, column.format)
    viewed.flags.writeable = False
    return viewed
