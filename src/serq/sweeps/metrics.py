"""The numbers a sweep reads from a report, by their place in its JSON form.

    observes.ttft.p99     stages.engine.utilization    pools.kv[2].preemptions    mean_live

An observation has every quantile, `p50` or `p99.9`, and its `rate`: the sum of its records per
unit of measured time, which of a test is how often it held. Of an array of stages or pools a
member is named, `pools.kv[2]`, or its members are put together: `[sum]`, `[mean]`, `[min]`,
`[max]`. Depends on the report and the IR.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, nan
from typing import Final, Literal

from serq.diagnostics import Diagnostic, SerqError, nearest
from serq.ir import nodes as ir
from serq.report.notes import observed_tests
from serq.report.report import Report
from serq.report.rows import Pool, Stage
from serq.stats.quantile import quantile
from serq.stats.student import mean

FACTS: Final = ("horizon", "end", "warmup", "events", "arrivals", "ended", "turns", "mean_live")
FIELDS: Final = {
    "observes": ("count", "mean", "ci", "cv2", "p99", "rate"),
    "gauges": ("mean", "ci", "min", "max"),
    "stages": tuple(name for name in Stage.__match_args__ if name not in ("name", "index")),
    "pools": tuple(name for name in Pool.__match_args__ if name not in ("name", "index")),
}
FOLDS: Final = ("sum", "mean", "min", "max")

_PATH = re.compile(
    r"(?P<group>observes|gauges|stages|pools)\.(?P<name>.+?)"
    r"(?:\[(?P<member>\w+)\])?\.(?P<field>p[0-9]+(?:\.[0-9]+)?|\w+)"
)
_QUANTILE = re.compile(r"p([0-9]{1,2}(?:\.[0-9]+)?|100)", re.ASCII)

Group = Literal["observes", "gauges", "stages", "pools"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number of a report. `group` is None for a number of the run itself, then `field` is it;
    `member` is an index, a word of `FOLDS`, or None.
    """

    text: str
    group: Group | None
    name: str
    member: int | str | None
    field: str

    @property
    def label(self) -> str:
        """What it is called in a figure: `ttft, p99`."""
        if self.group is None:
            return self.field.replace("_", " ")
        member = "" if self.member is None else f"[{self.member}]"
        return f"{self.name}{member}, {self.field.replace('_', ' ')}"

    def read(self, report: Report) -> float:
        """Its value; NaN where the report has no such member."""
        match self.group:
            case None:
                return float(getattr(report, self.field))
            case "observes":
                return self._observed(report)
            case "gauges":
                return float(getattr(report.gauges[self.name], self.field))
            case _:
                return self._of_members(report)

    def interval(self, report: Report) -> float:
        """Half the 95 % interval that one run itself gives for it; NaN where it gives none."""
        if self.group not in ("observes", "gauges") or self.field != "mean":
            return nan
        table = report.observes if self.group == "observes" else report.gauges
        half = table[self.name].ci
        return half if isfinite(half) else nan

    def _observed(self, report: Report) -> float:
        observe = report.observes[self.name]
        samples = observe.measured.samples
        if self.field == "rate":
            span = report.end - report.warmup
            return mean(samples) * len(samples) / span if samples and span > 0 else nan
        match = _QUANTILE.fullmatch(self.field)
        if match is None or self.field == "p99":
            return float(getattr(observe, self.field))
        numbers = sorted(value for value in samples if value == value)  # noqa: PLR0124 - NaN is not
        return quantile([nan] * (len(samples) - len(numbers)) + numbers, float(match[1]) / 100)

    def _of_members(self, report: Report) -> float:
        rows: Sequence[Stage | Pool] = (
            report.stages_named(self.name)
            if self.group == "stages"
            else report.pools_named(self.name)
        )
        if isinstance(self.member, int):
            rows = rows[self.member : self.member + 1]
        values = [float(getattr(row, self.field)) for row in rows]
        match self.member:
            case "sum":
                return mean(values) * len(values)
            case "mean":
                return mean(values)
            case "min":
                return min(values, default=nan)
            case "max":
                return max(values, default=nan)
            case _:
                return values[0] if values else nan


