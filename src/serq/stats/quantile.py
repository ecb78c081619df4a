"""Quantiles of a sample: the element of rank ceil(q n), no interpolation.

Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, nan


def rank(q: float, count: int) -> int:
    """The rank, from 1, of the `q` quantile among `count` values."""
    return min(max(ceil(q * count), 1), count)


def quantile(ascending: Sequence[float], q: float) -> float:
    """The `q` quantile of values in ascending order; NaN without a value."""
    if not ascending:
        return nan
    return ascending[rank(q, len(ascending)) - 1]
