"""The program as JSON, IR version 10: every node's shape (the order of members is the file's).

`version` and the slots of the built-in attributes, which the file spells out one by one, are
added here too. Depends on the nodes, the spellings and `serq.ir.shapes`.
"""

from __future__ import annotations

from typing import Any, Final

from serq.ir import nodes, spelling
from serq.ir.expressions_json import EXPRESSION, POOL, STAGE
from serq.ir.json_text import Json
from serq.ir.shapes import (
    COUNT,
    INDEX,
    REAL,
    REAL_OR_INFINITY,
    TEXT,
    TRUTH,
    Many,
    Member,
    MismatchError,
    Optional,
    Place,
    Row,
    Shape,
    Struct,
    Variants,
    Word,
    Wrap,
)
from serq.ir.version import IR_VERSION


class EvictShape:
    """The eviction order: `"Lru"` for None, `{"By": keys}` for keys."""

    shape: Final = Variants(
        "an eviction order", (("Lru", type(None), None), ("By", tuple, Many(EXPRESSION)))
    )

    def encode(self, node: tuple[nodes.Expression, ...] | None) -> Json:
        """Its JSON."""
        return self.shape.encode(node)

    def decode(self, json: Json, place: Place) -> Any:
        """Its keys, or None."""
        return self.shape.decode(json, place)


class PreemptShape:
    """What a failed growth does: `"None"` for False, `"Lifo"` for True."""

    word: Final = Word("a preemption rule", {"none": "None", "lifo": "Lifo"})

    def encode(self, node: bool) -> Json:
        """Its JSON."""
        return self.word.encode("lifo" if node else "none")

    def decode(self, json: Json, place: Place) -> bool:
        """Whether it is `lifo`."""
        return self.word.decode(json, place) == "lifo"


_SPILL: Final = Struct(
    "a spill",
    nodes.Spill,
    (
        Member("to", "to", INDEX),
        Member("via", "via", INDEX),
        Member("work", "work", EXPRESSION),
        Member("when", "when", EXPRESSION),
    ),
)

_POOL: Final = Struct(
    "a pool",
    nodes.Pool,
    (
        Member("name", "name", TEXT),
        Member("index", "index", Optional(INDEX), omitted=None),
        Member("cap", "cap", REAL_OR_INFINITY),
        Member("block", "block", Optional(REAL)),
        Member("evict", "evict", EvictShape()),
        Member("preempt_lifo", "preempt", PreemptShape()),
        Member("queue", "queue", Optional(Many(EXPRESSION))),
        Member("spill", "spill", Optional(_SPILL)),
        Member("admit_via", "admit_via", Optional(INDEX)),
    ),
)

_SERVE: Final = Variants(
    "a serving order",
    (
        ("By", nodes.ServeBy, Wrap(nodes.ServeBy, "keys", Many(EXPRESSION))),
        ("ExclusivePrefill", nodes.ExclusivePrefill, None),
    ),
)

_STEP: Final = Struct(
    "a step stage",
    nodes.Step,
    (
        Member("budget", "budget", EXPRESSION),
        Member("cost", "cost", EXPRESSION),
        Member("chunk", "chunk", EXPRESSION),
        Member("serve", "serve", _SERVE),
        Member("memory", "memory", Optional(INDEX)),
    ),
)

_KIND: Final = Variants(
    "a stage kind",
    (
        ("Fifo", nodes.Fifo, Wrap(nodes.Fifo, "servers", COUNT)),
        ("Ps", nodes.Ps, Wrap(nodes.Ps, "capacity", EXPRESSION)),
        ("Delay", nodes.Delay, None),
        ("Step", nodes.Step, _STEP),
    ),
)

_STAGE: Final = Struct(
    "a stage",
    nodes.Stage,
    (
        Member("name", "name", TEXT),
        Member("index", "index", Optional(INDEX), omitted=None),
        Member("kind", "kind", _KIND),
    ),
)


def _row(shown: str, node: type, **fields: Shape) -> Row:
    return Row(f"`[{shown}]`", node, tuple(fields.items()))


_HOLD_POOL: Final = _row(
    "pool, units, reserve",
    nodes.HoldPool,
    pool=POOL,
    units=EXPRESSION,
    reserve=Optional(EXPRESSION),
)

_HOLD: Final = Struct(
    "a hold",
    nodes.Hold,
    (
        Member("pools", "pools", Many(_HOLD_POOL)),
        Member("reuse", "reuse", Optional(EXPRESSION)),
        Member("body", "body", INDEX),
        Member("cache", "cache", Optional(EXPRESSION)),
        Member(
            "lease",
            "lease",
            Optional(_row("pool, time", nodes.Lease, pool=POOL, time=EXPRESSION)),
        ),
    ),
)

_RUN: Final = Struct(
    "a run",
    nodes.Run,
    (
        Member("stage", "stage", STAGE),
        Member("mode", "mode", Word("a mode", spelling.MODES)),
        Member("work", "work", EXPRESSION),
        Member("growing", "growing", Optional(POOL)),
        Member("also", "also", Many(STAGE), omitted=()),
    ),
)

_CHOOSE: Final = Struct(
    "a choose",
    nodes.Choose,
    (
        Member("slot", "var", INDEX),
        Member("count", "count", EXPRESSION),
        Member("keys", "key", Many(EXPRESSION)),
    ),
)

