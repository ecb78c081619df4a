"""Rows of the report: one stage, one pool. Fields are in the order of the JSON report.

Depends on the measurements.
"""

from __future__ import annotations

from math import nan
from operator import attrgetter

from serq.records import Record
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


_AT = Stage.__match_args__.index("throughput")
_BEFORE_THROUGHPUT = attrgetter(*Stage.__match_args__[:_AT])
_AFTER_THROUGHPUT = attrgetter(*Stage.__match_args__[_AT + 1 :])
_POOL = attrgetter(*Pool.__match_args__)
"""Many at a time: a fleet has thousands of rows."""


def stage_row(measured: StageMeasurements, span: float) -> Stage:
    """A stage's row, over `span` of measured time."""
    throughput = measured.completed / span if span > 0 else nan
    fields = [*_BEFORE_THROUGHPUT(measured), throughput, *_AFTER_THROUGHPUT(measured)]
    return Stage(*fields)


def pool_row(measured: PoolMeasurements) -> Pool:
    """A pool's row."""
    return Pool(*_POOL(measured))
