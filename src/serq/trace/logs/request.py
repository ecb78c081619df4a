"""A request of a log: when it was sent, how long its prompt and its answer were.

Times are whole nanoseconds of the log's own clock, so that a difference of two of them is exact.
Depends on nothing.
"""

from __future__ import annotations

from typing import NamedTuple

NANOSECONDS = 1_000_000_000


class Request(NamedTuple):
    """One request. `answered` is the time of its last token, where the log has it.

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


def seconds(nanoseconds: int) -> str:
    """A time as the shortest decimal that is exactly it: 4.314579."""
    whole, rest = divmod(abs(nanoseconds), NANOSECONDS)
    sign = "-" if nanoseconds < 0 else ""
    return f"{sign}{whole}.{rest:09d}".rstrip("0").rstrip(".")
