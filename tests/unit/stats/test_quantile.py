import math

import pytest

from serq.stats.quantile import quantile, rank


@pytest.mark.parametrize(
    ("q", "count", "wanted"),
    [(0.99, 1, 1), (0.99, 100, 99), (0.99, 101, 100), (0.5, 4, 2), (0.5, 5, 3), (0.0, 3, 1)],
)
def test_rank_is_rounded_up_and_stays_within(q: float, count: int, wanted: int) -> None:
    assert rank(q, count) == wanted


def test_quantile_is_an_element() -> None:
    assert quantile([1.0, 2.0, 10.0], 0.5) == 2.0
    assert quantile([1.0, 2.0, 10.0], 0.99) == 10.0
    assert math.isnan(quantile([], 0.5))
