"""Student's t: tabulated quantiles, and the interval of a small sample."""

from __future__ import annotations

import math

import pytest

from serq.stats import batch_means
from serq.stats.student import half_width, mean, quantile, within

# The 97.5 % points of the usual tables (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 10: 2.228, 30: 2.042, 100: 1.984}


@pytest.mark.parametrize(("degrees", "t"), TABLE.items())
def test_quantiles_are_those_of_the_tables(degrees: int, t: float) -> None:
    assert quantile(degrees) == pytest.approx(t, abs=6e-4)


def test_the_batch_means_use_the_same_quantile() -> None:
    assert quantile(19) == pytest.approx(batch_means.STUDENT_T, abs=5e-4)


def test_many_degrees_are_the_normal_distribution() -> None:
    assert quantile(10_000) == pytest.approx(1.959964, abs=3e-4)
    assert quantile(10**9) == pytest.approx(1.959964, abs=1e-6)


def test_two_degrees_have_a_closed_form() -> None:
    for t in (0.3, 1.0, 5.0):
        assert within(t, 2) == pytest.approx(t / math.sqrt(2 + t * t), rel=1e-14)


def test_the_interval_of_two_values() -> None:
    # Their mean is 2, their standard deviation sqrt(2), so the error of the mean is 1.
    assert mean([1.0, 3.0]) == 2.0
    assert half_width([1.0, 3.0]) == pytest.approx(12.7062, abs=1e-4)


def test_one_value_has_no_interval() -> None:
    assert math.isnan(half_width([4.0]))
    assert math.isnan(mean([]))
