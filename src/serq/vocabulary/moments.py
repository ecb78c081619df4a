"""Moments: when an expression is evaluated, and what may be read then (contract §2, *Expressions*).

Each context variable exists at the moments its row names; reading it at any other is a link
error, never a 0.
"""

from __future__ import annotations

from enum import Enum

from serq.records import Record


class Moment(Enum):
    """A place of the language at which an expression is evaluated; the value names it."""

    STATEMENT = "a session statement"
    HEADER = "a hold's header"
    CACHE = "a hold's cache"
    WORKLOAD = "the workload"
    QUEUE_KEY = "a queue key"
    EVICT_KEY = "an eviction key"
    SPILL = "a spill clause"
    PS_CAPACITY = "a ps stage's capacity"
    BUDGET = "a step stage's budget"
    CHUNK = "a step stage's chunk"
    COST = "a step stage's cost"
    SERVE_KEY = "a serve key"
    RENEWAL_GAP = "a renewal gap"
    GAUGE = "a gauge"
    CONSTANT = "a constant"


_EVICTION = frozenset({Moment.EVICT_KEY, Moment.SPILL})
_RESIDENTS = frozenset({Moment.BUDGET, Moment.CHUNK, Moment.COST, Moment.SERVE_KEY})
_COST = frozenset({Moment.COST})
_SERVE = frozenset({Moment.SERVE_KEY})
_EVERYWHERE = frozenset(Moment) - {Moment.GAUGE, Moment.CONSTANT, Moment.RENEWAL_GAP}


class ContextVariable(Record):
    """A name the language supplies, what it means, and the moments at which it exists."""

    name: str
    meaning: str
    moments: frozenset[Moment]


_ROWS = (
    ContextVariable("now", "the simulated time", _EVERYWHERE),
    ContextVariable(
        "waited", "time since the hold joined its queue", frozenset({Moment.QUEUE_KEY})
    ),
    ContextVariable("size", "units of the cache entry", _EVICTION),
    ContextVariable("age", "time since the entry was released", _EVICTION),
    ContextVariable("last", "the time at which the entry was released", _EVICTION),
    ContextVariable("waiting", "1 while the entry's session waits at a pool", _EVICTION),
    ContextVariable("present", "jobs at the stage", frozenset({Moment.PS_CAPACITY})),
    ContextVariable("residents", "jobs at the step stage", _RESIDENTS),
    ContextVariable("decoders", "decoding residents", _RESIDENTS),
    ContextVariable("kv_decode", "units held by decoding residents", _RESIDENTS),
    ContextVariable("kv_prefill", "units held by prefilling residents", _RESIDENTS),
    ContextVariable("tokens", "tokens the iteration scheduled", _COST),
    ContextVariable("prefilled", "prefill tokens the iteration scheduled", _COST),
    ContextVariable("attention", "sum of n (K + n/2) over the prefill chunks", _COST),
    ContextVariable("decoding", "1 for a decoding resident, 0 for a prefilling one", _SERVE),
    ContextVariable("admission", "the resident's admission number", _SERVE),
    ContextVariable("remaining", "tokens the resident's run has left", _SERVE),
)

CONTEXT_VARIABLES: dict[str, ContextVariable] = {row.name: row for row in _ROWS}

INFINITY = "inf"
"""The one constant the language supplies."""

SUPPLIED_NAMES: frozenset[str] = frozenset(CONTEXT_VARIABLES) | {INFINITY}
"""Names no attribute and no constant may take."""

OLD_SPELLINGS: dict[str, str] = {
    "n": "present",
    "ntok": "tokens",
    "ndec": "decoders",
    "npre": "prefilled",
    "nres": "residents",
    "kvb": "kv_decode",
    "kvp": "kv_prefill",
    "attn": "attention",
    "queued": "waiting",
}
"""Names context variables had in earlier versions, refused with the new one where the name is
otherwise unknown."""
