"""Numbers: IEEE arithmetic that gives an answer and never an exception (contract §2,
*Expressions*).

Every value of the language is a double. Where Python raises (division by zero, overflow of `exp`,
`ln` of a negative number, the floor of infinity) the answer is the one IEEE 754 gives: an
infinity or NaN, which the rule that uses the value then judges. Depends on nothing of ours.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from math import copysign, inf, isfinite, isnan
from typing import Final

INVALID: Final = inf - inf
"""What an operation without an answer gives: the NaN of the processor, whose sign an order of
keys can see."""

Key = tuple[int, ...]


def divide(a: float, b: float) -> float:
    """`a / b`; by zero, an infinity of the right sign, or NaN for 0/0."""
    if b != 0.0:
        return a / b
    if a == 0.0:
        return INVALID
    return a if isnan(a) else copysign(inf, a) * copysign(1.0, b)


def power(a: float, b: float) -> float:
    """`a ^ b` as the C library's `pow` has it."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -inf if a < 0.0 and b % 2.0 == 1.0 else inf
    except ValueError:
        if a == 0.0:  # a negative power of zero: a pole
            return copysign(inf, a) if b % 2.0 == 1.0 else inf
        return INVALID


def exponential(a: float) -> float:
    """`e ^ a`."""
    try:
        return math.exp(a)
    except OverflowError:
        return inf


def logarithm(a: float) -> float:
    """The natural logarithm: `-inf` of 0, NaN of a negative number."""
    if a > 0.0 or isnan(a):
        return math.log(a)
    return -inf if a == 0.0 else INVALID


def square_root(a: float) -> float:
    """The square root; NaN of a negative number."""
    return INVALID if a < 0.0 else math.sqrt(a)


def floor(a: float) -> float:
    """The greatest whole number not above `a`, as a double."""
    return copysign(float(math.floor(a)), a) if -1.0 < a < 1.0 else _whole(math.floor, a)


def ceil(a: float) -> float:
    """The least whole number not below `a`, as a double."""
    return copysign(float(math.ceil(a)), a) if -1.0 < a < 1.0 else _whole(math.ceil, a)


def _whole(rounding: Callable[[float], int], a: float) -> float:
    return float(rounding(a)) if isfinite(a) else a


def minimum(a: float, b: float) -> float:
    """The lesser; a NaN loses, and of two equal values the second is taken."""
    if b <= a:
        return b
    return a if a < b or isnan(b) else b


def maximum(a: float, b: float) -> float:
    """The greater; a NaN loses, and of two equal values the second is taken."""
    if b >= a:
        return b
    return a if a > b or isnan(b) else b


def saturate(a: float, limit: int) -> int:
    """`a` cut to a whole number from 0 to `limit`; NaN is 0."""
    if not a > 0.0:
        return 0
    return limit if a >= limit else int(a)


_DOUBLE: Final = struct.Struct("<d")
_WORD: Final = struct.Struct("<q")


def order(a: float) -> int:
    """A number that sorts as `a` does in the total order of doubles.

    -NaN, -inf, …, -0.0, 0.0, …, inf, NaN: keys are compared so that no two items fall to the
    order in which a data structure holds them.
    """
    (word,) = _WORD.unpack(_DOUBLE.pack(a))
    return int(word) if word >= 0 else int(word) ^ 0x7FFF_FFFF_FFFF_FFFF
