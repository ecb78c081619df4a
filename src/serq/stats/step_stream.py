"""A quantity known by its change points, summed up as they come (contract §3, *Gauges*).

Mean, least and greatest value are those of `serq.stats.step_function` to the bit. The interval of
the mean comes from windows of equal width that are joined in pairs as time goes on, as in
`serq.stats.growing_batches`: where the run ends, nobody knows in advance. Depends on these.
"""

from __future__ import annotations

from math import isnan, nan

from serq.stats.batch_means import BATCHES, half_width_around
from serq.stats.growing_batches import MOST, join, means_of
from serq.stats.step_function import StepSummary

NARROWEST = 2.0**-40
"""The first width of a window, as a share of the longest time there can be."""


class GrowingWindows:
    """Areas under the quantity, over windows of `width` from `start` on; the last is unfinished."""

    __slots__ = ("areas", "start", "unfinished", "width")

    def __init__(self, start: float, longest: float) -> None:
        self.start = start
        self.width = longest * NARROWEST
        self.areas: list[float] = []
        self.unfinished = 0.0

    def hold(self, value: float, since: float, until: float) -> None:
        """The quantity is `value` from `since`, where the last piece ended, to `until`."""
        while until >= self.start + MOST * self.width:
            self.widen()
        while True:
            boundary = self.start + (len(self.areas) + 1) * self.width
            if until < boundary:
                break
            self.areas.append(self.unfinished + value * (boundary - since))
            self.unfinished = 0.0
            since = boundary
        self.unfinished += value * (until - since)

    def widen(self) -> None:
        """Make the windows twice as wide."""
        if len(self.areas) % 2 == 1:
            self.unfinished += self.areas[-1]
        self.areas = join(self.areas)
        self.width *= 2.0

    def half_width(self, mean: float) -> float:
        """Half the 95 % confidence interval of the mean, which is given; NaN of no 20 windows."""
        if len(self.areas) < BATCHES:
            return nan
        return half_width_around(means_of(self.areas, self.width), mean)


class StepStream:
    """A quantity that is held from change to change, measured from `start` on.

    `horizon` is the latest time there can be.
    """

    __slots__ = ("area", "begun", "greatest", "held", "least", "since", "start", "windows")

    def __init__(self, start: float, horizon: float) -> None:
        self.start = start
        self.begun = False
        self.held = nan
        self.since = 0.0
        self.area = 0.0
        self.least = nan
        self.greatest = nan
        self.windows = GrowingWindows(start, horizon - start)

    def add(self, time: float, value: float) -> None:
        """It becomes `value` at `time`."""
        if self.begun:
            self._hold(time)
        self.begun = True
        self.held = value
        self.since = time

    def _hold(self, until: float) -> None:
        """What it is was held until then."""
        value, since = self.held, max(self.since, self.start)
        if until <= since:
            return
        self.area += value * (until - since)
        self.windows.hold(value, since, until)
        self.least = value if isnan(self.least) or value < self.least else self.least
        self.greatest = value if isnan(self.greatest) or value > self.greatest else self.greatest

    def summary(self, end: float) -> StepSummary:
        """Everything about it when it ends here; NaN over no time or without a value."""
        if end <= self.start or not self.begun:
            return StepSummary(nan, nan, nan, nan)
        self._hold(end)
        self.since = end
        mean = self.area / (end - self.start)
        return StepSummary(mean, self.windows.half_width(mean), self.least, self.greatest)
