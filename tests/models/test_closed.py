"""`closed` agrees in distribution with a model written by hand, and with mean value analysis."""

from __future__ import annotations

import pytest

from tests.models import closed
from tests.models.two_samples import LIMIT, SEEDS, compare, observed

UNTIL = 4000.0


@pytest.mark.slow
@pytest.mark.parametrize("users", [3, 8, 20])
def test_closed(users: int) -> None:
    ours = observed("multi-turn/closed.sq", {"users": users}, UNTIL, UNTIL / 10, ["response"])
    found = compare(ours, lambda seed: closed.run(seed, users=users, think=10, until=UNTIL))
    assert all(abs(z) < LIMIT for z in found.values()), found


def test_mean_value_analysis() -> None:
    """R(n) = 1 + L(n - 1), L(n) = n R / (10 + R); the mean of twenty runs is within 1 %."""
    waiting = response = 0.0
    for users in range(1, 9):
        response = 1 + waiting
        waiting = users * response / (10 + response)
    ours = observed("multi-turn/closed.sq", {"users": 8}, 20000, 1000, ["response"])
    means = [ours(seed)["mean response"] for seed in SEEDS]
    assert sum(means) / len(means) == pytest.approx(response, rel=0.01)


@pytest.mark.slow
def test_another_population_is_noticed() -> None:
    ours = observed("multi-turn/closed.sq", {"users": 8}, UNTIL, UNTIL / 10, ["response"])
    found = compare(ours, lambda seed: closed.run(seed, users=9, think=10, until=UNTIL))
    assert abs(found["mean response"]) > LIMIT