_SET: Final = _row("slot, value", nodes.Set, slot=INDEX, value=EXPRESSION)
_OBSERVE: Final = _row("observation, value", nodes.Observe, observe=INDEX, value=EXPRESSION)
_GROW: Final = _row("pool, units", nodes.Grow, pool=POOL, units=EXPRESSION)
_LOAD: Final = _row("pool, units", nodes.Load, pool=POOL, units=EXPRESSION)
_BRANCH: Final = _row(
    "test, block, block", nodes.Branch, test=EXPRESSION, then=INDEX, otherwise=INDEX
)

_STATEMENT: Final = Variants(
    "a statement",
    (
        ("Turn", nodes.Turn, None),
        ("End", nodes.End, None),
        ("Set", nodes.Set, _SET),
        ("Observe", nodes.Observe, _OBSERVE),
        ("Hold", nodes.Hold, _HOLD),
        ("Grow", nodes.Grow, _GROW),
        ("Load", nodes.Load, _LOAD),
        ("Drop", nodes.Drop, Wrap(nodes.Drop, "pool", POOL)),
        ("Release", nodes.Release, Wrap(nodes.Release, "pool", POOL)),
        ("Run", nodes.Run, _RUN),
        ("Branch", nodes.Branch, _BRANCH),
        ("Loop", nodes.Loop, Wrap(nodes.Loop, "body", INDEX)),
        ("Choose", nodes.Choose, _CHOOSE),
    ),
)


class SlotValueShape:
    """The value of an attribute: `[slot, value]`."""

    def encode(self, node: tuple[int, float]) -> Json:
        """Its JSON."""
        return [node[0], REAL.encode(node[1])]

    def decode(self, json: Json, place: Place) -> tuple[int, float]:
        """Slot and value."""
        if not isinstance(json, list) or len(json) != 2:
            raise place.expected("`[slot, value]`", json)
        return INDEX.decode(json[0], place.down(0)), REAL.decode(json[1], place.down(1))


_PRESET: Final = Struct(
    "a session",
    nodes.Preset,
    (
        Member("attributes", "attrs", Many(SlotValueShape())),
        Member("turns", "turns", Many(Many(SlotValueShape())), omitted=()),
    ),
)

_ARRIVAL: Final = Variants(
    "an arrival process",
    (
        ("Poisson", nodes.Poisson, Wrap(nodes.Poisson, "rate", REAL)),
        ("Renewal", nodes.Renewal, Wrap(nodes.Renewal, "gap", EXPRESSION)),
        ("Closed", nodes.Closed, Wrap(nodes.Closed, "count", COUNT)),
        ("Batch", nodes.Batch, Wrap(nodes.Batch, "count", COUNT)),
        ("Sessions", nodes.Sessions, Wrap(nodes.Sessions, "sessions", Many(_PRESET))),
        ("Trace", nodes.TraceArrivals, Wrap(nodes.TraceArrivals, "scale", REAL)),
        ("None", nodes.NoArrivals, None),
    ),
)

_GAUGE: Final = Struct(
    "a gauge", nodes.Gauge, (Member("name", "name", TEXT), Member("value", "expr", EXPRESSION))
)

_BEFORE_SLOTS: Final = (
    Member("attributes", "attrs", Many(TEXT)),
    Member("observes", "observes", Many(TEXT)),
    Member("pools", "pools", Many(_POOL)),
    Member("stages", "stages", Many(_STAGE)),
    Member("arrival", "arrival", _ARRIVAL),
    Member("trace", "trace", Optional(TEXT)),
    Member("trace_ordered", "trace_ordered", TRUTH),
    Member("init", "init", INDEX),
    Member("turn", "turn", INDEX),
    Member("session", "session", INDEX),
    Member("blocks", "blocks", Many(Many(_STATEMENT))),
    Member("horizon", "horizon", REAL),
    Member("warmup", "warmup", REAL),
    Member("seed", "seed", COUNT),
    Member("arrivals", "arrivals", Optional(COUNT), omitted=None),
)
_SLOTS: Final = Struct(
    "a program",
    nodes.Slots,
    tuple(
        Member(name, f"slot_{'turn' if name == 'turn_no' else name}", INDEX)
        for name in nodes.Slots.__match_args__
    ),
)
_AFTER_SLOTS: Final = (
    Member("hidden", "hidden", Many(INDEX)),
    Member("share", "share", Optional(Word("a share", spelling.SHARES)), omitted=None),
    Member("gauges", "gauges", Many(_GAUGE), omitted=()),
)


class _ProgramShape:
    """A program, whose slots stand among its own members."""

    before: Final = Struct("a program", dict, _BEFORE_SLOTS)
    slots: Final = _SLOTS
    after: Final = Struct("a program", dict, _AFTER_SLOTS)

    def encode(self, node: nodes.Program) -> Json:
        """Its JSON, the version first."""
        json: dict[str, Json] = {"version": IR_VERSION}
        for shape, part in ((self.before, node), (_SLOTS, node.slots), (self.after, node)):
            encoded = shape.encode(part)
            assert isinstance(encoded, dict)
            json |= encoded
        return json

    def decode(self, json: Json, place: Place) -> nodes.Program:
        """The program; every part is looked at before it is refused."""
        parts: list[Any] = []
        for shape in (self.before, _SLOTS, self.after):
            try:
                parts.append(shape.decode(json, place))
            except MismatchError:
                if not isinstance(json, dict):
                    raise
        if len(parts) < 3:
            raise MismatchError
        before, slots, after = parts
        return nodes.Program(**before, slots=slots, **after)


PROGRAM: Final = _ProgramShape()
