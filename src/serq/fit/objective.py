"""How far a replay is from a measured run, as a vector of residuals.

The unknowns are the natural logarithms of the five coefficients over those the search starts
from, and the constant time a request spends outside the engine. A residual is the logarithm of
predicted over measured, of TTFT, TPOT and end-to-end latency of every training request, in units
of the metric's own scatter and robust to outliers (pseudo-Huber).

Requests of one run share their iterations, so their residuals are not independent: a metric
counts as `EFFECTIVE` requests, however many there are. Against that stands a tie of each unknown
to where the search started, so that what the requests do not tell stays what the program said.

Depends on replays and terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from serq.fit.replay import Predicted, Replay
from serq.fit.terms import COEFFICIENTS, Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

METRICS: Final = ("ttft", "tpot", "e2e")
UNKNOWNS: Final = (*COEFFICIENTS, "overhead")
EFFECTIVE: Final = 10.0
"""Independent requests that a metric's residuals are worth."""

TIE: Final = 0.3
"""Standard deviation of the tie of a coefficient's logarithm: a factor of 1.35 either way."""

OVERHEAD_UNIT: Final = 0.01
"""Seconds a request that one unit of the unknown `overhead` stands for."""

OVERHEAD_TIE: Final = 3.0
LEAST_SCATTER: Final = 0.02
"""Relative error below which a replay is not asked to be better."""

_FIRST_SCATTER: Final = 0.1


@dataclass(frozen=True, slots=True)
class Targets:
    """Measured TTFT, TPOT and end-to-end latency by metric, in the order of the run, seconds."""

    measured: dict[str, NDArray[Any]]

    @staticmethod
    def of(replay: Replay) -> Targets:
        """The targets a replay's requests give."""
        import numpy as np

        requests = replay.requests
        return Targets(
            {
                "ttft": np.array([max(r.ttft, 1e-6) for r in requests]),
                "tpot": np.array([r.tpot for r in requests]),
                "e2e": np.array([max(r.e2e, 1e-6) for r in requests]),
            }
        )


class Objective:
    """Residuals of a replay over the first `train` requests, around a starting cost."""

    def __init__(self, replay: Replay, targets: Targets, train: int, start: Cost) -> None:
        self.replay = replay
        self.targets = targets
        self.train = train
        self.start = start
        self.scatter = dict.fromkeys(METRICS, _FIRST_SCATTER)

    def cost(self, unknowns: NDArray[Any]) -> Cost:
        """The coefficients that a vector of unknowns stands for."""
        pairs = zip(self.start.values(), unknowns, strict=False)
        return Cost(*(value * math.exp(factor) for value, factor in pairs))

    def overhead(self, unknowns: NDArray[Any]) -> float:
        """Seconds a request outside the engine."""
        return max(float(unknowns[-1]), 0.0) * OVERHEAD_UNIT

    def predict(self, unknowns: NDArray[Any]) -> Predicted:
        """The replay at a vector of unknowns."""
        return self.replay.predict(self.cost(unknowns)).delayed(self.overhead(unknowns))

    def log_errors(self, predicted: Predicted) -> dict[str, NDArray[Any]]:
        """Logarithms of predicted over measured of the training requests, by metric."""
        import numpy as np

        errors = {}
        for metric in METRICS:
            measured = self.targets.measured[metric][: self.train]
            asked = getattr(predicted, metric)[: self.train]
            known = np.isfinite(measured) & (measured > 0)
            errors[metric] = np.log(np.maximum(asked[known], 1e-9) / measured[known])
        return errors

    def residuals(self, unknowns: NDArray[Any]) -> NDArray[Any]:
        """The vector whose squares are to be least; the tie is its tail."""
        return self.residuals_of(self.cost(unknowns), unknowns)

    def residuals_of(self, cost: Cost, unknowns: NDArray[Any]) -> NDArray[Any]:
        """The residuals of a cost, and the tie of the unknowns that gave it."""
        import numpy as np

        parts = []
        predicted = self.replay.predict(cost).delayed(self.overhead(unknowns))
        for metric, errors in self.log_errors(predicted).items():
            weight = math.sqrt(EFFECTIVE / max(len(errors), 1))
            parts.append(weight * pseudo_huber(errors / self.scatter[metric]))
        return np.concatenate([*parts, unknowns / self.ties()])

    def ties(self) -> NDArray[Any]:
        """Standard deviation of the tie of each unknown."""
        import numpy as np

        return np.array([TIE] * len(COEFFICIENTS) + [OVERHEAD_TIE])

    def learn_scatter(self, unknowns: NDArray[Any]) -> None:
        """Take each metric's scatter from its residuals here (median absolute deviation)."""
        import numpy as np

        for metric, errors in self.log_errors(self.predict(unknowns)).items():
            if len(errors):
                spread = 1.4826 * float(np.median(np.abs(errors)))
                self.scatter[metric] = max(spread, LEAST_SCATTER)


def pseudo_huber(values: NDArray[Any]) -> NDArray[Any]:
    """Residuals whose squares grow linearly beyond 1: sign(r) √(2 (√(1 + r²) - 1))."""
    import numpy as np

    bent: NDArray[Any] = np.sign(values) * np.sqrt(2.0 * (np.sqrt(1.0 + values**2) - 1.0))
    return bent
