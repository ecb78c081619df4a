"""Functions: their parameters and what they read (contract §2, *Expressions*)."""

from __future__ import annotations

from enum import Enum

from serq.records import Record


class Kind(Enum):
    """What a parameter takes; the value names it in a sentence."""

    VALUE = "an expression"
    POOL = "a pool"
    STAGE = "a stage"


class Function(Record):
    """A function of the language.

    `live` says that it reads the state of pools or stages, `session` that it reads the
    evaluating session (`cachedin`), `moves` that its value changes between events (`work`),
    `plans` that it evaluates a budget (`budget_left`), `folded` that the linker replaces it
    by a number.
    """

    name: str
    parameters: tuple[Kind, ...]
    live: bool = False
    session: bool = False
    moves: bool = False
    plans: bool = False
    folded: bool = False


_VALUE, _POOL, _STAGE = Kind.VALUE, Kind.POOL, Kind.STAGE

_ROWS = (
    Function("min", (_VALUE, _VALUE)),
    Function("max", (_VALUE, _VALUE)),
    Function("abs", (_VALUE,)),
    Function("floor", (_VALUE,)),
    Function("ceil", (_VALUE,)),
    Function("sqrt", (_VALUE,)),
    Function("exp", (_VALUE,)),
    Function("ln", (_VALUE,)),
    Function("pow", (_VALUE, _VALUE)),
    Function("queue", (_STAGE,), live=True),
    Function("busy", (_STAGE,), live=True),
    Function("work", (_STAGE,), live=True, moves=True),
    Function("budget_left", (_STAGE,), live=True, plans=True),
    Function("est_lambda", (_STAGE,), live=True),
    Function("est_rho", (_STAGE,), live=True),
    Function("est_wait", (_STAGE,), live=True),
    Function("price", (_STAGE, _VALUE, _VALUE), live=True),
    Function("used", (_POOL,), live=True),
    Function("free", (_POOL,), live=True),
    Function("cachedin", (_POOL,), live=True, session=True),
    Function("holders", (_POOL,), live=True),
    Function("queued", (_POOL,), live=True),
    Function("blocksize", (_POOL,), folded=True),
)

FUNCTIONS: dict[str, Function] = {row.name: row for row in _ROWS}

VALUE_FUNCTIONS: frozenset[str] = frozenset(
    row.name for row in _ROWS if not row.live and not row.folded
)
"""Functions of numbers alone: a constant expression may call these."""

AGGREGATES: tuple[str, ...] = ("max", "min", "sum")
"""Words of an aggregate over an index, `max j in n (e)`."""
