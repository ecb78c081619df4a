"""A gauge: a function of the deployment's state over time (contract §3, *Gauges*).

Depends on `serq.stats`; arrays are NumPy's, imported when first asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from serq.report.measurements import Floats, GaugeMeasurements
from serq.report.observe import view
from serq.stats.step_function import StepSummary, summarise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Gauge:
    """One gauge of a run, over the time from `start` to `end`.

    Without `samples` the run kept no changes: asking for an array raises `ValueError`.
    """

    def __init__(
        self, measured: GaugeMeasurements, start: float, end: float, *, samples: bool = True
    ) -> None:
        self._samples = samples
        self.measured = measured
        self.name = measured.name
        self._window = start, end

    @cached_property
    def _summary(self) -> StepSummary:
        measured = self.measured
        return measured.summary or summarise(measured.times, measured.values, *self._window)

    @property
    def mean(self) -> float:
        """The time average over [warmup, end]."""
        return self._summary.mean

    @property
    def ci(self) -> float:
        """Half-width of the 95 % confidence interval of the mean, from 20 equal windows."""
        return self._summary.ci

    @property
    def min(self) -> float:
        """The least value held for a positive time."""
        return self._summary.min

    @property
    def max(self) -> float:
        """The greatest value held for a positive time."""
        return self._summary.max

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """When the value changed, from time 0 on (read-only)."""
        return self._view(self.measured.times)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """What it changed to then (read-only)."""
        return self._view(self.measured.values)

    def _view(self, column: Floats) -> NDArray[np.float64]:
        if not self._samples:
            raise ValueError(f"the run kept no changes of `{self.name}`: it had `samples=False`")
        return view(column)

    def __repr__(self) -> str:
        return f"Gauge({self.name!r}, mean={self.mean!r})"
