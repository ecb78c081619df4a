import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq.ir.numbers import shortest_digits, write_float


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-2.5, "-2.5"),
        (1e-5, "0.00001"),
        (1.5e-5, "0.000015"),
        (9.9e-6, "9.9e-6"),
        (1e-6, "1e-6"),
        (1e5, "100000.0"),
        (1e15, "1000000000000000.0"),
        (9.9e15, "9900000000000000.0"),
        (1e16, "1e+16"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (math.inf, "null"),
        (math.nan, "null"),
    ],
)
def test_floats_of_the_ir(value: float, text: str) -> None:
    assert write_float(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_float_reads_back_to_the_same_bits(value: float) -> None:
    text = write_float(value)
    assert "." in text or "e" in text
    assert struct.pack("d", float(text)) == struct.pack("d", value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_digits_state_the_number(value: float) -> None:
    digits, point = shortest_digits(value)
    assert digits == "0" or (digits[0] != "0" and digits[-1] != "0")
    assert float(f"0.{digits}e{point}") == abs(value)
