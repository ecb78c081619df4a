"""Running a sweep: compile every point, run it with every seed, read the metrics.

A point that does not compile, and a run that fails, is kept with the reason and ends nothing
else. Reports are read and let go as their runs end, so a sweep takes no more memory than the runs
under way. Depends on the Python interface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from operator import index
from os import PathLike

from serq.api.compile import compile
from serq.api.program import Program
from serq.api.run_many import RunsInterrupted, RunsProgress, run_each, with_seed
from serq.diagnostics import Diagnostic, SerqError
from serq.report.report import Report
from serq.sweeps.grid import MOST_RUNS, Grid, Point, grid_of
from serq.sweeps.metrics import Metric, check_metrics, default_metrics, parse_metric
from serq.sweeps.table import Row, Sweep

_NOTHING: Mapping[str, object] = {}


def sweep(
    path: str | PathLike[str] | None = None,
    *,
    source: str | None = None,
    sets: Mapping[str, object] = _NOTHING,
    defs: Mapping[str, object] = _NOTHING,
    seeds: Iterable[int] | None = None,
    replications: int | None = None,
    metrics: Iterable[str] | None = None,
    horizon: float | None = None,
    warmup: float | None = None,
    arrivals: int | None = None,
    trace: str | PathLike[str] | None = None,
    threads: int | None = None,
    engine: str | None = None,
    progress: Callable[[RunsProgress], None] | None = None,
    name: str = "<string>",
) -> Sweep:
    """Run a program at every point of a grid, with several seeds each.

    The table is the same for any number of threads. Ctrl-C keeps the runs that are done and marks
    the table `partial`.

    Args:
        path: The program's file.
        source: The program's text, instead of a file.
        sets: Values of constants: a number, the text of an expression, several of those, or the
            text of several, `"1,2,4"` or `"1:10:3"` (`serq.sweeps.values`).
        defs: Bodies of expression definitions, the same way.
        seeds: The seeds of the replications, the same at every point.
        replications: How many, with the program's seed and those after it; 1 when neither is
            given.
        metrics: What to read from each report (`serq.sweeps.metrics`); mean and p99 of every
            observation when not given, of a test its mean alone.
        horizon: As in `compile`.
        warmup: As in `compile`.
        arrivals: As in `compile`.
        trace: As in `compile`.
        name: As in `compile`.
        threads: As in `run_many`.
        engine: As in `run`.
        progress: As in `run_many`.

    Raises:
        SerqError: Every point is refused, every run fails (then the findings are the first
            one's), or a metric is of something the program does not have (SQ217).
        TypeError: A value, a seed or a count of a wrong type; both or neither of `path` and
            `source`; both of `seeds` and `replications`.
        ValueError: A value, a metric or an option out of its range.
    """
    if (path is None) == (source is None):
        raise TypeError("sweep() takes either a path or source=, and not both")
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    grid = grid_of(sets, defs)
    wanted = None if metrics is None else tuple(map(parse_metric, metrics))

    def compile_at(point: Point) -> Program:
        constants, definitions = grid.overrides(point)
        return compile(
            path, source=source, sets=constants, defs=definitions, horizon=horizon,
            warmup=warmup, arrivals=arrivals, trace=trace, name=name,
        )  # fmt: skip

    under_way = _Sweeping(grid, compile_at, wanted)
    return under_way.all(_seeds(seeds, replications), threads, engine, progress)


def _seeds(seeds: Iterable[int] | None, replications: int | None) -> list[int] | int:
    """The seeds, or how many follow the program's own."""
    if seeds is not None:
        if replications is not None:
            raise TypeError("sweep() takes either seeds= or replications=, and not both")
        listed = [index(seed) for seed in seeds]
        if not listed:
            raise ValueError("seeds must have at least one seed")
        if len(set(listed)) < len(listed):
            raise ValueError("a seed is there twice; the same seed gives the same run")
        for seed in listed:
            if not 0 <= seed < 2**64:
                raise ValueError(f"a seed must be a whole number from 0 to 2^64 - 1, not {seed}")
        return listed
    count = 1 if replications is None else index(replications)
    if count < 1:
        raise ValueError(f"replications must be at least 1, not {count}")
    return count


class _Sweeping:
    """A sweep under way: the rows so far, by point and seed."""

    def __init__(
        self,
        grid: Grid,
        compile_at: Callable[[Point], Program],
        metrics: tuple[Metric, ...] | None,
    ) -> None:
        self.grid = grid
        self.compile_at = compile_at
        self.metrics = metrics
        self.warnings: tuple[Diagnostic, ...] = ()
        self.rows: list[Row | None] = []
        self.places: list[tuple[int, Point, int]] = []
        """Of every run its place among the rows, its point and its seed."""

    def all(
        self,
        seeds: list[int] | int,
        threads: int | None,
        engine: str | None,
        progress: Callable[[RunsProgress], None] | None,
    ) -> Sweep:
        """Make every run."""
        runs = self.prepare(seeds)
        with suppress(RunsInterrupted):
            run_each(runs, self.over, threads=threads, engine=engine, progress=progress)
        rows = [row for row in self.rows if row is not None]
        unfinished = [Row(point, seed) for at, point, seed in self.places if self.rows[at] is None]
        failed = [row for row in rows if row.errors]
        if failed and len(failed) == len(rows) and not unfinished:
            raise SerqError(failed[0].errors)
        assert self.metrics is not None
        texts = [metric.text for metric in self.metrics]
        return Sweep(self.grid.axes, texts, rows, unfinished=unfinished, warnings=self.warnings)

    def prepare(self, seeds: list[int] | int) -> list[Program]:
        """The programs to run; a point that is refused has its rows at once."""
        count = len(seeds) if isinstance(seeds, list) else seeds
        if self.grid.size() * count > MOST_RUNS:
            raise ValueError(
                f"the sweep has {self.grid.size() * count:,} runs, more than {MOST_RUNS:,}"
            )
        runs: list[Program] = []
        refused: list[SerqError] = []
        for point in self.grid.points():
            try:
                program = self.compile_at(point)
            except SerqError as error:
                refused.append(error)
                listed = seeds if isinstance(seeds, list) else list(range(1, count + 1))
                self.rows += [Row(point, seed, errors=tuple(error.diagnostics)) for seed in listed]
                continue
            if self.metrics is None:
                self.metrics = default_metrics(program.ir)
            if not runs:
                check_metrics(self.metrics, program.ir, program.name)
                self.warnings = program.warnings
            for seed in seeds if isinstance(seeds, list) else _following(program.ir.seed, count):
                self.places.append((len(self.rows), point, seed))
                self.rows.append(None)
                runs.append(with_seed(program, seed))
        if not runs:
            raise refused[0]
        return runs

    def over(self, at: int, outcome: Report | SerqError) -> None:
        """A run is over: its numbers, or why it failed."""
        place, point, seed = self.places[at]
        if isinstance(outcome, SerqError):
            self.rows[place] = Row(point, seed, errors=tuple(outcome.diagnostics))
        elif not outcome.partial:
            metrics = self.metrics or ()
            self.rows[place] = Row(
                point,
                seed,
                {metric.text: metric.read(outcome) for metric in metrics},
                {metric.text: metric.interval(outcome) for metric in metrics},
                notes=tuple(dict.fromkeys(note.code for note in outcome.notes)),
            )


def _following(first: int, count: int) -> list[int]:
    """So many seeds from the first on, beginning again at 0 after the last there is."""
    return [(first + more) % 2**64 for more in range(count)]
