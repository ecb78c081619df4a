"""Running a compiled program. Depends on the engines, the trace and the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from serq.api.program import Program
from serq.api.trace import read_program_trace
from serq.diagnostics import SerqError
from serq.engines import engine as find_engine
from serq.engines.protocol import Engine
from serq.report.options import (
    DEFAULT_LIMIT_EVENTS,
    DEFAULT_LIMIT_SESSIONS,
    DEFAULT_LIMIT_STATEMENTS,
    Progress,
    RunOptions,
)
from serq.report.report import Report


def run(
    program: Program,
    engine: str | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
    limit_statements: int = DEFAULT_LIMIT_STATEMENTS,
    limit_events: int = DEFAULT_LIMIT_EVENTS,
    limit_sessions: int = DEFAULT_LIMIT_SESSIONS,
    samples: bool = True,
) -> Report:
    """Run a program to its horizon and report.

    Ctrl-C ends the run early; the report of what was measured until then is marked `partial`.

    Args:
        program: What `compile` gave.
        engine: `python` or `native`; the fastest present when not given. The report is the
            same on both, to the last bit.
        progress: Called about ten times a second of real time with where the run is.
        limit_statements: Statements of one session at one instant at most.
        limit_events: Events and session steps at one instant at most.
        limit_sessions: Sessions alive at once at most.
        samples: Keep every sample and every change of a gauge. Without, a run of any length
            needs no more memory than its live sessions; the report has the same statistics,
            with quantiles within 0.5 % and intervals from nearly all of the run.

    Raises:
        SerqError: The trace can not be read (SQ7), the engine is not present or lacks a
            construct (SQ505, SQ506), or the run has an error (SQ6).
        TypeError: `program` is none, say the name of a file that is yet to be compiled.
        ValueError: A limit is below 1.
    """
    if not isinstance(program, Program):
        raise TypeError(f"run() takes what compile() gives, not {program!r}")
    options = RunOptions(
        spans=program.spans,
        limit_statements=limit_statements,
        limit_events=limit_events,
        limit_sessions=limit_sessions,
        progress=progress,
        samples=samples,
    )
    check_limits(options)
    chosen = find_engine(engine)
    return run_on(chosen, program, replace(options, trace=read_program_trace(program)))


def run_on(engine: Engine, program: Program, options: RunOptions) -> Report:
    """Run a program on an engine, its trace being read already. Raises `SerqError`."""
    from serq import __version__

    lacking = engine.missing(program.ir)
    if lacking:
        raise SerqError(lacking)
    measured = engine.run(program.ir, options)
    return Report(measured, program.ir, serq_version=__version__, spans=program.spans)


def check_limits(options: RunOptions) -> None:
    """Raise `ValueError` for a limit below 1."""
    for name in ("limit_statements", "limit_events", "limit_sessions"):
        if getattr(options, name) < 1:
            raise ValueError(f"{name} must be at least 1, not {getattr(options, name)}")
