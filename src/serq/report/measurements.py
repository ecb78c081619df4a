"""What an engine saw, as data: counters, integrals, samples. Both engines fill these structs
and neither formats anything; `serq.report` turns them into a `Report` (facts of a run are
named as in the report). Times are in the program's clock (seconds, when its costs are).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import field
from typing import TypeAlias

from serq.records import Draft
from serq.report.columns import own
from serq.stats.log_histogram import LogHistogram
from serq.stats.sample_summary import SampleSummary
from serq.stats.step_function import StepSummary
from serq.trace.recorded import Replayed

Floats: TypeAlias = "array[float]"
Integers: TypeAlias = "array[int]"
"""A column. The native engine gives a memoryview of the memory it filled, which reads alike."""


class _Columns(Draft):
    """Measurements with columns; a copy, or what is pickled, has arrays of its own."""

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        kind, values = super().__reduce__()
        return kind, tuple(own(value) for value in values)


class ObserveMeasurements(_Columns):
    """The records of one observation after warm-up, in the order they were made.

    `summary` is what the samples come to, where the engine knows. A run that keeps no samples
    has that and a `histogram`, and empty columns.
    """

    name: str
    samples: Floats = field(default_factory=lambda: array("d"))
    times: Floats = field(default_factory=lambda: array("d"))
    sessions: Integers = field(default_factory=lambda: array("Q"))
    turns: Integers = field(default_factory=lambda: array("Q"))
    summary: SampleSummary | None = None
    histogram: LogHistogram | None = None


class GaugeMeasurements(_Columns):
    """The change points of one gauge from time 0 on: at `times[i]` it became `values[i]`.

    `summary` is what they come to, where the engine knows; a run that keeps no samples has that
    and empty columns.
    """

    name: str
    times: Floats = field(default_factory=lambda: array("d"))
    values: Floats = field(default_factory=lambda: array("d"))
    summary: StepSummary | None = None


class StageMeasurements(Draft):
    """One stage. Means and shares are time averages over [warmup, end]; `iterations` counts
    the whole run, `completed` and the means of wait and service jobs finished after warm-up.
    """

    name: str
    index: int | None
    mean_number: float
    utilization: float
    completed: int
    mean_wait: float
    mean_service: float
    iterations: int = 0
    prefill_only: float = 0.0
    decode_only: float = 0.0
    mixed: float = 0.0
    mean_decodes: float = 0.0
    mean_decode_batch: float = float("nan")
    mean_decode_step: float = float("nan")
    mean_itl: float = float("nan")
    itl_p50: float = float("nan")
    itl_p99: float = float("nan")


class PoolMeasurements(Draft):
    """One pool. Means are time averages over [warmup, end] in units, sessions or holders;
    `mean_wait` is the mean time in its queue; counters count the whole run.
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


class ZeroedAmount(Draft):
    """A negative or NaN amount was taken as 0 `count` times at IR path `path`."""

    path: tuple[str | int, ...]
    count: int


class Measurements(Draft):
    """One run.

    `end` is where it ended: the horizon, the drained end of a run with an arrival limit, or
    the moment it was interrupted (then `partial`). `samples` says whether they were kept;
    `replayed` what there was to replay at the trace's own times.
    """

    engine: str
    horizon: float
    end: float
    warmup: float
    seed: int
    events: int
    arrivals: int
    ended: int
    turns: int
    mean_live: float
    observes: list[ObserveMeasurements]
    gauges: list[GaugeMeasurements]
    stages: Sequence[StageMeasurements]
    pools: Sequence[PoolMeasurements]
    zeroed: list[ZeroedAmount] = field(default_factory=list)
    partial: bool = False
    samples: bool = True
    replayed: Replayed | None = None
