"""`serq fit STEPS`: a cost fitted to a log of engine steps, with its errors and intervals.

A fifth of the steps, drawn with the seed, is held out for the errors; the coefficients that are
printed come from all of them. Intervals are percentiles of fits to resampled steps. Depends on
the models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from serq.fit.models import Model
from serq.fit.steps import KINDS, StepLog
from serq.fit.terms import written
from serq.report.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

HELD_OUT: Final = 0.2
RESAMPLES: Final = 200

Progress = Callable[[int, int], None]
"""Told how many resamples are fitted, of how many."""


@dataclass(frozen=True, slots=True)
class StepFit:
    """A fit: coefficients as they are written, their 95 % intervals, and mean absolute
    percentage errors by kind of step (and of `all`), over all steps and over the held-out ones.

    `rival` is the other form fitted to the same steps, when it was asked for.
    """

    model: Model
    log: StepLog
    seed: int
    coefficients: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    errors: dict[str, float]
    held_out: dict[str, float]
    rival: StepFit | None = None
    partial: bool = False

    def residuals(self) -> NDArray[Any]:
        """Measured over predicted, less 1, of every step."""
        import numpy as np

        predicted = np.maximum(self.model.predict(self.coefficients, self.log), 1e-12)
        relative: NDArray[Any] = self.log.seconds / predicted - 1.0
        return relative

    def better(self) -> str:
        """Which form explains the held-out steps better."""
        if self.rival is None or self.held_out["all"] <= self.rival.held_out["all"]:
            return self.model.name
        return self.rival.model.name


def fit_steps(
    log: StepLog,
    model: Model,
    *,
    rival: Model | None = None,
    seed: int = 1,
    resamples: int = RESAMPLES,
    progress: Progress | None = None,
) -> StepFit:
    """Fit a model, and a rival to compare it with. After Ctrl-C the intervals are those of the
    resamples that were done, and the fit is `partial`.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    order = generator.permutation(len(log))
    cut = max(int(len(log) * HELD_OUT), 1)
    held_out, train = log.part(np.sort(order[:cut])), log.part(np.sort(order[cut:]))
    other = None
    if rival is not None:
        other = fit_steps(log, rival, seed=seed, resamples=0)
    coefficients = _as_written(model.fit(log, None))
    drawn: list[dict[str, float]] = []
    partial = False
    try:
        for number in range(resamples):
            rows = generator.integers(0, len(log), len(log))
            drawn.append(model.fit(log.part(rows), coefficients))
            if progress is not None:
                progress(number + 1, resamples)
    except KeyboardInterrupt:
        partial = True
    return StepFit(
        model=model,
        log=log,
        seed=seed,
        coefficients=coefficients,
        intervals=_intervals(drawn),
        errors=_errors(model, coefficients, log),
        held_out=_errors(model, model.fit(train, None), held_out),
        rival=other,
        partial=partial,
    )


def _as_written(found: dict[str, float]) -> dict[str, float]:
    return {name: float(written(value)) for name, value in found.items()}


def _intervals(drawn: list[dict[str, float]]) -> dict[str, tuple[float, float]]:
    import numpy as np

    if len(drawn) < 2:
        return {}
    found = {}
    for name in drawn[0]:
        low, high = np.percentile([each[name] for each in drawn], [2.5, 97.5])
        found[name] = (float(low), float(high))
    return found


def _errors(model: Model, found: dict[str, float], log: StepLog) -> dict[str, float]:
    """Mean absolute percentage errors as fractions, by kind of step where there are any."""
    import numpy as np

    relative = np.abs(model.predict(found, log) / log.seconds - 1.0)
    errors = {
        kind: float(np.mean(relative[log.kind == at]))
        for at, kind in enumerate(KINDS)
        if bool((log.kind == at).any())
    }
    return {**errors, "all": float(np.mean(relative))}


def text(fit: StepFit) -> str:
    """The report of a fit."""
    return "\n".join(_lines(fit)) + "\n"


def _lines(fit: StepFit) -> Iterator[str]:
    yield f"{len(fit.log)} steps, model {fit.model.name}, seed {fit.seed}"
    if fit.partial:
        yield "interrupted: the intervals are those of the resamples that were done"
    yield ""
    table = Table(("", "fitted", "95 % from", "to"))
    for name, value in fit.coefficients.items():
        low, high = fit.intervals.get(name, (float("nan"), float("nan")))
        ends = (f"{low:.4g}", f"{high:.4g}") if fit.intervals else ("-", "-")
        table.rows.append((name, written(value), *ends))
    yield from table.lines()
    yield ""
    yield from _error_table(fit).lines()
    yield ""
    if fit.rival is not None:
        yield (
            f"On held-out steps {fit.better()} explains the data better: MAPE "
            f"{100 * fit.held_out['all']:.1f} % {fit.model.name}, "
            f"{100 * fit.rival.held_out['all']:.1f} % {fit.rival.model.name}."
        )
        yield ""
    yield f"  cost {fit.model.text(fit.coefficients)};"


def _error_table(fit: StepFit) -> Table:
    header = ["MAPE", "steps", fit.model.name, "held out"]
    if fit.rival is not None:
        header += [fit.rival.model.name, "held out"]
    table = Table(tuple(header))
    for at, kind in enumerate((*KINDS, "all")):
        if kind not in fit.errors:
            continue
        count = len(fit.log) if kind == "all" else int((fit.log.kind == at).sum())
        cells = [kind, str(count), _percent(fit.errors, kind), _percent(fit.held_out, kind)]
        if fit.rival is not None:
            cells += [_percent(fit.rival.errors, kind), _percent(fit.rival.held_out, kind)]
        table.rows.append(tuple(cells))
    return table


def _percent(errors: dict[str, float], kind: str) -> str:
    return f"{100 * errors[kind]:.1f} %" if kind in errors else "-"


def document(fit: StepFit) -> dict[str, Any]:
    """The same for a machine; errors are fractions."""
    return {
        "fit": "steps",
        "model": fit.model.name,
        "steps": len(fit.log),
        "seed": fit.seed,
        "partial": fit.partial,
        "cost": fit.model.text(fit.coefficients),
        "coefficients": fit.coefficients,
        "intervals": {name: list(ends) for name, ends in fit.intervals.items()},
        "mape": fit.errors,
        "mape_held_out": fit.held_out,
        "better": fit.better() if fit.rival is not None else None,
        "rival": None if fit.rival is None else document(fit.rival),
    }
