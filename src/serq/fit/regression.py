"""Least squares of relative errors, non-negative and robust: from steps to coefficients.

Rows are divided by the seconds measured, so that a short step counts as much as a long one, and
columns by their size. Non-negative least squares (Lawson and Hanson, in SciPy) is repeated with
weights from the residuals: Huber's first, which find the bulk, then Tukey's bisquare, which
leaves outliers out (Holland and Welsch 1977; the constants are theirs, for 95 % efficiency).
Depends on steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from serq.fit.findings import optional

if TYPE_CHECKING:
    from numpy.typing import NDArray

HUBER: Final = 1.345
BISQUARE: Final = 4.685
ROUNDS: Final = 20
ENOUGH: Final = 1e-4
"""Relative change of the coefficients at which a sequence of weights has settled."""

LEAST_SPREAD: Final = 1e-9


def solve(design: NDArray[Any], seconds: NDArray[Any]) -> NDArray[Any]:
    """Coefficients from 0 on, one a column, of `design @ coefficients` near `seconds`."""
    import numpy as np

    rows = design / seconds[:, None]
    sizes = np.sqrt(np.mean(rows**2, axis=0))
    sizes[sizes == 0.0] = 1.0
    rows /= sizes
    ones = np.ones(len(rows))
    found = _weighted(rows, ones, ones)
    for weigh in (_huber, _bisquare):
        for _ in range(ROUNDS):
            residuals = rows @ found - 1.0
            spread = 1.4826 * float(np.median(np.abs(residuals)))
            if spread < LEAST_SPREAD:
                break
            before = found
            found = _weighted(rows, ones, weigh(residuals / spread))
            if float(np.max(np.abs(found - before))) <= ENOUGH * float(np.max(before)):
                break
    answer: NDArray[Any] = found / sizes
    return answer


def _weighted(rows: NDArray[Any], target: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Non-negative least squares of weighted rows, on the small triangle of their QR."""
    import numpy as np

    nnls = optional("scipy.optimize", "a fit of engine steps").nnls
    root = np.sqrt(weights)
    orthogonal, triangle = np.linalg.qr(rows * root[:, None])
    found: NDArray[Any] = nnls(triangle, orthogonal.T @ (target * root))[0]
    return found


def _huber(scaled: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    weights: NDArray[Any] = HUBER / np.maximum(np.abs(scaled), HUBER)
    return weights


def _bisquare(scaled: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    within = np.clip(1.0 - (scaled / BISQUARE) ** 2, 0.0, None)
    weights: NDArray[Any] = within**2
    return weights
