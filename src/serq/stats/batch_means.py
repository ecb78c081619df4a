"""Confidence interval of a mean from one long run, cut into batches (batch means).

Successive samples of one run depend on each other, so their variance says little about the
error of their mean; the means of 20 long batches are nearly independent. Depends on nothing of
ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

BATCHES = 20
LEAST_SAMPLES = 40
STUDENT_T = 2.093
"""The 97.5 % point of Student's t with 19 degrees of freedom."""


def half_width(samples: Sequence[float]) -> float:
    """Half the 95 % confidence interval of the mean of `samples`, in their order.

    Batches have equal length and the samples left over at the end are dropped. Infinite below
    40 samples.
    """
    count = len(samples)
    if count < LEAST_SAMPLES:
        return inf
    size = count // BATCHES
    means = []
    for start in range(0, size * BATCHES, size):
        total = -0.0
        for at in range(start, start + size):
            total += samples[at]
        means.append(total / size)
    total = -0.0
    for mean in means:
        total += mean
    return half_width_around(means, total / BATCHES)


def half_width_around(means: Sequence[float], centre: float) -> float:
    """Half the 95 % interval that the means of `BATCHES` batches give around `centre`."""
    squares = -0.0
    for mean in means:
        squares += (mean - centre) * (mean - centre)
    variance = squares / (BATCHES - 1)
    return STUDENT_T * sqrt(variance / BATCHES)
