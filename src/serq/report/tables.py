"""The tables of a report: which columns each has and how its numbers are rounded.

Depends on the report's rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from serq.report.numbers import decimals
from serq.report.table import Table

if TYPE_CHECKING:
    from serq.report.report import Report

Column = tuple[str, Callable[[Any], str]]


def _rounded(field: str, places: int) -> Callable[[Any], str]:
    return lambda row: decimals(getattr(row, field), places)


def _count(field: str) -> Callable[[Any], str]:
    return lambda row: str(getattr(row, field))


def _interval(row: Any) -> str:
    return f"±{decimals(row.ci, 4)}"


OBSERVE: Final[tuple[Column, ...]] = (
    ("observe", lambda row: row.name),
    ("count", _count("count")),
    ("mean", _rounded("mean", 4)),
    ("95% CI", _interval),
    ("cv2", _rounded("cv2", 3)),
    ("p99", _rounded("p99", 4)),
)
GAUGE: Final[tuple[Column, ...]] = (
    ("gauge", lambda row: row.name),
    ("mean", _rounded("mean", 4)),
    ("95% CI", _interval),
    ("min", _rounded("min", 4)),
    ("max", _rounded("max", 4)),
)
STAGE: Final[tuple[Column, ...]] = (
    ("stage", lambda row: row.label),
    ("number", _rounded("mean_number", 3)),
    ("util", _rounded("utilization", 3)),
    ("done", _count("completed")),
    ("thru", _rounded("throughput", 4)),
    ("wait", _rounded("mean_wait", 4)),
    ("service", _rounded("mean_service", 4)),
    ("iters", _count("iterations")),
)
STEP: Final[tuple[Column, ...]] = (
    ("step", lambda row: row.label),
    ("prefill only", _rounded("prefill_only", 3)),
    ("decode only", _rounded("decode_only", 3)),
    ("mixed", _rounded("mixed", 3)),
    ("idle", _rounded("idle", 3)),
    ("decodes", _rounded("mean_decodes", 3)),
    ("decode batch", _rounded("mean_decode_batch", 3)),
    ("decode step", _rounded("mean_decode_step", 6)),
    ("itl p50", _rounded("itl_p50", 6)),
    ("itl p99", _rounded("itl_p99", 6)),
)
POOL: Final[tuple[Column, ...]] = (
    ("pool", lambda row: row.label),
    ("used", _rounded("mean_used", 1)),
    ("cached", _rounded("mean_cached", 1)),
    ("queue", _rounded("mean_queue", 3)),
    ("holders", _rounded("mean_holders", 3)),
    ("wait", _rounded("mean_wait", 4)),
    ("admits", _count("admissions")),
    ("evict(n)", _count("evicted_entries")),
    ("evict(u)", _rounded("evicted_units", 0)),
    ("preempt", _count("preemptions")),
    ("spill", _count("spills")),
    ("rej", _count("rejected")),
    ("stuck", _count("stuck")),
)


def tables(report: Report, *, steps: bool = False) -> list[Table]:
    """Observations, gauges, stages, step stages when wanted, pools; none that is empty."""
    iterating = [stage for stage in report.stages if stage.iterations > 0] if steps else []
    sections: list[tuple[tuple[Column, ...], Sequence[Any]]] = [
        (OBSERVE, list(report.observes.values())),
        (GAUGE, list(report.gauges.values())),
        (STAGE, report.stages),
        (STEP, iterating),
        (POOL, report.pools),
    ]
    return [_table(columns, rows) for columns, rows in sections if rows]


def _table(columns: tuple[Column, ...], rows: Sequence[Any]) -> Table:
    header = tuple(heading for heading, _ in columns)
    return Table(header, [tuple(cell(row) for _, cell in columns) for row in rows])
