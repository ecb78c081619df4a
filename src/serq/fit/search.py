"""`serq fit PROGRAM --measured RUN`: the five coefficients of a program from a benchmark's result.

A seeded search over replays. It looks at the program's cost made faster and slower as a whole,
then at random neighbours of the best, and goes on from the best of them by Levenberg-Marquardt
steps with differences that shrink (a replay is smooth in the coefficients but for rare changes
of a batch, which wide differences average out). Only the first `train` requests' latencies are
seen; all requests' send times and lengths are, since they share the engine.

The intervals are those of the tied least squares (`objective`) at the end of the search.
Depends on the objective.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from serq.fit.findings import no_fit
from serq.fit.measured import MeasuredRun
from serq.fit.objective import METRICS, OVERHEAD_UNIT, UNKNOWNS, Objective, Targets
from serq.fit.replay import Predicted, Replay
from serq.fit.terms import COEFFICIENTS, Cost, read_cost, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

USUAL: Final = Cost(1.39e-2, 4.1e-5, 1.38e-7, 5.15e-5, 4.02e-9)
"""Measured for Qwen3-8B on an A100 (contract §8); its ratios start what a program leaves out."""

FEWEST: Final = 10
"""Requests a search is made with at least."""

RESTARTS: Final = 3
"""Searches from different neighbours, of which the best is taken."""

SCALES: Final = (-2.0, -1.2, -0.7, -0.4, -0.2, 0.0, 0.2, 0.4, 0.7, 1.2, 2.0)
"""Logarithms of the factors by which the whole cost is tried."""

NEIGHBOURS: Final = 12
NEIGHBOUR_SPREAD: Final = 0.3
DIFFERENCES: Final = (0.2, 0.1, 0.05, 0.05)
STEPS_EACH: Final = 6
LONGEST_STEP: Final = 1.0
ROUNDS: Final = (1.0, 0.5, 0.25)
"""Shares of the posterior's spread within which neighbours of the end are drawn."""

DRAWS: Final = 24
WIDE: Final = 0.2
"""Half the difference for the curvature at the end, wide enough to average a batch's changes."""

FAR: Final = math.log(3.0)
"""A cost that is off by more than this factor as a whole is tied to where it was found."""

TOLD: Final = 0.6
"""An unknown whose interval the requests narrow below this share of the tie's is identified."""

Progress = Callable[[int, int, int], None]
"""Told how many replays are done, of how many at most, and their events so far."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval, and whether the requests identify it."""

    value: float
    low: float
    high: float
    identified: bool


@dataclass(frozen=True, slots=True)
class FittedRun:
    """What a search found: the cost and the overhead (seconds a request outside the engine) with
    intervals by unknown, the replay of the whole run with them, and how it was made.

    `confounded` are pairs of coefficients that the requests tell together, not apart. `partial`
    says that the search was interrupted: what it had found best until then.
    """

    run: MeasuredRun
    train: int
    seed: int
    start: Cost
    cost: Cost
    overhead: float
    intervals: dict[str, Interval]
    confounded: tuple[tuple[str, str], ...]
    scatter: dict[str, float]
    targets: Targets
    predicted: Predicted
    replays: int
    partial: bool


def fit_run(
    replay: Replay,
    run: MeasuredRun,
    *,
    train: int | None = None,
    seed: int = 1,
    restarts: int = RESTARTS,
    progress: Progress | None = None,
) -> FittedRun:
    """Fit a program's cost to the first `train` requests of a run (a third when not given).

    The best of `restarts` searches is taken; after Ctrl-C, what the first one had found. Raises
    `SerqError` (SQ721) when there are too few requests.
    """
    train = default_train(run) if train is None else train
    if not FEWEST <= train <= len(run):
        message = f"`{run.name}` has {len(run)} requests; {train} of them can not train a search"
        raise no_fit(message, f"at least {FEWEST} are needed, and no more than there are")
    targets, start = Targets.of(replay), starting_cost(replay)
    searches: list[_Search] = []
    partial = False
    try:
        for restart in range(restarts):
            objective = Objective(replay, targets, train, start)
            searches.append(_Search(objective, (seed, restart), restarts, progress))
            searches[-1].explore()
            searches[-1].descend()
            searches[-1].settle()
        best = min(searches, key=lambda search: search.value_under(searches[0].objective))
    except KeyboardInterrupt:
        begun = [search for search in searches if search.best is not None]
        if not begun:
            raise
        best, partial = begun[0], True
    return best.result(run, seed, partial=partial)


