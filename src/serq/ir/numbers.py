"""Floats as text: the shortest digits that read back to the same number.

The IR and the report write floats differently (`write_float` here, `serq.report.numbers`
there); both start from the same digits. Depends on nothing of ours.
"""

from __future__ import annotations

import math


def shortest_digits(value: float) -> tuple[str, int]:
    """Digits of a finite `abs(value)` and where the point goes: 0.digits times 10**point.

    The digits are the fewest that read back to the same float, without leading or trailing
    zeros; 0 is `("0", 1)`.
    """
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole) + len(fraction) - len(digits)
    point = len(whole) - leading + int(exponent or 0)
    digits = digits.rstrip("0")
    return (digits, point) if digits else ("0", 1)


def fixed(digits: str, point: int) -> str:
    """`0.digits * 10**point` without an exponent; a whole number has no point."""
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return digits[:point] + "." + digits[point:]


def write_float(value: float) -> str:
    """A float of the IR's JSON: always with a point or an exponent, `null` when not finite.

    Fixed notation from 1e-5 up to 1e16, scientific elsewhere (`1e-6`, `1.5e+300`).
    """
    if not math.isfinite(value):
        return "null"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    digits, point = shortest_digits(value)
    if value == 0 or -5 < point <= 16:
        text = fixed(digits, point)
        return sign + (text if "." in text else text + ".0")
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{point - 1:+d}"
