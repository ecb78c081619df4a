"""The values a constant takes in a sweep, from the text a person writes.

`1,2,4` lists them; `1:10:3` counts from 1 in steps of 3 up to 10 at most, `1:10` in steps of 1;
`1:64:*2` multiplies. Parts of a list are ranges or expressions: a comma inside parentheses
belongs to the expression, `min(a, b),7`. Depends on nothing of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, Overflow
from typing import SupportsFloat

Value = float | str
"""A number, or the text of an expression."""

MOST_VALUES = 10_000
"""Values of one constant at most."""

_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*:\s*({_NUMBER})\s*(?::\s*(\*?)\s*({_NUMBER})\s*)?", re.A)


def values_of(given: object) -> tuple[Value, ...]:
    """The values that a text, a number or several of those stand for.

    Raises:
        ValueError: A range without end, too many values, or none.
        TypeError: Something that is neither a number nor a text.
    """
    if isinstance(given, str):
        found = _listed(given)
    elif isinstance(given, SupportsFloat):
        found = (float(given),)
    elif isinstance(given, Iterable):
        found = tuple(value for each in given for value in _single(each))
    else:
        raise TypeError(f"a number, the text of an expression or several of them, not {given!r}")
    if not found:
        raise ValueError("at least one value")
    if len(found) > MOST_VALUES:
        raise ValueError(f"at most {MOST_VALUES:,} values")
    return found


def _single(each: object) -> tuple[Value, ...]:
    if isinstance(each, str):
        return (_value(each),)
    if isinstance(each, SupportsFloat):
        return (float(each),)
    raise TypeError(f"a number or the text of an expression, not {each!r}")


def _listed(text: str) -> tuple[Value, ...]:
    found: list[Value] = []
    for part in split(text):
        match = _RANGE.fullmatch(part)
        found += [_value(part)] if match is None else _range(*match.groups())
    return tuple(found)


def split(text: str) -> list[str]:
    """The parts between the commas that stand in no parentheses or brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _value(text: str) -> Value:
    text = text.strip()
    if not text:
        raise ValueError("a value on each side of a comma")
    return float(text) if re.fullmatch(_NUMBER, text, re.ASCII) else text


def _range(first: str, last: str, times: str | None, by: str | None) -> list[Value]:
    """The numbers from `first` to `last`: in decimal, so that 0.1:0.3:0.1 has 0.3."""
    number, end, step = Decimal(first), Decimal(last), Decimal(by or "1")
    growing = step > 1 and number > 0 if times else step > 0
    if not growing:
        least = "a factor above 1 and a first value above 0" if times else "a step above 0"
        raise ValueError(f"a range with {least}")
    found: list[Value] = []
    try:
        while number <= end:
            if len(found) == MOST_VALUES:
                raise ValueError(f"at most {MOST_VALUES:,} values")
            found.append(float(number))
            number = number * step if times else number + step
    except Overflow:
        raise ValueError("a range of finite numbers") from None
    if not found:
        raise ValueError("a range whose last value is not below its first")
    return found
