"""Rows of the report: one stage, one pool. Fields are in the order of the JSON report.

Depends on the measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from serq.records import Record
from serq.report.columns import column
from serq.report.measurements import PoolMeasurements, StageMeasurements


class Stage(Record):
    """One stage of a run; times in the program's clock, averages over [warmup, end].

    The fields from `prefill_only` on speak of a step stage: the shares of time an iteration with
    only prefill tokens, only decodes, or both was running; decodes in the running iteration;
    decodes and length of an iteration with decodes; gaps between tokens (inter-token latency).
    """

    name: str
    index: int | None
    mean_number: float
    utilization: float
    completed: int
    throughput: float
    mean_wait: float
    mean_service: float
    iterations: int
    prefill_only: float
    decode_only: float
    mixed: float
    mean_decodes: float
    mean_decode_batch: float
    mean_decode_step: float
    mean_itl: float
    itl_p50: float
    itl_p99: float

    @property
    def label(self) -> str:
        """`name`, or `name[index]` for a member of an array."""
        return label(self.name, self.index)

    @property
    def idle(self) -> float:
        """Share of time no iteration with tokens was running."""
        return 1.0 - self.prefill_only - self.decode_only - self.mixed


class Pool(Record):
    """One pool of a run; amounts in its units, averages over [warmup, end], counters over the
    whole run.
    """

    name: str
    index: int | None
    mean_used: float
    mean_cached: float
    mean_queue: float
    mean_holders: float
    mean_wait: float
    admissions: int
    evicted_entries: int
    evicted_units: float
    preemptions: int
    spills: int
    rejected: int
    stuck: int

    @property
    def label(self) -> str:
        """`name`, or `name[index]` for a member of an array."""
        return label(self.name, self.index)


def label(name: str, index: int | None) -> str:
    """`name`, or `name[index]` for a member of an array."""
    return name if index is None else f"{name}[{index}]"


def stage_rows(measured: Sequence[StageMeasurements], span: float) -> list[Stage]:
    """A row for each stage, over `span` of measured time."""
    completed = column(measured, "completed")
    throughput = [count / span if span > 0 else nan for count in completed]
    fields = (
        throughput if name == "throughput" else column(measured, name)
        for name in Stage.__match_args__
    )
    return list(map(Stage, *fields))


def pool_rows(measured: Sequence[PoolMeasurements]) -> list[Pool]:
    """A row for each pool."""
    return list(map(Pool, *(column(measured, name) for name in Pool.__match_args__)))
