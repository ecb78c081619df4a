"""The figure of a sweep: each metric in a panel of its own, above one axis.

The first axis of the sweep is the x axis; where further ones vary, every combination of their
values is a line. The band around a line is the 95 % interval of its points. The same table gives
the same bytes. Depends on `serq.figures`, and on matplotlib, which is optional.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, product
from math import isclose, isfinite
from os import PathLike
from typing import TYPE_CHECKING

from serq.figures import COLOURS, ending, style, write
from serq.files import whole
from serq.sweeps.grid import Axis, Point, shown
from serq.sweeps.metrics import parse_metric

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from serq.sweeps.table import Sweep

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_MOST_TICKS = 10
_WIDTH = 80
"""Characters that a line of a legend has room for."""
_PLAIN = "{x:g}"  # 0.1, 1, 10 rather than powers of ten


def save(
    sweep: Sweep,
    path: str | PathLike[str],
    *,
    metrics: Sequence[str] = (),
    log: Collection[str] = (),
    labels: Mapping[str, str] | None = None,
) -> None:
    """Draw the means into a file, whose ending is one of `FORMATS`.

    `metrics` chooses among those of the sweep, all of them when empty. `log` names the axis and
    the metrics whose scale is logarithmic; `labels` says what an axis or a metric is called, with
    its unit. Raises `ImportError` without matplotlib, `ValueError` for another ending, for a sweep
    in which nothing varies and for a metric it did not read, `SerqError` (SQ704) when the file can
    not be written, which is then as it was.
    """
    kind = ending(path)
    if not sweep.axes:
        raise ValueError("nothing varies in this sweep, so there is no figure of it")
    shown_metrics = tuple(metrics) or sweep.metrics
    for metric in shown_metrics:
        if metric not in sweep.metrics:
            raise ValueError(f"`{metric}` was not read; what was: {', '.join(sweep.metrics)}")
    with style():
        figure = _draw(sweep, shown_metrics, log, labels or {})
        with whole(path) as staged:
            write(figure, staged, kind)


def _draw(
    sweep: Sweep, metrics: Sequence[str], log: Collection[str], labels: Mapping[str, str]
) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 1.0 + 2.6 * len(metrics)), layout="constrained")
    grid = figure.subplots(len(metrics), 1, sharex=True, squeeze=False)
    panels = [row[0] for row in grid]
    for panel, metric in zip(panels, metrics, strict=True):
        _draw_lines(panel, sweep, metric)
        panel.set_ylabel(labels.get(metric, parse_metric(metric).label))
        if metric in log:
            _set_logarithmic(panel)
        else:
            _set_floor(panel)
    first = sweep.axes[0]
    panels[-1].set_xlabel(labels.get(first.name, first.name))
    _set_ticks(panels[-1], first, log)
    others = sweep.axes[1:]
    if others:
        title = ", ".join(labels.get(axis.name, axis.name) for axis in others)
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(
            handles, names, title=title, loc="outside upper left", ncols=_columns(names),
            alignment="left",
        )  # fmt: skip
    figure.align_ylabels()
    return figure


def _columns(names: Sequence[str]) -> int:
    """How many names of lines stand side by side."""
    return max(1, min(len(names), _WIDTH // (max(map(len, names)) + 8)))


def _set_floor(panel: Axes) -> None:
    """Begin at 0 where no mean is below it and 0 is near, so that heights can be compared."""
    import numpy as np

    values = [y for line in panel.get_lines() for y in np.asarray(line.get_ydata()).tolist()]
    low, high = min(values, default=0.0), max(values, default=0.0)
    if 0 <= low <= high / 2:
        panel.set_ylim(bottom=0, top=None if high > 0 else 1)


def _set_logarithmic(panel: Axes) -> None:
    """A logarithmic scale with plain numbers, between the powers of ten too where there are few."""
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(_PLAIN)
    low, high = panel.get_ylim()
    panel.yaxis.set_minor_formatter(_PLAIN if high < 10 * low else "")


def _draw_lines(panel: Axes, sweep: Sweep, metric: str) -> None:
    first, others = sweep.axes[0], sweep.axes[1:]
    for number, values in enumerate(product(*(axis.values for axis in others))):
        rest = dict(zip((axis.name for axis in others), values, strict=True))
        xs, ys, lows, highs = _line(sweep, metric, first, rest)
        colour = COLOURS[number % len(COLOURS)]
        marker = _MARKERS[number % len(_MARKERS)]
        label = ", ".join(map(shown, values))
        panel.plot(
            xs, ys, color=colour, marker=marker, markersize=5, linewidth=1.6, label=label,
            clip_on=False,
        )  # fmt: skip
        panel.fill_between(xs, lows, highs, color=colour, alpha=0.18, linewidth=0)


def _line(
    sweep: Sweep, metric: str, first: Axis, rest: Point
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Places on the x axis, means, and the ends of their intervals; points without a mean are
    left out.
    """
    found = []
    for x, value in zip(_places(first), first.values, strict=True):
        estimate = sweep.estimate(metric, {first.name: value, **rest})
        half = estimate.ci if isfinite(estimate.ci) else 0.0
        if isfinite(estimate.mean):
            found.append((x, estimate.mean, estimate.mean - half, estimate.mean + half))
    found.sort()
    xs, ys, lows, highs = ([row[column] for row in found] for column in range(4))
    return xs, ys, lows, highs


def _places(axis: Axis) -> list[float]:
    """Where the values stand: the numbers themselves, or 0, 1, 2 … when one is no number."""
    numbers = [value for value in axis.values if isinstance(value, float) and isfinite(value)]
    return (
        numbers if len(numbers) == len(axis.values) else list(map(float, range(len(axis.values))))
    )


def _set_ticks(panel: Axes, axis: Axis, log: Collection[str]) -> None:
    """Ticks at the values, where they are few; at round numbers otherwise."""
    places = _places(axis)
    are_numbers = places == list(axis.values)
    few = len(places) <= _MOST_TICKS
    if axis.name in log and are_numbers:
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter(_PLAIN)
    if not are_numbers or (few and (axis.name in log or _are_even(places))):
        panel.set_xticks(places, [shown(value) for value in axis.values], minor=False)
        panel.set_xticks([], minor=True)


def _are_even(places: Sequence[float]) -> bool:
    """Whether every place is as far from the next."""
    steps = [after - before for before, after in pairwise(places)]
    return all(isclose(step, steps[0], rel_tol=1e-6) for step in steps)
