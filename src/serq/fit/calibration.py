"""`serq calibrate`: two overhead constants of a program from light-load runs (contract §8).

What the served path adds to the engine's own steps is a constant per step (work of the host that
the GPU waits for) and one per request (tokenization, network). The program has a constant for
each. They are searched over a grid, then around its best by seeded draws; every candidate
replays every fitted run, several at a time. The objective is the root mean square of
log(predicted / measured) over the measured values.

Light load does not tell the two apart well: whole valleys of the grid explain it alike. The
ridge is that valley, the best constant per request for every constant per step.

Depends on the Python interface and the runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from serq.api.run_many import RunsInterrupted, RunsProgress, run_many
from serq.fit.findings import no_fit
from serq.fit.light_runs import LightRun
from serq.fit.terms import written
from serq.report.table import Table

if TYPE_CHECKING:
    from serq.api.program import Program
    from serq.report.report import Report

GRID: Final = 9
RIDGE_ROUNDS: Final = 5
ROUNDS: Final = 6
DRAWS: Final = 12
MOST_STEP: Final = 0.02
MOST_REQUEST: Final = 0.1
AS_GOOD: Final = 0.01
"""How much a root mean square log error may be above the best one and count as good."""

LEAST: Final = 1e-9

Make = Callable[[Mapping[str, str]], "Program"]
"""Compiles the program with some constants set."""

Progress = Callable[[RunsProgress], None]


@dataclass(frozen=True, slots=True)
class Compared:
    """A measured value of a run beside the predicted one."""

    run: str
    fitted: bool
    observation: str
    statistic: str
    measured: float
    predicted: float


@dataclass(slots=True)
class Calibration:
    """What was found: the constants `step` and `request` in seconds with their objective `value`,
    the grid with the objective at [request][step], the `ridge` (for every constant per step of
    the grid the best one per request, and the objective), and all runs measured and predicted.
    """

    seed: int
    names: tuple[str, str]
    per_step: list[float]
    per_request: list[float]
    surface: list[list[float]] = field(default_factory=list)
    ridge: list[tuple[float, float, float]] = field(default_factory=list)
    step: float = math.nan
    request: float = math.nan
    value: float = math.inf
    runs: int = 0
    compared: list[Compared] = field(default_factory=list)
    partial: bool = False

    def valley(self) -> list[tuple[float, float, float]]:
        """The part of the ridge that explains the runs as well as the best point does."""
        return [each for each in self.ridge if each[2] <= self.value + AS_GOOD]

    @property
    def identified(self) -> bool:
        """Whether the runs tell the constant per step apart from the one per request."""
        return len(self.valley()) <= 2


def calibrate(
    make: Make,
    runs: Sequence[LightRun],
    *,
    names: tuple[str, str],
    most: tuple[float, float] = (MOST_STEP, MOST_REQUEST),
    seed: int = 1,
    threads: int | None = None,
    engine: str | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Fit the constants `names` (per step, per request) to the runs that are to be fitted.

    `most` are the largest values tried, in seconds. After Ctrl-C the best so far is returned,
    `partial`. Raises `SerqError` as compiling and running do, and SQ721 when a run measures what
    the program does not observe.
    """
    per_step, per_request = ([top * i / (GRID - 1) for i in range(GRID)] for top in most)
    found = Calibration(seed, names, per_step, per_request)
    trial = _Trial(
        make,
        [run for run in runs if run.fitted],
        names=names,
        threads=threads,
        engine=engine,
        progress=progress,
    )
    try:
        points = [(step, request) for request in per_request for step in per_step]
        values = trial.values(points)
        found.surface = [values[at : at + GRID] for at in range(0, len(values), GRID)]
        _keep(found, points, values)
        _follow_ridge(found, trial)
        _descend(found, trial, most)
        found.step, found.request = (float(written(v)) for v in (found.step, found.request))
        trial.runs = list(runs)
        reports = trial.reports([(found.step, found.request)])
        found.compared = [each for run, report in zip(runs, reports, strict=True)
                          for each in _compare(run, report)]  # fmt: skip
    except RunsInterrupted:
        if not math.isfinite(found.value):
            raise
        found.partial = True
    found.runs = trial.done
    return found


def _keep(
    found: Calibration, points: Sequence[tuple[float, float]], values: Sequence[float]
) -> None:
    for (step, request), value in zip(points, values, strict=True):
        if value < found.value:
            found.step, found.request, found.value = step, request, value


def _follow_ridge(found: Calibration, trial: _Trial) -> None:
    """The best constant per request for every constant per step, nearer every round."""
    ridge = []
    for at, step in enumerate(found.per_step):
        column = [row[at] for row in found.surface]
        best = min(range(len(column)), key=column.__getitem__)
        ridge.append((step, found.per_request[best], column[best]))
    gap = found.per_request[1] / 2.0
    for _ in range(RIDGE_ROUNDS):
        points = [
            (step, max(request + move * gap, 0.0)) for step, request, _ in ridge for move in (-1, 1)
        ]
        values = trial.values(points)
        _keep(found, points, values)
        tried = [(*point, value) for point, value in zip(points, values, strict=True)]
        ridge = [
            min(ridge[at], *tried[2 * at : 2 * at + 2], key=lambda each: each[2])
            for at in range(len(ridge))
        ]
        gap /= 2.0
    found.ridge = ridge


