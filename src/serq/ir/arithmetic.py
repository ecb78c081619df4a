"""The operators and value functions: IEEE arithmetic, never an exception (contract §2,
*Expressions*).

A value is a double. Where Python raises (a division by zero, the logarithm of a negative number,
the floor of infinity) the answer is the one IEEE 754 gives, and the rule that uses the value
judges it. Constants are folded and programs are run with the functions of this module. Depends on
nothing of ours.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from math import copysign, inf, isfinite, isnan
from typing import Final

INVALID: Final = inf - inf
"""What an operation without an answer gives: the NaN of the processor, whose sign an order of
keys can see."""


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


UNARY: dict[str, Callable[[float], float]] = {
    "-": lambda a: -a,
    "!": lambda a: float(a == 0.0),
}

BINARY: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
    "^": power,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "&&": lambda a, b: float(a != 0.0 and b != 0.0),
    "||": lambda a, b: float(a != 0.0 or b != 0.0),
}

FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": minimum,
    "max": maximum,
    "abs": abs,
    "floor": floor,
    "ceil": ceil,
    "sqrt": square_root,
    "exp": exponential,
    "ln": logarithm,
    "pow": power,
}
"""The value functions, by name."""
