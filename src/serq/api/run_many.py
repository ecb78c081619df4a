"""Many runs in one call: replications of a program, and programs beside each other.

Runs are independent of each other, so the threads they run in change nothing but the time it
takes. The native engine lets the interpreter go while it runs; the Python engine does not, and
its runs are made one after another. Depends on single runs and the engines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from threading import Lock

from serq.api.program import Program
from serq.api.run import check_limits, run_on
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
from serq.trace import TraceSession

SECONDS_BETWEEN_REPORTS = 0.1


@dataclass(frozen=True, slots=True)
class RunsProgress:
    """Where the runs are: how many are done, of how many, and their events so far."""

    done: int
    total: int
    events: int


class RunsInterrupted(KeyboardInterrupt):
    """Ctrl-C ended `run_many`.

    `reports` has a place for each run, in the order of the input: the report, marked `partial`
    when the run was under way, or None when it had not begun.
    """

    def __init__(self, reports: Sequence[Report | None]) -> None:
        self.reports = list(reports)
        done = sum(report is not None and not report.partial for report in self.reports)
        super().__init__(f"{done} of {len(self.reports)} runs were done")


def run_many(
    programs: Program | Iterable[Program],
    *,
    seeds: Iterable[int] | None = None,
    threads: int | None = None,
    engine: str | None = None,
    progress: Callable[[RunsProgress], None] | None = None,
    limit_statements: int = DEFAULT_LIMIT_STATEMENTS,
    limit_events: int = DEFAULT_LIMIT_EVENTS,
    limit_sessions: int = DEFAULT_LIMIT_SESSIONS,
    samples: bool = True,
) -> list[Report]:
    """Run programs, or one program with many seeds, several at a time.

    Reports come in the order of the input, and are the same for any number of threads. With
    `seeds`, every program runs with every seed: all seeds of the first program, then all of
    the second. Without, each program runs once, with the seed it has.

    Args:
        programs: What `compile` gave, one or several.
        seeds: Whole numbers from 0 to 2^64 - 1.
        threads: Runs at a time at most; as many as this process has processors when not given.
            The Python engine runs one at a time, whatever is given.
        engine: As in `run`.
        progress: Called in the calling thread about ten times a second of real time.
        limit_statements: As in `run`.
        limit_events: As in `run`.
        limit_sessions: As in `run`.
        samples: As in `run`. The samples of all runs are held at once.

    Raises:
        SerqError: A run failed as in `run`. It is the first, in the order of the input, that
            does; its message says which, and its `data["run"]` is the index. The runs after it
            are ended.
        RunsInterrupted: Ctrl-C. It is a KeyboardInterrupt with the reports there are.
        TypeError: Something else than programs, or a seed that is no whole number.
        ValueError: A limit, `threads` or a seed out of its range.
    """
    runs = _runs(programs, seeds)
    options = RunOptions(
        limit_statements=limit_statements,
        limit_events=limit_events,
        limit_sessions=limit_sessions,
        samples=samples,
    )
    check_limits(options)
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    chosen = find_engine(engine)
    at_a_time = threads or _processors() if chosen.parallel else 1
    return _Runs(runs, chosen, options).all(min(at_a_time, max(len(runs), 1)), progress)


def run_each(
    programs: Sequence[Program],
    over: Callable[[int, Report | SerqError], None],
    *,
    threads: int | None = None,
    engine: str | None = None,
    progress: Callable[[RunsProgress], None] | None = None,
) -> None:
    """Run programs as `run_many` does, and say of each run that it is over.

    `over` is told the index and the report, or why the run failed, one call at a time and in the
    order in which the runs end; a failure ends no other run. Nothing is kept here, so that runs
    of many samples need no memory once they are over. After Ctrl-C (`RunsInterrupted`) it was
    told of the runs that were done, those under way as `partial`.
    """
    chosen = find_engine(engine)
    at_a_time = threads or _processors() if chosen.parallel else 1
    runs = _Runs(list(programs), chosen, RunOptions(), over)
    runs.all(min(at_a_time, max(len(programs), 1)), progress)


def _runs(programs: Program | Iterable[Program], seeds: Iterable[int] | None) -> list[Program]:
    """The programs to run, in order, each with its seed."""
    if isinstance(programs, str):  # whose letters would be told to be no programs
        programs = [programs]
    listed = [programs] if isinstance(programs, Program) else list(programs)
    for program in listed:
        if not isinstance(program, Program):
            raise TypeError(f"run_many() takes what compile() gives, not {program!r}")
    if seeds is None:
        return listed
    if not isinstance(seeds, Iterable):
        raise TypeError(f"seeds are whole numbers, such as range(5); {seeds!r} is none of them")
    numbers = [index(seed) for seed in seeds]
    for seed in numbers:
        if not 0 <= seed < 2**64:
            raise ValueError(f"a seed must be a whole number from 0 to 2^64 - 1, not {seed}")
    return [with_seed(program, seed) for program in listed for seed in numbers]


def with_seed(program: Program, seed: int) -> Program:
    """The same program with another seed, from 0 to 2^64 - 1."""
    return Program(
        replace(program.ir, seed=seed),
        name=program.name,
        spans=program.spans,
        folder=program.folder,
        warnings=program.warnings,
    )


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Runs:
    """Runs under way: their reports, and what ends them early.

    `failed` is the index of the first run that failed. The runs after it are ended, those
    before it go on, so that which failure is told does not depend on the threads.
    """

    def __init__(
        self,
        programs: list[Program],
        engine: Engine,
        options: RunOptions,
        over: Callable[[int, Report | SerqError], None] | None = None,
    ) -> None:
        self.programs = programs
        self.engine = engine
        self.options = options
        self.over = over
        self.events = [0] * len(programs)
        self.reports: list[Report | None] = [None] * len(programs)
        self.errors: dict[int, Exception] = {}
        self.failed = len(programs)
        self.stopped = False
        self.traces: dict[Path, tuple[TraceSession, ...] | None] = {}
        self.lock = Lock()
        self.telling = Lock()

    def all(self, threads: int, progress: Callable[[RunsProgress], None] | None) -> list[Report]:
        """Run all of them and return the reports."""
        with ThreadPoolExecutor(threads, thread_name_prefix="serq") as pool:
            try:
                self.watch(
                    [pool.submit(self.run, at) for at in range(len(self.programs))], progress
                )
            except KeyboardInterrupt:
                self.stopped = True
                pool.shutdown(cancel_futures=True)
                raise RunsInterrupted(self.reports) from None
            finally:
                self.stopped = True
        if self.errors:
            raise self.errors[self.failed]
        return [report for report in self.reports if report is not None]

    def watch(
        self, runs: list[Future[None]], progress: Callable[[RunsProgress], None] | None
    ) -> None:
        """Wait for the runs and tell where they are."""
        pending = set(runs)
        while pending:
            done, pending = wait(pending, SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
            for each in done:
                each.result()  # raises what went wrong in `over`
            if progress is not None:
                progress(RunsProgress(len(runs) - len(pending), len(runs), sum(self.events)))

    def is_over(self, at: int) -> bool:
        """Whether nobody wants the run any more."""
        return self.stopped or at > self.failed

    def run(self, at: int) -> None:
        """Make one run, in a thread of the pool."""
        if self.is_over(at):
            return
        program = self.programs[at]

        def look(where: Progress) -> None:
            self.events[at] = where.events
            if self.is_over(at):
                raise KeyboardInterrupt

        try:
            options = replace(
                self.options, spans=program.spans, trace=self.trace(program), progress=look
            )
            report = run_on(self.engine, program, options)
        except SerqError as error:
            if self.over is None:
                self.fail(at, self.named(at, error))
            else:
                with self.telling:
                    self.over(at, error)
        except Exception as error:
            self.fail(at, self.named(at, error))
        else:
            self.events[at] = report.events
            if self.over is None:
                self.reports[at] = report
            else:
                with self.telling:
                    self.over(at, report)

    def fail(self, at: int, error: Exception) -> None:
        """A run failed; those after it are ended."""
        with self.lock:
            self.errors[at] = error
            self.failed = min(self.failed, at)

    def trace(self, program: Program) -> tuple[TraceSession, ...] | None:
        """The sessions a program replays; a file is read once."""
        path = program.trace_path()
        if path is None:
            return None
        with self.lock:
            if path not in self.traces:
                self.traces[path] = read_program_trace(program)
            return self.traces[path]

    def named(self, at: int, error: Exception) -> Exception:
        """The error of a run, saying which run it was."""
        program = self.programs[at]
        which = f"run {at + 1} of {len(self.programs)}: `{program.name}`, seed {program.ir.seed}"
        if not isinstance(error, SerqError):
            error.add_note(which)
            return error
        return SerqError(
            replace(found, message=f"{found.message} ({which})", data={**found.data, "run": at})
            for found in error.diagnostics
        )