def default_train(run: MeasuredRun) -> int:
    """A third of the requests, but not too few."""
    return min(max(len(run) // 3, FEWEST), len(run))


def starting_cost(replay: Replay) -> Cost:
    """The program's coefficients; those it lacks in the ratios of `USUAL`."""
    has = read_cost(replay.cost())
    if has is None:
        return USUAL
    ratios = [value / usual for value, usual in zip(has.values(), USUAL.values(), strict=True)]
    known = [ratio for ratio in ratios if ratio > 0.0]
    if not known:
        return USUAL
    scale = math.exp(math.fsum(math.log(ratio) for ratio in known) / len(known))
    pairs = zip(has.values(), USUAL.values(), strict=True)
    return Cost(*(value if value > 0.0 else usual * scale for value, usual in pairs))


class _Search:
    """A search under way: the best unknowns, and the derivatives there."""

    def __init__(
        self,
        objective: Objective,
        seed: tuple[int, int],
        restarts: int,
        progress: Progress | None,
    ) -> None:
        self.objective = objective
        self.seed = seed
        self.progress = progress
        self.best: NDArray[Any] | None = None
        self.least = math.inf
        self.covariance: NDArray[Any] | None = None
        steps = STEPS_EACH * (len(UNKNOWNS) + 2) + 1
        self.most = len(SCALES) + NEIGHBOURS + len(DIFFERENCES) * steps
        self.most += len(ROUNDS) * DRAWS + 4 * len(UNKNOWNS) + 1
        self.most *= restarts

    @cached_property
    def generator(self) -> Any:
        """Where its random neighbours come from."""
        import numpy as np

        return np.random.default_rng(self.seed)

    def value_under(self, objective: Objective) -> float:
        """The objective of the best with another search's scatter, so that two compare."""
        assert self.best is not None
        residuals = objective.residuals_of(self.objective.cost(self.best), self.best)
        return float(residuals @ residuals)

    def value(self, unknowns: NDArray[Any]) -> tuple[NDArray[Any], float]:
        """Residuals, and half their squares' sum."""
        residuals = self.objective.residuals(unknowns)
        value = float(residuals @ residuals)
        if self.progress is not None:
            replay = self.objective.replay
            self.progress(replay.runs, max(self.most, replay.runs), replay.events)
        return residuals, value

    def found(self) -> NDArray[Any]:
        """The best unknowns."""
        assert self.best is not None
        return self.best

    def explore(self) -> None:
        """Find where to go on from."""
        import numpy as np

        at = np.zeros(len(UNKNOWNS))
        at[-1] = 0.3
        for scale in SCALES:
            tried = at.copy()
            tried[:-1] = scale
            self.keep(tried)
        assert self.best is not None
        scale = float(self.best[0])
        if abs(scale) > FAR:
            factor = math.exp(scale)
            start = self.objective.start
            self.objective.start = Cost(*(value * factor for value in start.values()))
            self.best[:-1] = 0.0
            self.least = self.value(self.best)[1]
        around = self.best.copy()
        for _ in range(NEIGHBOURS):
            tried = around + NEIGHBOUR_SPREAD * self.generator.standard_normal(len(around))
            tried[-1] = max(tried[-1], 0.0)
            self.keep(tried)

    def keep(self, tried: NDArray[Any]) -> None:
        """Keep what is better than the best."""
        value = self.value(tried)[1]
        if value < self.least or self.best is None:
            self.best, self.least = tried, value

    def descend(self) -> None:
        """Levenberg-Marquardt from the best, with differences that shrink."""
        for difference in DIFFERENCES:
            self.minimise(difference)
            self.objective.learn_scatter(self.found())
        self.least = self.value(self.found())[1]

    def settle(self) -> None:
        """Draw from the neighbourhood that the curvature leaves open, and keep what is better:
        a descent ends where a batch changes, which need not be the bottom.
        """
        import numpy as np

        assert self.best is not None
        covariance = self.curvature(self.best)
        for share in ROUNDS:
            root = share * np.linalg.cholesky(covariance)
            around = self.best.copy()
            for _ in range(DRAWS):
                tried = around + root @ self.generator.standard_normal(len(around))
                tried[-1] = max(tried[-1], 0.0)
                self.keep(tried)
        self.covariance = self.curvature(self.found())

    def curvature(self, at: NDArray[Any]) -> NDArray[Any]:
        """The covariance of the tied least squares at a point, by wide central differences."""
        import numpy as np

        columns = []
        for unknown in range(len(at)):
            move = np.zeros(len(at))
            move[unknown] = WIDE
            ahead, behind = self.value(at + move)[0], self.value(at - move)[0]
            columns.append((ahead - behind) / (2.0 * WIDE))
        jacobian = np.stack(columns, axis=1)
        return np.linalg.inv(jacobian.T @ jacobian)

    def minimise(self, difference: float) -> None:
        """Steps until they gain little."""
        import numpy as np

        assert self.best is not None
        residuals, self.least = self.value(self.best)
        damping = 1e-2
        for _ in range(STEPS_EACH):
            jacobian = self.differences(self.best, residuals, difference)
            normal = jacobian.T @ jacobian
            for _ in range(4):
                damped = normal + damping * np.diag(np.diag(normal))
                step = np.linalg.solve(damped, -jacobian.T @ residuals)
                tried = self.best + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
                tried[-1] = max(tried[-1], 0.0)
                found, value = self.value(tried)
                if value < self.least:
                    break
                damping *= 5.0
            else:
                return
            gain = 1.0 - value / self.least
            self.best, self.least, residuals = tried, value, found
            damping = max(damping / 5.0, 1e-6)
            if gain < 1e-3:
                return

    def differences(
        self, at: NDArray[Any], residuals: NDArray[Any], difference: float
    ) -> NDArray[Any]:
        """Derivatives of the residuals by forward differences."""
        import numpy as np

        columns = []
        for unknown in range(len(at)):
            moved = at.copy()
            moved[unknown] += difference
            columns.append((self.value(moved)[0] - residuals) / difference)
        return np.stack(columns, axis=1)

    def result(self, run: MeasuredRun, seed: int, *, partial: bool) -> FittedRun:
        """What was found, replayed once more with the numbers as they are written."""
        assert self.best is not None
        objective = self.objective
        cost = objective.cost(self.best).rounded()
        overhead = float(written(objective.overhead(self.best)))
        intervals, confounded = self.uncertainty(cost, overhead)
        return FittedRun(
            run=run,
            train=objective.train,
            seed=seed,
            start=objective.start,
            cost=cost,
            overhead=overhead,
            intervals=intervals,
            confounded=confounded,
            scatter={metric: objective.scatter[metric] for metric in METRICS},
            targets=objective.targets,
            predicted=objective.replay.predict(cost).delayed(overhead),
            replays=objective.replay.runs,
            partial=partial,
        )

    def uncertainty(
        self, cost: Cost, overhead: float
    ) -> tuple[dict[str, Interval], tuple[tuple[str, str], ...]]:
        """Intervals from the curvature at the end of the search; none of an interrupted one."""
        import numpy as np

        covariance = self.covariance
        if covariance is None:
            return {}, ()
        spread = np.sqrt(np.diag(covariance))
        shares = spread / self.objective.ties()
        intervals = {}
        for at, (name, value) in enumerate(cost.by_name().items()):
            factor = math.exp(1.96 * float(spread[at]))
            told = bool(shares[at] < TOLD)
            intervals[name] = Interval(value, value / factor, value * factor, told)
        half = 1.96 * float(spread[-1]) * OVERHEAD_UNIT
        intervals["overhead"] = Interval(
            overhead, max(overhead - half, 0.0), overhead + half, bool(shares[-1] < TOLD)
        )
        together = covariance / np.outer(spread, spread)
        pairs = [
            (first, second)
            for i, first in enumerate(COEFFICIENTS)
            for j, second in enumerate(COEFFICIENTS)
            if i < j and abs(float(together[i, j])) > 0.9
        ]
        return intervals, tuple(pairs)
