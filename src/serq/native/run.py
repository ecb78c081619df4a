"""A run on the native engine: the trace and the options go in, measurements come out.

Depends on the extension module, the IR's nodes, options and measurements.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from serq.diagnostics import Diagnostic, SerqError
from serq.ir import nodes as ir
from serq.native._engine import run_program
from serq.native.errors import diagnostic
from serq.report.columns import Columns
from serq.report.measurements import (
    GaugeMeasurements,
    Measurements,
    ObserveMeasurements,
    PoolMeasurements,
    StageMeasurements,
    ZeroedAmount,
)
from serq.report.options import Progress, RunOptions
from serq.stats.log_histogram import LogHistogram
from serq.stats.sample_summary import SampleSummary
from serq.stats.step_function import StepSummary
from serq.trace.recorded import NotReplayableError, Recorded, recorded_sessions, replayed

ENGINE = "native"

MOST = 2**62
"""A limit beyond all that a run can reach."""

SECONDS_BETWEEN_REPORTS = 0.1

Row = TypeVar("Row", StageMeasurements, PoolMeasurements)


def run(program: ir.Program, options: RunOptions, *, fast_path: bool = True) -> Measurements:
    """Run a program to its horizon, or until its limited arrivals have drained.

    Ctrl-C, or KeyboardInterrupt from `options.progress`, ends the run where it is: the
    measurements are partial then. Without `fast_path` every iteration of a step stage is an
    event of its own, and candidates of a `choose` are weighed one by one; the result is the same.
    Raises `SerqError` for an error of the run (SQ6xx).
    """
    sessions = trace_sessions(program, options)
    times: dict[str, Any] = {}
    if isinstance(program.arrival, ir.TraceArrivals):
        times["times"] = [session.arrival for session in sessions]
    answer = run_program(
        program,
        [session.turns for session in sessions],
        limit_statements=min(options.limit_statements, MOST),
        limit_events=min(options.limit_events, MOST),
        limit_sessions=min(options.limit_sessions, MOST),
        ask=reporter(options.progress),
        samples=options.samples,
        fast_path=fast_path,
        **times,
    )
    if answer["error"] is not None:
        raise SerqError([diagnostic(program, options, answer["error"])])
    measured = measurements(program, answer["measured"], partial=answer["partial"])
    measured.samples = options.samples
    measured.replayed = replayed(program, sessions)
    if not options.samples:
        for seen, each in zip(measured.observes, answer["measured"]["observes"], strict=True):
            seen.histogram = LogHistogram.of(each["buckets"])
    return measured


def trace_sessions(program: ir.Program, options: RunOptions) -> list[Recorded]:
    """The sessions of the program's trace; none without a trace."""
    try:
        return recorded_sessions(program, options.trace) or []
    except NotReplayableError as error:
        span = options.spans.find(error.path) if options.spans is not None else None
        data = {"time": 0.0, "path": list(error.path)}
        found = Diagnostic(error.code, error.message, span=span, help=error.help, data=data)
        raise SerqError([found]) from None


def reporter(
    progress: Callable[[Progress], None] | None,
) -> Callable[[float, int, int], None]:
    """What the engine calls now and then: it tells `progress` about ten times a second."""
    next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS

    def report(now: float, events: int, live: int) -> None:
        nonlocal next_report
        if progress is not None and time.monotonic() >= next_report:
            next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS
            progress(Progress(now, events, live))

    return report


def measurements(program: ir.Program, seen: dict[str, Any], *, partial: bool) -> Measurements:
    """What the engine measured, with the names the program has."""
    return Measurements(
        engine=ENGINE,
        horizon=program.horizon,
        end=seen["end"],
        warmup=program.warmup,
        seed=program.seed,
        events=seen["events"],
        arrivals=seen["arrivals"],
        ended=seen["ended"],
        turns=seen["turns"],
        mean_live=seen["mean_live"],
        observes=[
            ObserveMeasurements(
                name,
                samples=each["samples"],
                times=each["times"],
                sessions=each["sessions"],
                turns=each["turns"],
                summary=SampleSummary(**each["summary"]),
            )
            for name, each in zip(program.observes, seen["observes"], strict=True)
        ],
        gauges=[
            GaugeMeasurements(
                gauge.name,
                times=each["times"],
                values=each["values"],
                summary=StepSummary(**each["summary"]),
            )
            for gauge, each in zip(program.gauges, seen["gauges"], strict=True)
        ],
        stages=named(StageMeasurements, program.stages, seen["stages"]),
        pools=named(PoolMeasurements, program.pools, seen["pools"]),
        zeroed=[ZeroedAmount(path, count) for path, count in seen["zeroed"]],
        partial=partial,
    )


def named(
    kind: type[Row], defined: Sequence[ir.Stage | ir.Pool], seen: dict[str, Sequence[Any]]
) -> Columns[Row]:
    """What was seen of the stages, or of the pools, beside their names."""
    seen["name"] = [each.name for each in defined]
    seen["index"] = [each.index for each in defined]
    return Columns(kind, {name: seen[name] for name in kind.__match_args__})
