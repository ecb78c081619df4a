"""The operators and value functions on constants: IEEE arithmetic, never an exception (contract
§2, *Expressions*).

A constant is a double. Where Python raises (a division by zero, the logarithm of a negative
number, the floor of infinity) the answer is the one IEEE 754 gives, and the rule that uses the
constant judges it. Depends on nothing of ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import copysign, inf, isnan, nan


def divide(a: float, b: float) -> float:
    """`a / b`; by zero an infinity, or NaN for 0/0."""
    if b != 0.0:
        return a / b
    return nan if a == 0.0 or isnan(a) else copysign(inf, a) * copysign(1.0, b)


def power(a: float, b: float) -> float:
    """`a ^ b` as the C library's `pow` has it."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -inf if a < 0.0 and b % 2.0 == 1.0 else inf
    except ValueError:
        if a == 0.0:  # a negative power of zero
            return copysign(inf, a) if b % 2.0 == 1.0 else inf
        return nan


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
    return -inf if a == 0.0 else nan


def square_root(a: float) -> float:
    """The square root; NaN of a negative number."""
    return nan if a < 0.0 else math.sqrt(a)


def floor(a: float) -> float:
    """The greatest whole number not above `a`."""
    return float(math.floor(a)) if math.isfinite(a) else a


def ceil(a: float) -> float:
    """The least whole number not below `a`."""
    return float(math.ceil(a)) if math.isfinite(a) else a


def minimum(a: float, b: float) -> float:
    """The lesser; a NaN loses."""
    return a if isnan(b) or a < b else b


def maximum(a: float, b: float) -> float:
    """The greater; a NaN loses."""
    return a if isnan(b) or a > b else b


UNARY: dict[str, Callable[[float], float]] = {
    "-": lambda a: -a,
    "!": lambda a: float(a == 0.0),
}

BINARY: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
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
