"""`replica` agrees in distribution with a model written by hand: where nothing is evicted, and at
the edge of the cliff.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.models import replica
from tests.models.two_samples import LIMIT, Numbers, compare, observed

UNTIL = 600.0
NAMES = ["hit", "ttft", "response"]
STEP = 0.03


def by_hand(seed: int, rate: float, kv_tokens: float) -> Numbers:
    return replica.run(seed, rate=rate, step_seconds=STEP, kv_tokens=kv_tokens, until=UNTIL)


def ours(rate: float, kv_tokens: float) -> Callable[[int], Numbers]:
    sets = {"rate": rate, "kv_tokens": kv_tokens, "step_seconds": STEP}
    return observed("multi-turn/replica.sq", sets, UNTIL, UNTIL / 5, NAMES)


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "kv_tokens"), [(0.15, 1e6), (0.25, 60_000), (0.3, 40_000)])
def test_replica(rate: float, kv_tokens: float) -> None:
    found = compare(ours(rate, kv_tokens), lambda seed: by_hand(seed, rate, kv_tokens))
    assert all(abs(z) < LIMIT for z in found.values()), found


@pytest.mark.slow
def test_a_smaller_memory_is_noticed() -> None:
    found = compare(ours(0.25, 60_000), lambda seed: by_hand(seed, 0.25, 40_000))
    assert abs(found["mean hit"]) > LIMIT
