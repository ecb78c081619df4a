"""A sweep as text, CSV and JSON. Depends on the table of the report and its numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from serq.diagnostics.catalogue import CATALOGUE
from serq.ir.json_text import write_string
from serq.report.numbers import decimals, plain, plain_or_null
from serq.report.table import Table
from serq.sweeps.grid import shown
from serq.sweeps.table import columns, interval_text, point_cells
from serq.sweeps.values import Value

if TYPE_CHECKING:
    from serq.sweeps.grid import Point
    from serq.sweeps.table import Estimate, Sweep

PLACES = 4


def text(sweep: Sweep, baseline: tuple[str, Value] | None) -> str:
    """A row a point: the axes, how many runs, every metric with its 95 % interval; below, the notes
    that reports have, and how many.

    With a baseline, a second table has the differences to the point that has the baseline's
    value instead.
    """
    lines = [*_table(sweep, None).lines(), *_notes(sweep)]
    if sweep.partial:
        lines = ["partial: interrupted", *lines]
    if baseline is not None:
        name, value = baseline
        heading = f"difference to {name}={shown(value)}, run by run with the same seed"
        lines += ["", heading, *_table(sweep, baseline).lines()]
    return "\n".join(lines) + "\n"


def _table(sweep: Sweep, baseline: tuple[str, Value] | None) -> Table:
    header = [axis.name for axis in sweep.axes] + ["runs"]
    for name in _headings(sweep.metrics):
        header += [name, "95% CI"]
    table = Table(tuple(header))
    for point in sweep.points():
        if baseline is not None and point[baseline[0]] == baseline[1]:
            continue
        estimates = [_estimate(sweep, metric, point, baseline) for metric in sweep.metrics]
        cells = [*point_cells(sweep, point), str(estimates[0].runs)]
        for estimate in estimates:
            cells += [_mean(estimate), interval_text(estimate, PLACES)]
        table.rows.append(tuple(cells))
    return table


def _notes(sweep: Sweep) -> list[str]:
    """What the reports note, each kind once."""
    done = [row for row in sweep.rows if not row.errors]
    codes = sorted({code for row in done for code in row.notes})
    counts = [sum(code in row.notes for row in done) for code in codes]
    return [
        f"note: {CATALOGUE[code].name} in {count} of {len(done)} runs ({code})"
        for code, count in zip(codes, counts, strict=True)
    ]


def _headings(metrics: Sequence[str]) -> list[str]:
    """The metrics without their first words, where that leaves them apart."""
    short = [metric.split(".", 1)[-1] for metric in metrics]
    return [
        metric if short.count(name) > 1 else name
        for metric, name in zip(metrics, short, strict=True)
    ]


def _estimate(
    sweep: Sweep, metric: str, point: Point, baseline: tuple[str, Value] | None
) -> Estimate:
    if baseline is None:
        return sweep.estimate(metric, point)
    return sweep.difference(metric, point, {**point, baseline[0]: baseline[1]})


def _mean(estimate: Estimate) -> str:
    if estimate.runs == 0:
        return "failed"
    if estimate.mean.is_integer() and isnan(estimate.ci):
        return plain(estimate.mean)
    return decimals(estimate.mean, PLACES)


def csv_text(sweep: Sweep) -> str:
    """The runs, one a line; numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    table = columns(sweep)
    writer.writerow(table)
    for row in zip(*table.values(), strict=True):
        writer.writerow([plain(cell) if isinstance(cell, float) else cell for cell in row])
    return out.getvalue()


def json_text(sweep: Sweep) -> str:
    """`{"axes":{…},"metrics":[…],"rows":[…],"means":[…]}`, and `"partial":true` at its end when
    it was interrupted; a number that is not finite is `null`.
    """
    members = [
        _member("axes", _object({a.name: _list(map(_value, a.values)) for a in sweep.axes})),
        _member("metrics", _list(map(write_string, sweep.metrics))),
        _member("rows", _list(_rows(sweep))),
        _member("means", _list(_means(sweep))),
    ]
    if sweep.partial:
        members.append('"partial":true')
    return "{" + ",".join(members) + "}"


def _rows(sweep: Sweep) -> list[str]:
    found = []
    for row in sweep.rows:
        members = {
            "point": _point(row.point),
            "seed": str(row.seed),
            "values": _object({name: plain_or_null(value) for name, value in row.values.items()}),
        }
        if row.notes:
            members["notes"] = _list(map(write_string, row.notes))
        if row.errors:
            members["errors"] = _list(write_string(str(error)) for error in row.errors)
        found.append(_object(members))
    return found


def _means(sweep: Sweep) -> list[str]:
    found = []
    for point in sweep.points():
        values = {}
        for metric in sweep.metrics:
            estimate = sweep.estimate(metric, point)
            values[metric] = _object(
                {
                    "mean": plain_or_null(estimate.mean),
                    "ci": plain_or_null(estimate.ci),
                    "runs": str(estimate.runs),
                }
            )
        found.append(_object({"point": _point(point), "values": _object(values)}))
    return found


def _point(point: Point) -> str:
    return _object({name: _value(value) for name, value in point.items()})


def _value(value: Value) -> str:
    return write_string(value) if isinstance(value, str) else plain_or_null(value)


def _member(name: str, value: str) -> str:
    return f"{write_string(name)}:{value}"


def _object(members: dict[str, str]) -> str:
    return "{" + ",".join(_member(name, value) for name, value in members.items()) + "}"


def _list(values: Iterable[str]) -> str:
    return "[" + ",".join(values) + "]"
