"""Figures of fits: residuals of steps, measured and predicted requests, the ridge of a calibration.

The same fit gives the same bytes. Depends on matplotlib, which is optional.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from serq.figures import COLOURS, ending, style, write
from serq.files import check, whole
from serq.fit.findings import optional
from serq.fit.objective import METRICS
from serq.fit.steps import KINDS

if TYPE_CHECKING:
    from serq.fit.calibration import Calibration
    from serq.fit.search import FittedRun
    from serq.fit.step_fit import StepFit

LINEAR_UP_TO: Final = 10.0
"""Percent up to which the axis of residuals is linear; outliers are drawn logarithmically."""


def check_figure(path: str) -> None:
    """Raise `SerqError` (SQ509, SQ704) when a figure can not be made: said before a long search."""
    optional("matplotlib", "a figure")
    check(path)


@contextmanager
def _figure(path: str, panels: int) -> Iterator[list[Any]]:
    """Axes side by side, saved when they are drawn. Raises `SerqError` (SQ509, SQ704)."""
    figures = optional("matplotlib.figure", "a figure")
    with style(), whole(path) as staged:
        figure = figures.Figure(figsize=(4.2 * panels, 3.6), layout="constrained")
        yield list(figure.subplots(1, panels, squeeze=False)[0])
        write(figure, staged, ending(path))


def plot_steps(fit: StepFit, path: str) -> None:
    """Relative residuals by predicted duration, a panel for each kind of step."""
    predicted = fit.model.predict(fit.coefficients, fit.log)
    residuals = fit.residuals()
    present = [at for at in range(len(KINDS)) if bool((fit.log.kind == at).any())]
    with _figure(path, len(present)) as axes:
        for panel, at in zip(axes, present, strict=True):
            rows = fit.log.kind == at
            panel.scatter(1e3 * predicted[rows], 100.0 * residuals[rows], s=8, color=COLOURS[at])
            panel.axhline(0.0, color="#222222", linewidth=0.8)
            panel.set_yscale("symlog", linthresh=LINEAR_UP_TO)
            panel.set_title(f"{KINDS[at]} steps")
            panel.set_xlabel("predicted (ms)")
            panel.set_ylabel("measured over predicted, less 1 (%)")


def plot_run(fitted: FittedRun, path: str) -> None:
    """Predicted over measured, a panel for each metric; what was trained on and what was not."""
    with _figure(path, len(METRICS)) as axes:
        for panel, metric in zip(axes, METRICS, strict=True):
            measured = fitted.targets.measured[metric]
            predicted = getattr(fitted.predicted, metric)
            for part, label, colour in (
                (slice(0, fitted.train), "trained on", COLOURS[0]),
                (slice(fitted.train, None), "held out", COLOURS[1]),
            ):
                panel.scatter(measured[part], predicted[part], s=8, color=colour, label=label)
            panel.axline((0.0, 0.0), slope=1.0, color="#222222", linewidth=0.8)
            panel.set_title(metric)
            panel.set_xlabel("measured (s)")
            panel.set_ylabel("predicted (s)")
        axes[0].legend()


def plot_ridge(found: Calibration, path: str) -> None:
    """The objective over the two overheads: where it is low, the data do not tell them apart."""
    with _figure(path, 1) as axes:
        panel = axes[0]
        steps = [1e3 * value for value in found.per_step]
        requests = [1e3 * value for value in found.per_request]
        rows = [list(row) for row in found.surface]
        drawn = panel.contourf(steps, requests, rows, levels=12, cmap="viridis_r")
        panel.figure.colorbar(drawn, label="root mean square log error")
        ridge = [(1e3 * step, 1e3 * request) for step, request, _ in found.ridge]
        panel.plot(*zip(*ridge, strict=True), color="#222222", linewidth=1.0, label="ridge")
        panel.plot(1e3 * found.step, 1e3 * found.request, "o", color="#D55E00", label="fitted")
        panel.set_xlabel("per step (ms)")
        panel.set_ylabel("per request (ms)")
        panel.legend(frameon=True, loc="upper right")