def _descend(found: Calibration, trial: _Trial, most: tuple[float, float]) -> None:
    """Draws around the best, nearer every round."""
    import numpy as np

    generator = np.random.default_rng(found.seed)
    spread = [top / (GRID - 1) for top in most]
    for _ in range(ROUNDS):
        draws = generator.standard_normal((DRAWS, 2))
        step, request = found.step, found.request
        points = [
            (max(step + spread[0] * float(a), 0.0), max(request + spread[1] * float(b), 0.0))
            for a, b in draws
        ]
        _keep(found, points, trial.values(points))
        spread = [each / 2.0 for each in spread]


class _Trial:
    """Runs of the program at points (per step, per request), several at a time."""

    def __init__(
        self,
        make: Make,
        runs: list[LightRun],
        *,
        names: tuple[str, str],
        threads: int | None,
        engine: str | None,
        progress: Progress | None,
    ) -> None:
        self.make = make
        self.runs = runs
        self.names = names
        self.threads = threads
        self.engine = engine
        self.progress = progress
        self.done = 0
        self.most = (GRID * (GRID + 2 * RIDGE_ROUNDS) + ROUNDS * DRAWS) * len(runs)

    def reports(self, points: Sequence[tuple[float, float]]) -> list[Report]:
        """A report for every point and run, the runs of a point together."""
        programs = [
            self.make(run.sets | dict(zip(self.names, map(repr, point), strict=True)))
            for point in points
            for run in self.runs
        ]

        def tell(where: RunsProgress) -> None:
            if self.progress is not None:
                done = self.done + where.done
                self.progress(RunsProgress(done, max(self.most, done), where.events))

        reports = run_many(programs, threads=self.threads, engine=self.engine, progress=tell)
        self.done += len(reports)
        return reports

    def values(self, points: Sequence[tuple[float, float]]) -> list[float]:
        """The objective at every point."""
        reports = self.reports(points)
        count = len(self.runs)
        found = []
        for at in range(len(points)):
            part = zip(self.runs, reports[at * count : (at + 1) * count], strict=True)
            squares = [
                math.log(max(each.predicted, LEAST) / max(each.measured, LEAST)) ** 2
                for run, report in part
                for each in _compare(run, report)
            ]
            found.append(math.sqrt(math.fsum(squares) / len(squares)))
        return found


def _compare(run: LightRun, report: Report) -> list[Compared]:
    found = []
    for (observation, statistic), measured in run.measured.items():
        observe = report.observes.get(observation)
        if observe is None or observe.count == 0:
            listed = ", ".join(f"`{name}`" for name in report.observes)
            message = f"run `{run.name}` measures `{observation}`, which the program does not"
            raise no_fit(message, f"it observes {listed}")
        predicted = observe.mean if statistic == "mean" else observe.p99
        found.append(Compared(run.name, run.fitted, observation, statistic, measured, predicted))
    return found


def sentence(found: Calibration) -> str:
    """Whether the fitted runs identify the two constants."""
    valley = found.valley()
    if not found.ridge:
        return "The search was interrupted before it could tell what the runs identify."
    if found.identified:
        return "The fitted runs identify both constants: the ridge is short."
    first, last = valley[0], valley[-1]
    return (
        f"The fitted runs do not tell the constants apart: from {found.names[0]} = "
        f"{1e3 * first[0]:.3g} ms with {found.names[1]} = {1e3 * first[1]:.3g} ms to "
        f"{1e3 * last[0]:.3g} ms with {1e3 * last[1]:.3g} ms the error is within {AS_GOOD:g} of "
        "the best. Runs under load, or a log of steps, tell them."
    )


def text(found: Calibration) -> str:
    """The report of a calibration."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Calibration) -> Iterator[str]:
    yield f"{found.runs} runs, seed {found.seed}"
    if found.partial:
        yield "interrupted: what was best until then"
    yield ""
    yield f"{found.names[0]} = {written(found.step)}"
    yield f"{found.names[1]} = {written(found.request)}"
    yield f"root mean square log error {found.value:.4f}"
    yield ""
    yield sentence(found)
    yield ""
    ridge = Table(("per step (ms)", "best per request (ms)", "error"))
    for step, request, value in found.ridge:
        ridge.rows.append((f"{1e3 * step:.2f}", f"{1e3 * request:.2f}", f"{value:.4f}"))
    yield from ridge.lines()
    for fitted, title in ((True, "fitted"), (False, "held out")):
        rows = [each for each in found.compared if each.fitted is fitted]
        if not rows:
            continue
        yield ""
        table = Table((title, "", "measured", "predicted", "error"))
        for each in rows:
            error = f"{100.0 * (each.predicted / max(each.measured, LEAST) - 1.0):+.1f} %"
            what = f"{each.observation}.{each.statistic}"
            numbers = (f"{each.measured:.4f}", f"{each.predicted:.4f}", error)
            table.rows.append((each.run, what, *numbers))
        yield from table.lines()


def document(found: Calibration) -> dict[str, Any]:
    """The same for a machine, in seconds."""
    return {
        "fit": "overheads",
        "seed": found.seed,
        "runs": found.runs,
        "partial": found.partial,
        "constants": {found.names[0]: found.step, found.names[1]: found.request},
        "error": found.value,
        "identified": found.identified,
        "sentence": sentence(found),
        "per_step": found.per_step,
        "per_request": found.per_request,
        "surface": found.surface,
        "ridge": [list(each) for each in found.ridge],
        "compared": [
            {
                "run": each.run,
                "use": "fit" if each.fitted else "held_out",
                "observation": each.observation,
                "statistic": each.statistic,
                "measured": each.measured,
                "predicted": each.predicted,
            }
            for each in found.compared
        ],
    }
