"""A quantity known by its change points: what it averages, and how far it swings.

A gauge is one (contract §3, *Gauges*): its time average over [start, end], a confidence interval
from the averages of 20 equal windows, the least and the greatest value held for a positive time
(a NaN is neither).
Depends on the batch means.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

from serq.records import Record
from serq.stats.batch_means import BATCHES, half_width_around


class StepSummary(Record):
    """Mean over time, half-width of its 95 % confidence interval, least and greatest value."""

    mean: float
    ci: float
    min: float
    max: float


def window_mean(times: Sequence[float], values: Sequence[float], start: float, end: float) -> float:
    """The time average over [start, end]; `values[i]` is held from `times[i]` on."""
    area = 0.0
    last = len(times) - 1
    for i, value in enumerate(values):
        since = max(times[i], start)
        until = min(times[i + 1], end) if i < last else end
        if until > since:
            area += value * (until - since)
    return area / (end - start)


def summarise(
    times: Sequence[float], values: Sequence[float], start: float, end: float
) -> StepSummary:
    """Everything about the quantity over [start, end]; NaN over no time or without a value."""
    if end <= start or not times:
        return StepSummary(nan, nan, nan, nan)
    mean = window_mean(times, values, start, end)
    width = (end - start) / BATCHES
    means = []
    first = 0
    for window in range(BATCHES):
        low = start + window * width
        high = end if window == BATCHES - 1 else start + (window + 1) * width
        while first + 1 < len(times) and times[first + 1] <= low:
            first += 1
        beyond = first
        while beyond < len(times) and times[beyond] < high:
            beyond += 1
        means.append(window_mean(times[first:beyond], values[first:beyond], low, high))
    least = greatest = nan
    for value in _held_values(times, values, start, end):
        # As in the language's `min` and `max`, any number wins over NaN.
        least = value if isnan(least) or value < least else least
        greatest = value if isnan(greatest) or value > greatest else greatest
    return StepSummary(mean, half_width_around(means, mean), least, greatest)


def _held_values(
    times: Sequence[float], values: Sequence[float], start: float, end: float
) -> list[float]:
    """The values held for a positive time within [start, end]."""
    last = len(times) - 1
    return [
        value
        for i, value in enumerate(values)
        if min(times[i + 1] if i < last else end, end) > max(times[i], start)
    ]