def parse_metric(text: str) -> Metric:
    """The metric a text names. Raises `ValueError` with what a metric is."""
    if text in FACTS:
        return Metric(text, None, "", None, text)
    match = _PATH.fullmatch(text)
    if match is None:
        near = nearest(text, FACTS)
        hint = f"; did you mean `{near}`?" if near else ""
        raise ValueError(
            "a number of the report such as observes.NAME.p99, gauges.NAME.mean, "
            f"stages.NAME.utilization, pools.NAME.preemptions or mean_live{hint}"
        )
    group: Group = match["group"]  # type: ignore[assignment]
    field, member = match["field"], _member(match["member"], group)
    is_quantile = group == "observes" and _QUANTILE.fullmatch(field) is not None
    if field not in FIELDS[group] and not is_quantile:
        near = nearest(field, FIELDS[group])
        hint = f"; did you mean `{near}`?" if near else ""
        raise ValueError(f"a number that {group} have: {', '.join(FIELDS[group])}{hint}")
    return Metric(text, group, match["name"], member, field)


def _member(text: str | None, group: Group) -> int | str | None:
    if text is None:
        return None
    if group not in ("stages", "pools"):
        raise ValueError(f"a metric without an index: {group} are no arrays")
    if text.isdecimal():
        return int(text)
    if text not in FOLDS:
        raise ValueError(f"a metric whose index is a number or one of {', '.join(FOLDS)}")
    return text


def default_metrics(program: ir.Program) -> tuple[Metric, ...]:
    """Mean and p99 of every observation, of a test its mean alone; without an observation the
    gauges, without those `mean_live`.
    """
    if program.observes:
        tests = observed_tests(program)
        texts = [
            f"observes.{name}.{field}"
            for number, name in enumerate(program.observes)
            for field in (("mean",) if number in tests else ("mean", "p99"))
        ]
    else:
        texts = [f"gauges.{gauge.name}.mean" for gauge in program.gauges] or ["mean_live"]
    return tuple(parse_metric(text) for text in texts)


def check_metrics(metrics: Sequence[Metric], program: ir.Program, file: str) -> None:
    """Raise `SerqError` (SQ217) for every metric that the program's report does not have."""
    known = {
        "observes": list(program.observes),
        "gauges": [gauge.name for gauge in program.gauges],
        "stages": list(dict.fromkeys(stage.name for stage in program.stages)),
        "pools": list(dict.fromkeys(pool.name for pool in program.pools)),
    }
    arrays = {
        "stages": {stage.name for stage in program.stages if stage.index is not None},
        "pools": {pool.name for pool in program.pools if pool.index is not None},
    }
    found = []
    for metric in metrics:
        if metric.group is None:
            continue
        if metric.name not in known[metric.group]:
            found.append(_unknown(metric, known[metric.group], file))
        elif metric.member is None and metric.name in arrays.get(metric.group, ()):
            message = f"`{metric.text}` names an array and none of its members"
            start = f"{metric.group}.{metric.name}"
            hint = f"write `{start}[0].{metric.field}`, or `{start}[sum].{metric.field}` for all"
            found.append(Diagnostic("SQ217", message, file=file, help=hint))
    if found:
        raise SerqError(found)


def _unknown(metric: Metric, known: list[str], file: str) -> Diagnostic:
    near = nearest(metric.name, known)
    listed = ", ".join(f"`{name}`" for name in known) or "none"
    message = f"the report has no `{metric.name}` among its {metric.group}; it has {listed}"
    hint = f"did you mean `{near}`?" if near else None
    return Diagnostic("SQ217", message, file=file, help=hint)
