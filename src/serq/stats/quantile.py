"""Quantiles of a sample: the element of rank ceil(q n), no interpolation.

Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, isnan, nan


def rank(q: float, count: int) -> int:
    """The rank, from 1, of the `q` quantile among `count` values."""
    return min(max(ceil(q * count), 1), count)


def ascending(values: Iterable[float]) -> list[float]:
    """The values in ascending order, what is no number before every number."""
    numbers: list[float] = []
    others: list[float] = []
    for value in values:
        (others if isnan(value) else numbers).append(value + 0.0)  # there is one zero
    numbers.sort()
    return others + numbers


def quantile(ascending: Sequence[float], q: float) -> float:
    """The `q` quantile of values in ascending order; NaN without a value."""
    if not ascending:
        return nan
    return ascending[rank(q, len(ascending)) - 1]
