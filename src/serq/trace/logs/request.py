"""A request of a log: when it was sent, how long its prompt and its answer were.

Times are whole nanoseconds of the log's own clock, so that a difference of two of them is exact.
Depends on nothing.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

NANOSECONDS = 1_000_000_000
MOST_SECONDS = 4_000_000_000
"""Times lie within so many seconds of 0, which is the year 2096 for a clock of the calendar."""


class Request(NamedTuple):
    """One request. `answered` is the time of its last token, `first` that of its first one, where
    the log has them.

    `session` names the conversation it belongs to, `blocks` the content of its prompt, an id a
    block of `block_tokens` tokens; a log has one of them or neither.
    """

    sent: int
    prompt: int
    answer: int
    answered: int | None = None
    session: str | None = None
    blocks: tuple[int, ...] = ()
    block_tokens: int = 0
    first: int | None = None


def nanoseconds(value: Decimal, *, a_second: int) -> int | None:
    """A time in nanoseconds, given in units of which a second has so many; None out of range."""
    most = MOST_SECONDS * a_second
    if not (value.is_finite() and -most <= value <= most):
        return None
    return int((value * (NANOSECONDS // a_second)).to_integral_value())


def seconds(nanoseconds: int) -> str:
    """A time as the shortest decimal that is exactly it: 4.314579."""
    whole, rest = divmod(abs(nanoseconds), NANOSECONDS)
    sign = "-" if nanoseconds < 0 else ""
    return f"{sign}{whole}.{rest:09d}".rstrip("0").rstrip(".")
