"""What a search on a measured run found, as text and as JSON.

Means and quantiles of measured and predicted requests are taken alike: p99 is the record of rank
ceil(0.99 n) (contract §3, *Statistics*). Depends on the search and the report's tables.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from serq.fit.objective import METRICS
from serq.fit.search import FittedRun
from serq.fit.terms import COEFFICIENTS, written
from serq.report.table import Table
from serq.stats.quantile import quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Cell:
    """A statistic of a metric, measured and predicted (seconds), and the relative error."""

    metric: str
    statistic: str
    measured: float
    predicted: float

    @property
    def error(self) -> float:
        """Predicted over measured, less 1."""
        return self.predicted / self.measured - 1.0


def cells(fitted: FittedRun, *, held_out: bool = True) -> list[Cell]:
    """Mean and p99 of each metric over the held-out requests, or over those trained on."""
    part = slice(fitted.train, None) if held_out else slice(0, fitted.train)
    found = []
    for metric in METRICS:
        measured = fitted.targets.measured[metric][part]
        predicted = getattr(fitted.predicted, metric)[part]
        if not len(measured) or all(math.isnan(value) for value in measured):
            continue
        for name, statistic in (("mean", _mean), ("p99", _p99)):
            found.append(Cell(metric, name, statistic(measured), statistic(predicted)))
    return found


def _mean(values: NDArray[Any]) -> float:
    kept = _finite(values)
    return math.fsum(kept) / len(kept)


def _p99(values: NDArray[Any]) -> float:
    return quantile(sorted(_finite(values)), 0.99)


def _finite(values: NDArray[Any]) -> list[float]:
    return [float(value) for value in values if math.isfinite(value)]


def text(fitted: FittedRun) -> str:
    """The report of a search."""
    return "\n".join(_lines(fitted)) + "\n"


def _lines(fitted: FittedRun) -> Iterator[str]:
    total, train = len(fitted.run), fitted.train
    yield (
        f"{total} requests, the first {train} to fit, the other {total - train} held out; "
        f"seed {fitted.seed}, {fitted.replays} replays"
    )
    if fitted.run.left_out:
        yield f"{fitted.run.left_out} requests of the file failed and are left out"
    if fitted.partial:
        yield "interrupted: what was best until then, without intervals"
    yield ""
    yield from _coefficients(fitted).lines()
    yield ""
    yield from _sentences(fitted)
    yield ""
    for held_out, title in ((True, "held out"), (False, "trained on")):
        found = cells(fitted, held_out=held_out)
        if found:
            yield from _comparison(title, found).lines()
            yield ""
    yield f"  cost {fitted.cost.text()};"


def _coefficients(fitted: FittedRun) -> Table:
    table = Table(("", "fitted", "95 % from", "to", "started from", "identified"))
    started = fitted.start.by_name()
    for name, value in {**fitted.cost.by_name(), "overhead": fitted.overhead}.items():
        interval = fitted.intervals.get(name)
        low, high, told = "-", "-", "-"
        if interval is not None:
            low, high = f"{interval.low:.3g}", f"{interval.high:.3g}"
            told = "yes" if interval.identified else "no"
        start = f"{started[name]:.3g}" if name in started else "-"
        table.rows.append((name, written(value), low, high, start, told))
    return table


def sentence(fitted: FittedRun) -> str:
    """Which coefficients the requests do not identify, and what that means."""
    if not fitted.intervals:
        return "The search was interrupted before it could tell what the requests identify."
    lost = [name for name, each in fitted.intervals.items() if not each.identified]
    costs = [name for name in lost if name in COEFFICIENTS]
    if not lost:
        said = "The requests identify every coefficient."
    elif costs:
        said = (
            f"The requests do not identify {_listed(lost)}: what is printed for "
            f"{'them' if len(lost) > 1 else 'it'} is mostly what the search started from."
        )
    else:
        said = "The requests identify every coefficient of the cost, but not the overhead."
    for first, second in fitted.confounded:
        said += f" {first} and {second} can be traded for each other."
    return said


def _sentences(fitted: FittedRun) -> Iterator[str]:
    yield sentence(fitted)
    yield f"A request spends {written(fitted.overhead)} s outside the engine."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _comparison(title: str, found: list[Cell]) -> Table:
    table = Table((title, "measured", "predicted", "error"))
    for cell in found:
        error = f"{100.0 * cell.error:+.1f} %"
        name = f"{cell.metric} {cell.statistic}"
        table.rows.append((name, f"{cell.measured:.4f}", f"{cell.predicted:.4f}", error))
    return table


def document(fitted: FittedRun) -> dict[str, Any]:
    """The same for a machine; seconds, and errors as fractions."""

    def rows(held_out: bool) -> list[dict[str, Any]]:
        return [
            {
                "metric": cell.metric,
                "statistic": cell.statistic,
                "measured": cell.measured,
                "predicted": cell.predicted,
                "error": cell.error,
            }
            for cell in cells(fitted, held_out=held_out)
        ]

    return {
        "fit": "run",
        "requests": len(fitted.run),
        "left_out": fitted.run.left_out,
        "train": fitted.train,
        "seed": fitted.seed,
        "replays": fitted.replays,
        "partial": fitted.partial,
        "cost": fitted.cost.text(),
        "coefficients": fitted.cost.by_name(),
        "overhead": fitted.overhead,
        "started_from": fitted.start.by_name(),
        "intervals": {
            name: {"low": each.low, "high": each.high, "identified": each.identified}
            for name, each in fitted.intervals.items()
        },
        "confounded": [list(pair) for pair in fitted.confounded],
        "scatter": fitted.scatter,
        "preemptions": fitted.predicted.preemptions,
        "held_out": rows(held_out=True),
        "trained_on": rows(held_out=False),
        "sentence": sentence(fitted),
    }


def as_json(found: dict[str, Any]) -> str:
    """One line of JSON; what is not finite is null."""

    def plain(value: Any) -> Any:
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items()}
        return [plain(each) for each in value] if isinstance(value, list) else value

    return json.dumps(plain(found), allow_nan=False)
