"""What the machine saw, as measurements (contract §3, *Statistics*).

Means of time averages are over [warmup, end]. Depends on the machine and the report's data.
"""

from __future__ import annotations

from serq.report.measurements import (
    GaugeMeasurements,
    Measurements,
    ObserveMeasurements,
    PoolMeasurements,
    StageMeasurements,
    ZeroedAmount,
)
from serq.semantics.machine import Machine
from serq.semantics.pool import Pool
from serq.semantics.stages.stage import Stage
from serq.semantics.stages.step import Step
from serq.trace.recorded import replayed

ENGINE = "python"


def measure(machine: Machine, *, partial: bool) -> Measurements:
    """The measurements of a run that ended where the machine's clock stands."""
    program, end = machine.program, machine.now
    start = program.warmup
    return Measurements(
        engine=ENGINE,
        horizon=program.horizon,
        end=end,
        warmup=start,
        seed=program.seed,
        events=machine.happened,
        arrivals=machine.arrivals,
        ended=machine.ended,
        turns=machine.turns,
        mean_live=machine.live_average.mean(start, end),
        observes=measure_observes(machine),
        gauges=measure_gauges(machine, end),
        stages=[measure_stage(stage, start, end) for stage in machine.stages],
        pools=[measure_pool(pool, start, end) for pool in machine.pools],
        zeroed=[ZeroedAmount(path, count) for path, count in machine.zeroed.items()],
        partial=partial,
        samples=machine.options.samples,
        replayed=replayed(program, machine.recorded),
    )


def measure_observes(machine: Machine) -> list[ObserveMeasurements]:
    """The observations; without samples, what they come to."""
    for seen, stream in zip(machine.observes, machine.sample_streams, strict=False):
        seen.summary = stream.summary()
        seen.histogram = stream.histogram
    return machine.observes


def measure_gauges(machine: Machine, end: float) -> list[GaugeMeasurements]:
    """The gauges; without samples, what they come to."""
    gauges = machine.gauges
    for seen, stream in zip(gauges.seen, gauges.streams, strict=False):
        seen.summary = stream.summary(end)
    return gauges.seen


def measure_stage(stage: Stage, start: float, end: float) -> StageMeasurements:
    """One stage; token gaps and the make-up of iterations are a step stage's."""
    measured = StageMeasurements(
        name=stage.definition.name,
        index=stage.definition.index,
        mean_number=stage.number_average.mean(start, end),
        utilization=stage.busy_average.mean(start, end),
        completed=stage.completed,
        mean_wait=stage.wait.mean(),
        mean_service=stage.service.mean(),
        iterations=stage.iterations,
    )
    if isinstance(stage, Step):
        composition, gaps = stage.composition, stage.gaps
        measured.prefill_only = composition.prefill_only.mean(start, end)
        measured.decode_only = composition.decode_only.mean(start, end)
        measured.mixed = composition.mixed.mean(start, end)
        measured.mean_decodes = composition.decodes_average.mean(start, end)
        measured.mean_decode_batch = composition.mean_decode_batch
        measured.mean_decode_step = composition.mean_decode_step
        measured.mean_itl = gaps.mean()
        measured.itl_p50 = gaps.quantile(0.5)
        measured.itl_p99 = gaps.quantile(0.99)
    return measured


def measure_pool(pool: Pool, start: float, end: float) -> PoolMeasurements:
    """One pool; holds wait in the queue of their first pool alone."""
    return PoolMeasurements(
        name=pool.definition.name,
        index=pool.definition.index,
        mean_used=pool.used_average.mean(start, end),
        mean_cached=pool.cached_average.mean(start, end),
        mean_queue=pool.queue_average.mean(start, end),
        mean_holders=pool.holders_average.mean(start, end),
        mean_wait=pool.wait.mean(),
        admissions=pool.admissions,
        evicted_entries=pool.evicted_entries,
        evicted_units=pool.evicted_units,
        preemptions=pool.preemptions,
        spills=pool.spills,
        rejected=pool.rejected,
        stuck=pool.stuck,
    )
