"""What a sweep found: a row a run, and for every point the mean over its replications.

The runs of one seed use the same random numbers at every point as far as their programs draw
them alike, so two points are compared by the differences of their runs, seed by seed (common
random numbers). Depends on the grid, the metrics and `serq.stats`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from serq.diagnostics import Diagnostic
from serq.stats.student import half_width, mean
from serq.sweeps.grid import Axis, Point, shown
from serq.sweeps.values import Value

if TYPE_CHECKING:
    from os import PathLike


@dataclass(frozen=True, slots=True)
class Row:
    """One run: its point, its seed, the value of every metric by its text.

    `intervals` has half the 95 % interval that the run itself gives, where it gives one;
    `errors` says why a run that failed did, and then there are no values; `notes` has the codes of
    the report's notes, which say what the values do not show.
    """

    point: Point
    seed: int
    values: Mapping[str, float] = field(default_factory=dict)
    intervals: Mapping[str, float] = field(default_factory=dict)
    errors: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A metric at a point: the mean over `runs` runs, and half its 95 % interval.

    The interval is Student's over the replications; with a single run it is the one that the run
    itself gives (batch means), and NaN where it gives none.
    """

    mean: float
    ci: float
    runs: int


class Sweep:
    """The table of a sweep.

    `axes` is what varied and `metrics` what was read, as they were written. `rows` has the runs
    that are done, point by point in the order of the grid and then by seed; `unfinished` has the
    others, without values, when Ctrl-C came before they were. `warnings` is what was found in the
    program that refuses nothing.
    """

    def __init__(
        self,
        axes: Sequence[Axis],
        metrics: Sequence[str],
        rows: Sequence[Row],
        *,
        unfinished: Sequence[Row] = (),
        warnings: Sequence[Diagnostic] = (),
    ) -> None:
        self.axes = tuple(axes)
        self.metrics = tuple(metrics)
        self.rows = tuple(rows)
        self.unfinished = tuple(unfinished)
        self.warnings = tuple(warnings)

    @property
    def partial(self) -> bool:
        """Whether Ctrl-C came before all runs were done."""
        return bool(self.unfinished)

    @property
    def failures(self) -> list[Row]:
        """The runs that failed."""
        return [row for row in self.rows if row.errors]

    def points(self) -> list[Point]:
        """The points at which a run is done, in the order of the grid."""
        found: dict[tuple[Value, ...], Point] = {}
        for row in self.rows:
            found.setdefault(tuple(row.point.values()), row.point)
        return list(found.values())

    def at(self, point: Mapping[str, object]) -> list[Row]:
        """The runs that did not fail, with the given values of some axes; all with none given."""
        wanted = {name: _number(value) for name, value in point.items()}
        names = [axis.name for axis in self.axes]
        for name in wanted:
            if name not in names:
                raise KeyError(f"`{name}` was not varied; what was: {', '.join(names)}")
        return [
            row
            for row in self.rows
            if not row.errors
            and all(_number(row.point[name]) == value for name, value in wanted.items())
        ]

    def estimate(self, metric: str, point: Mapping[str, object]) -> Estimate:
        """The mean of a metric over the runs at a point, with its interval."""
        self._known(metric)
        rows = self.at(point)
        values = [row.values[metric] for row in rows]
        if len(rows) == 1:
            return Estimate(values[0], rows[0].intervals.get(metric, nan), 1)
        return Estimate(mean(values), half_width(values), len(values))

    def difference(
        self, metric: str, point: Mapping[str, object], baseline: Mapping[str, object]
    ) -> Estimate:
        """How much more a metric is at a point than at the baseline: the mean, and half the 95 %
        interval, of the differences of runs with the same seed.
        """
        self._known(metric)
        before = {row.seed: row.values[metric] for row in self.at(baseline)}
        pairs = [
            row.values[metric] - before[row.seed] for row in self.at(point) if row.seed in before
        ]
        return Estimate(mean(pairs), half_width(pairs), len(pairs))

    def _known(self, metric: str) -> None:
        if metric not in self.metrics:
            raise KeyError(f"`{metric}` was not read; what was: {', '.join(self.metrics)}")

    def text(self, *, baseline: tuple[str, Value] | None = None) -> str:
        """The means as a table for a person; with a baseline also the differences to it."""
        from serq.sweeps.written import text

        return text(self, baseline)

    def csv(self) -> str:
        """The runs as CSV: the axes, `seed`, the metrics, `error`; those that were not done come
        last, and their error is `interrupted`.
        """
        from serq.sweeps.written import csv_text

        return csv_text(self)

    def json(self) -> str:
        """Axes, rows and means as one line of JSON."""
        from serq.sweeps.written import json_text

        return json_text(self)

    def to_pandas(self) -> Any:
        """The runs as a `pandas.DataFrame`, with the columns of `csv`. Raises `ImportError`."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        return pd.DataFrame(columns(self))

    def plot(
        self,
        path: str | PathLike[str],
        *,
        metrics: Sequence[str] = (),
        log: Collection[str] = (),
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Draw the means against the first axis (`serq.sweeps.plot`)."""
        from serq.sweeps.plot import save

        save(self, path, metrics=metrics, log=log, labels=labels or {})

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        partial = ", partial" if self.partial else ""
        return f"Sweep({len(self.points())} points, {len(self.rows)} runs{partial})"


def columns(sweep: Sweep) -> dict[str, list[Any]]:
    """The columns of the table of runs."""
    rows = (*sweep.rows, *sweep.unfinished)
    found: dict[str, list[Any]] = {
        axis.name: [row.point[axis.name] for row in rows] for axis in sweep.axes
    }
    found["seed"] = [row.seed for row in rows]
    for metric in sweep.metrics:
        found[metric] = [row.values.get(metric, nan) for row in rows]
    errors = [" ".join(dict.fromkeys(found.code for found in row.errors)) for row in sweep.rows]
    found["error"] = [*errors, *("interrupted" for _ in sweep.unfinished)]
    return found


def _number(value: object) -> Value:
    """A value of an axis as it is kept: `2` and `2.0` are one."""
    if isinstance(value, str):
        from serq.sweeps.values import values_of

        single = values_of(value)
        return single[0] if len(single) == 1 else value
    return float(value)  # type: ignore[arg-type]


def interval_text(estimate: Estimate, places: int) -> str:
    """`±0.0123`, or nothing where there is no interval."""
    return "" if isnan(estimate.ci) else f"±{estimate.ci:.{places}f}"


def point_cells(sweep: Sweep, point: Point) -> list[str]:
    """The values of a point as a person reads them."""
    return [shown(point[axis.name]) for axis in sweep.axes]
