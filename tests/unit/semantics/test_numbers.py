from math import copysign, inf, nan

from hypothesis import given
from hypothesis import strategies as st

from serq.semantics import numbers


def test_total_order() -> None:
    ascending = [-inf, -1.5, -5e-324, -0.0, 0.0, 5e-324, 2.0, inf]
    keys = [numbers.order(a) for a in ascending]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert numbers.order(copysign(nan, 1.0)) > numbers.order(inf)
    assert numbers.order(copysign(nan, -1.0)) < numbers.order(-inf)


def test_saturation() -> None:
    assert numbers.saturate(2.9, 10) == 2
    assert numbers.saturate(-3.0, 10) == 0
    assert numbers.saturate(nan, 10) == 0
    assert numbers.saturate(inf, 10) == 10


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_count_is_within_its_limit(a: float) -> None:
    assert 0 <= numbers.saturate(a, 10) <= 10


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_the_order_is_the_order_of_numbers(a: float, b: float) -> None:
    if a != b:
        assert (numbers.order(a) < numbers.order(b)) == (a < b)
