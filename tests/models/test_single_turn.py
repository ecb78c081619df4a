"""`mg1` and `ps` agree in distribution with models written by hand, for every law."""

from __future__ import annotations

import pytest

from tests.models import single_turn
from tests.models.two_samples import LIMIT, Numbers, compare, observed, rank_sum

UNTIL = 3000.0


def by_hand(kind: str, law: int, batch: float, rate: float, seed: int) -> Numbers:
    return single_turn.run(kind, seed, rate=rate, law=law, batch=batch, until=UNTIL)


@pytest.mark.slow
@pytest.mark.parametrize("law", range(4))
def test_mg1(law: int) -> None:
    ours = observed("single-turn/mg1.sq", {"law": law}, UNTIL, UNTIL / 10, ["response"])
    found = compare(ours, lambda seed: by_hand("mg1", law, 1, 0.7, seed))
    assert all(abs(z) < LIMIT for z in found.values()), found


@pytest.mark.slow
@pytest.mark.parametrize(("law", "batch"), [(0, 1), (1, 1), (3, 1), (3, 4)])
def test_ps(law: int, batch: int) -> None:
    sets = {"law": law, "batch": batch, "rate": 0.7 * batch}
    until = UNTIL / batch
    ours = observed("single-turn/ps.sq", sets, until, until / 10, ["response"])

    def theirs(seed: int) -> Numbers:
        return single_turn.run("ps", seed, rate=0.7 * batch, law=law, batch=batch, until=until)

    found = compare(ours, theirs)
    assert all(abs(z) < LIMIT for z in found.values()), found


@pytest.mark.slow
def test_another_model_is_noticed() -> None:
    """One law for another, and one discipline for the other."""
    ours = observed("single-turn/mg1.sq", {"law": 3}, UNTIL, UNTIL / 10, ["response"])
    other_law = compare(ours, lambda seed: by_hand("mg1", 2, 1, 0.7, seed))
    assert abs(other_law["mean response"]) > LIMIT
    other_order = compare(ours, lambda seed: by_hand("ps", 3, 1, 0.7, seed))
    assert abs(other_order["mean response"]) > LIMIT


def test_the_statistic() -> None:
    # Ranks 1 to 3 against 4 to 6: the least sum there is, 6 where 10.5 is expected.
    assert rank_sum([1, 2, 3], [4, 5, 6]) == pytest.approx(-4.5 / 5.25**0.5)
    assert rank_sum([1, 4], [1, 4]) == 0
