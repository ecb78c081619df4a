"""`routing` agrees in distribution with a model written by hand, under each of its policies."""

from __future__ import annotations

import pytest

from tests.models import routing
from tests.models.two_samples import LIMIT, Numbers, compare, observed

UNTIL = 250.0


def by_hand(seed: int, policy: int) -> Numbers:
    return routing.run(seed, policy=policy, rate=1.4, kv_tokens=90_000, until=UNTIL)


@pytest.mark.slow
@pytest.mark.parametrize("policy", range(5))
def test_routing(policy: int) -> None:
    sets = {"policy": policy}
    ours = observed("multi-turn/routing.sq", sets, UNTIL, UNTIL / 5, ["hit", "response"])
    found = compare(ours, lambda seed: by_hand(seed, policy))
    assert all(abs(z) < LIMIT for z in found.values()), found


@pytest.mark.slow
def test_another_policy_is_noticed() -> None:
    """Fewest requests and least work differ little; the response tells them apart."""
    ours = observed("multi-turn/routing.sq", {"policy": 2}, UNTIL, UNTIL / 5, ["hit", "response"])
    found = compare(ours, lambda seed: by_hand(seed, 3))
    assert abs(found["mean response"]) > LIMIT
