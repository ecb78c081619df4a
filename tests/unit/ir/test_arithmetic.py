import math
from math import copysign, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq.ir import arithmetic

ANY = st.floats(allow_nan=True, allow_infinity=True)


def same(a: float, b: float) -> bool:
    """The same number, zeros told apart and NaN equal to NaN."""
    return (math.isnan(a) and math.isnan(b)) or (a == b and copysign(1.0, a) == copysign(1.0, b))


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (arithmetic.divide(1.0, 0.0), inf),
        (arithmetic.divide(1.0, -0.0), -inf),
        (arithmetic.divide(-inf, 0.0), -inf),
        (arithmetic.divide(0.0, 0.0), nan),
        (arithmetic.divide(nan, 0.0), nan),
        (arithmetic.divide(1e308, 1e-308), inf),
        (arithmetic.power(10.0, 400.0), inf),
        (arithmetic.power(-10.0, 401.0), -inf),
        (arithmetic.power(0.0, -1.0), inf),
        (arithmetic.power(-0.0, -1.0), -inf),
        (arithmetic.power(-0.0, -2.0), inf),
        (arithmetic.power(-2.0, 0.5), nan),
        (arithmetic.exponential(1000.0), inf),
        (arithmetic.exponential(-1000.0), 0.0),
        (arithmetic.logarithm(0.0), -inf),
        (arithmetic.logarithm(-1.0), nan),
        (arithmetic.square_root(-1.0), nan),
        (arithmetic.square_root(-0.0), -0.0),
        (arithmetic.floor(inf), inf),
        (arithmetic.floor(nan), nan),
        (arithmetic.floor(-0.5), -1.0),
        (arithmetic.floor(-0.0), -0.0),
        (arithmetic.ceil(-0.5), -0.0),
        (arithmetic.ceil(0.5), 1.0),
        (arithmetic.ceil(2.0**60), 2.0**60),
        (arithmetic.minimum(nan, 3.0), 3.0),
        (arithmetic.minimum(3.0, nan), 3.0),
        (arithmetic.maximum(nan, nan), nan),
        (arithmetic.maximum(0.0, -0.0), -0.0),
        (arithmetic.maximum(-0.0, 0.0), 0.0),
        (arithmetic.minimum(0.0, -0.0), -0.0),
    ],
)
def test_what_ieee_754_answers(value: float, wanted: float) -> None:
    assert same(value, wanted)


@given(ANY, ANY)
def test_no_operation_raises(a: float, b: float) -> None:
    for binary in (arithmetic.divide, arithmetic.power, arithmetic.minimum, arithmetic.maximum):
        assert isinstance(binary(a, b), float)
    for unary in (
        arithmetic.exponential,
        arithmetic.logarithm,
        arithmetic.square_root,
        arithmetic.floor,
        arithmetic.ceil,
    ):
        assert isinstance(unary(a), float)


@given(st.floats(-1e15, 1e15))
def test_whole_numbers_of_ordinary_values(a: float) -> None:
    assert arithmetic.floor(a) == math.floor(a)
    assert arithmetic.ceil(a) == math.ceil(a)
