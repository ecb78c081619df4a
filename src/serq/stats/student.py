"""Confidence interval of a mean over independent replications: Student's t.

The distribution function for a whole number of degrees of freedom is a finite sum (Abramowitz and
Stegun, *Handbook of Mathematical Functions*, 26.7.3 and 26.7.4); its quantile is found by
halving. Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan, nan, pi, sin, sqrt

CONFIDENCE = 0.95
HALVINGS = 200
MOST_DEGREES = 100_000
"""From here on the distribution is the normal one, to nine digits."""
NORMAL_QUANTILE = 1.959963984540054


def half_width(values: Sequence[float]) -> float:
    """Half the 95 % confidence interval of the mean of independent values; NaN below two."""
    count = len(values)
    if count < 2:
        return nan
    centre = mean(values)
    squares = -0.0
    for value in values:
        squares += (value - centre) * (value - centre)
    return quantile(count - 1) * sqrt(squares / (count - 1) / count)


def mean(values: Sequence[float]) -> float:
    """The mean, added up from left to right; NaN without a value."""
    if not values:
        return nan
    total = -0.0
    for value in values:
        total += value
    return total / len(values)


@cache
def quantile(degrees: int) -> float:
    """The t that a variable with so many degrees of freedom stays within with probability 0.95."""
    if degrees > MOST_DEGREES:
        return NORMAL_QUANTILE
    low, high = 0.0, 16.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if within(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def within(t: float, degrees: int) -> float:
    """The probability that |T| is at most t, with a whole number of degrees of freedom."""
    angle = atan(t / sqrt(degrees))
    cosine_squared = degrees / (degrees + t * t)
    if degrees % 2 == 0:
        return sin(angle) * _series(cosine_squared, range(1, degrees - 1, 2))
    if degrees == 1:
        return 2 * angle / pi
    rest = sin(angle) * sqrt(cosine_squared) * _series(cosine_squared, range(2, degrees - 1, 2))
    return 2 / pi * (angle + rest)


def _series(square: float, numerators: range) -> float:
    """1 + n/(n+1) c² + n/(n+1) · (n+2)/(n+3) c⁴ + …, for the numerators n."""
    term, total = 1.0, 1.0
    for numerator in numerators:
        term *= square * numerator / (numerator + 1)
        total += term
    return total
