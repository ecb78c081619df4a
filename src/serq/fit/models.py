"""The two forms a cost of iterations is fitted in: a sum of terms, and a roofline.

`linear` is `c + d·decoders + e·kv_decode + a·prefilled + b·attention` (contract §8).
`roofline` is `max(c + e·kv_decode, f + a·tokens + b·attention)`: an iteration takes as long as
reading the weights and the KV memory, or as computing its tokens, whichever is longer.

A fit of the roofline gives each step to the side that is longer there, fits both sides to their
steps, and repeats until no step changes sides; it starts from decodes on the memory's side and
prefills on the computation's, and from splits by the number of tokens. Depends on the regression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from serq.fit.regression import solve
from serq.fit.steps import StepLog
from serq.fit.terms import VARIABLES, Cost, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

Coefficients = Mapping[str, float]

_LINEAR: Final = tuple(VARIABLES)
_MEMORY: Final = {"c": "", "e": "kv_decode"}
_COMPUTE: Final = {"f": "", "a": "tokens", "b": "attention"}
_MOST_ROUNDS: Final = 40
_SPLITS: Final = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class Model:
    """A form of the cost: how it is fitted (from scratch, or near coefficients of the same
    steps), what it predicts (seconds a step), how it is said.
    """

    name: str
    coefficients: tuple[str, ...]
    fit: Callable[[StepLog, Coefficients | None], dict[str, float]]
    predict: Callable[[Coefficients, StepLog], NDArray[Any]]
    text: Callable[[Coefficients], str]


def _column(log: StepLog, variable: str) -> NDArray[Any]:
    import numpy as np

    if variable == "":
        return np.ones(len(log))
    if variable == "tokens":
        tokens: NDArray[Any] = log.columns["decoders"] + log.columns["prefilled"]
        return tokens
    return log.columns[variable]


def _design(log: StepLog, variables: Mapping[str, str]) -> NDArray[Any]:
    import numpy as np

    return np.stack([_column(log, variable) for variable in variables.values()], axis=1)


def linear(terms: tuple[str, ...] = _LINEAR) -> Model:
    """The sum of some of the five terms; a coefficient left out is 0."""
    variables = {name: VARIABLES[name] for name in VARIABLES if name in terms}

    def fit(log: StepLog, near: Coefficients | None = None) -> dict[str, float]:
        del near
        found = solve(_design(log, variables), log.seconds)
        given = dict(zip(variables, (float(value) for value in found), strict=True))
        return {name: given.get(name, 0.0) for name in VARIABLES}

    def predict(found: Coefficients, log: StepLog) -> NDArray[Any]:
        return _sum(found, log, VARIABLES)

    def text(found: Coefficients) -> str:
        return Cost(**{name: found[name] for name in VARIABLES}).text()

    return Model("linear", _LINEAR, fit, predict, text)


def roofline() -> Model:
    """The longer of reading memory and computing tokens."""
    return Model("roofline", ("c", "e", "f", "a", "b"), _fit_roofline, _longer, _roofline_text)


def _sum(found: Coefficients, log: StepLog, variables: Mapping[str, str]) -> NDArray[Any]:
    import numpy as np

    seconds: NDArray[Any] = _design(log, variables) @ np.array([found[name] for name in variables])
    return seconds


def _longer(found: Coefficients, log: StepLog) -> NDArray[Any]:
    import numpy as np

    sides = (_sum(found, log, _MEMORY), _sum(found, log, _COMPUTE))
    longer: NDArray[Any] = np.maximum(*sides)
    return longer


def _fit_roofline(log: StepLog, near: Coefficients | None = None) -> dict[str, float]:
    """The best of several starting splits, by the median of absolute relative errors."""
    import numpy as np

    if near is not None:
        return _settle(log, _sum(near, log, _MEMORY) >= _sum(near, log, _COMPUTE))
    tokens = _column(log, "tokens")
    splits = [log.kind == 0, *(tokens <= np.quantile(tokens, share) for share in _SPLITS)]
    best: dict[str, float] = {}
    least = np.inf
    for memory in splits:
        found = _settle(log, memory)
        error = float(np.median(np.abs(_longer(found, log) / log.seconds - 1.0)))
        if error < least:
            best, least = found, error
    return best


def _settle(log: StepLog, memory: NDArray[Any]) -> dict[str, float]:
    found = dict.fromkeys((*_MEMORY, *_COMPUTE), 0.0)
    for _ in range(_MOST_ROUNDS):
        for variables, rows in ((_MEMORY, memory), (_COMPUTE, ~memory)):
            if int(rows.sum()) > len(variables):
                side = log.part(rows)
                answer = solve(_design(side, variables), side.seconds)
                found |= dict(zip(variables, (float(value) for value in answer), strict=True))
        longer = _sum(found, log, _MEMORY) >= _sum(found, log, _COMPUTE)
        if bool((longer == memory).all()):
            break
        memory = longer
    return found


def _roofline_text(found: Coefficients) -> str:
    sides = []
    for variables in (_MEMORY, _COMPUTE):
        terms = [
            written(found[name]) + (f" * {variable}" if variable else "")
            for name, variable in variables.items()
            if found[name] > 0.0
        ]
        sides.append(" + ".join(terms) or "0")
    return f"max({sides[0]}, {sides[1]})"
