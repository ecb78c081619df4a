"""A session of a request trace."""

from __future__ import annotations

from typing import NamedTuple


class TraceTurn(NamedTuple):
    """One turn: `new` prompt tokens, `out` tokens answered, `think` time before the next
    turn's request, and whether its prefix is `forced` to miss (0 or 1).
    """

    new: float
    out: float
    think: float
    forced: float = 0.0


TraceSession = tuple[TraceTurn, ...]
