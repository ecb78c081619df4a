"""Numbers as the report and the sample files write them: shortest digits, never an exponent.

A whole number has no point (`20000`), a tiny one all its zeros (`0.0000001`). Depends on the
digits of `serq.ir.numbers`.
"""

from __future__ import annotations

import math

from serq.ir.numbers import fixed, shortest_digits


def plain(value: float) -> str:
    """A number, or `NaN`, `inf`, `-inf`."""
    text = repr(value)
    if text.endswith(".0"):
        return text[:-2]
    if "e" not in text and "n" not in text:
        return text
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return text
    return ("-" if value < 0 else "") + fixed(*shortest_digits(value))


def plain_or_null(value: float | None) -> str:
    """A number of a JSON document, which has no form for NaN and the infinities."""
    return "null" if value is None or not math.isfinite(value) else plain(value)


def decimals(value: float, places: int) -> str:
    """A number rounded to `places` decimals, or `NaN`, `inf`, `-inf`."""
    return plain(value) if not math.isfinite(value) else f"{value:.{places}f}"
