import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq.report.numbers import decimals, plain, plain_or_null


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (20000.0, "20000"),
        (0.5, "0.5"),
        (-0.0, "-0"),
        (1e21, "1000000000000000000000"),
        (1e16, "10000000000000000"),
        (1e-7, "0.0000001"),
        (-1.25e-7, "-0.000000125"),
        (1.5e300, "15" + "0" * 299),
        (math.nan, "NaN"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
    ],
)
def test_shortest_digits_without_an_exponent(value: float, text: str) -> None:
    assert plain(value) == text
    assert plain_or_null(value) == (text if math.isfinite(value) else "null")


@given(st.floats(allow_nan=False))
def test_a_number_reads_back(value: float) -> None:
    text = plain(value)
    assert "e" not in text
    assert float(text) == value


def test_rounded_numbers() -> None:
    assert [decimals(x, 3) for x in (0.0005, 2.0, math.nan, math.inf)] == [
        "0.001", "2.000", "NaN", "inf",
    ]  # fmt: skip
    assert decimals(1760208.4, 0) == "1760208"
