"""An IR that is none is refused with the code that says why, whoever wrote it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import serq

Path = tuple[str | int, ...]

ENGINE_RUN = {
    "Run": {
        "stage": {"base": 0, "count": 1, "index": None},
        "mode": "Prefill",
        "work": {"Num": 100.0},
        "growing": {"base": 0, "count": 1, "index": None},
    }
}
HOLD = {
    "Hold": {
        "pools": [[{"base": 0, "count": 1, "index": None}, {"Num": 16.0}, None]],
        "reuse": None,
        "body": 3,
        "cache": {"Num": 100.0},
        "lease": None,
    }
}
BUILT_IN = ["cached", "serial", "turn_no", "new", "out", "think", "more", "forced", "computed"]
SLOTS = ["cached", "serial", "turn", "new", "out", "think", "more", "forced", "computed"]

PROGRAM: dict[str, Any] = {
    "version": 10,
    "attrs": [*BUILT_IN, "prompt"],
    "observes": ["response"],
    "pools": [
        {
            "name": "kv", "cap": 4000.0, "block": 16.0, "evict": {"By": [{"Ctx": "Age"}]},
            "preempt": "Lifo", "queue": [{"Attr": 9}], "spill": None, "admit_via": 0,
        },
    ],
    "stages": [
        {
            "name": "engine",
            "kind": {
                "Step": {
                    "budget": {"Num": 512.0}, "cost": {"Ctx": "Ntok"}, "chunk": {"Num": 0.0},
                    "serve": {"By": [{"Ctx": "Remaining"}]}, "memory": 0,
                },
            },
        },
    ],
    "arrival": {"Batch": 2},
    "trace": None,
    "trace_ordered": False,
    "init": 0,
    "turn": 1,
    "session": 2,
    "blocks": [
        [{"Set": [9, {"Num": 64.0}]}],
        [],
        [HOLD, {"Observe": [0, {"Ctx": "Now"}]}, "End"],
        [ENGINE_RUN],
    ],
    "horizon": 1000.0,
    "warmup": 0.0,
    "seed": 1,
    **{f"slot_{name}": slot for slot, name in enumerate(SLOTS)},
    "hidden": [],
    "gauges": [{"name": "taken", "expr": {"Call": ["Used", [{"Pool": {"base": 0, "count": 1,
                                                                      "index": None}}]]}}],
}  # fmt: skip

MISSING = object()


def changed(path: Path, value: Any) -> str:
    """The program as JSON, with the value at `path` replaced, or taken out."""
    program = copy.deepcopy(PROGRAM)
    *outer, last = path
    place: Any = program
    for key in outer:
        place = place[key]
    if value is MISSING:
        del place[last]
    else:
        place[last] = value
    return json.dumps(program)


def codes(text: str) -> list[str]:
    """The codes of the errors of an IR; none when it is accepted."""
    try:
        serq.Program.from_json(text)
    except serq.SerqError as error:
        return [d.code for d in error.diagnostics if d.severity == "error"]
    return []


def test_the_program_itself_is_accepted() -> None:
    program = serq.Program.from_json(json.dumps(PROGRAM))
    assert serq.run(program).ended == 2


STEP: Path = ("stages", 0, "kind", "Step")
HOLD_AT: Path = ("blocks", 2, 0, "Hold")
RUN_AT: Path = ("blocks", 3, 0, "Run")
DRAW = {"Sample": ["Exp", [{"Num": 1.0}]]}
PRESENT = {"Ctx": "N"}
PROMPT = {"Attr": 9}
POOL_0 = {"base": 0, "count": 1, "index": None}

SHAPE = [
    ("a member is missing", ("horizon",), MISSING),
    ("a slot is missing", ("slot_cached",), MISSING),
    ("the attributes are no list", ("attrs",), "cached"),
    ("a name is a number", ("observes", 0), 7),
    ("the horizon is text", ("horizon",), "long"),
    ("the horizon is null", ("horizon",), None),
    ("the seed is negative", ("seed",), -1),
    ("the seed is a fraction", ("seed",), 0.5),
    ("the order of a trace is a number", ("trace_ordered",), 0),
    ("a block is no list", ("blocks", 1), {}),
    ("a statement nobody knows", ("blocks", 1), [{"Wait": {"Num": 1.0}}]),
    ("a statement without what it needs", ("blocks", 1), ["Set"]),
    ("a set of one part", ("blocks", 1), [{"Set": [9]}]),
    ("an expression nobody knows", (*RUN_AT, "work"), {"Random": 1.0}),
    ("an expression that is a bare number", (*RUN_AT, "work"), 100.0),
    ("an operator nobody knows", (*RUN_AT, "work"), {"Binary": ["Mod", PROMPT, PROMPT]}),
    ("a function nobody knows", (*RUN_AT, "work"), {"Call": ["Round", [{"Expr": PROMPT}]]}),
    ("a distribution nobody knows", (*RUN_AT, "work"), {"Sample": ["Normal", [PROMPT]]}),
    ("a context variable nobody knows", (*STEP, "cost"), {"Ctx": "Tokens"}),
    ("a kind of stage nobody knows", ("stages", 0, "kind"), {"Lifo": 1}),
    ("an arrival nobody knows", ("arrival",), {"Gamma": 1.0}),
    ("a mode nobody knows", (*RUN_AT, "mode"), "Both"),
    ("a preemption nobody knows", ("pools", 0, "preempt"), "Swap"),
    ("a sharing nobody knows", ("share",), "Proportional"),
    ("a cap that is text", ("pools", 0, "cap"), "large"),
    ("an arrival count that is negative", ("arrival",), {"Batch": -2}),
    ("a pool index that is a fraction", ("pools", 0, "admit_via"), 0.5),
]

TABLES = [
    ("a stage that is not there", (*RUN_AT, "stage", "base"), 1),
    ("a family beyond the stages", (*RUN_AT, "stage", "count"), 2),
    ("a family of nobody", (*RUN_AT, "stage", "count"), 0),
    ("a pool that is not there", ("blocks", 2, 1),
     {"Drop": {"base": 4, "count": 1, "index": None}}),
    ("a constant member beyond the family", (*RUN_AT, "stage", "index"), {"Num": 1.0}),
    ("an attribute that is not there", (*RUN_AT, "work"), {"Attr": 10}),
    ("a set of an attribute that is not there", ("blocks", 0, 0, "Set", 0), 10),
    ("an observation that is not there", ("blocks", 2, 1, "Observe", 0), 1),
    ("a body that is not there", (*HOLD_AT, "body"), 4),
    ("a session block that is not there", ("session",), 4),
    ("a turn block that is not there", ("turn",), 9),
    ("an admitting stage that is not there", ("pools", 0, "admit_via"), 1),
    ("a memory that is not there", (*STEP, "memory"), 1),
    ("a spill to a pool that is not there", ("pools", 0, "spill"),
     {"to": 1, "via": 0, "work": {"Num": 1.0}, "when": {"Num": 1.0}}),
    ("a spill over a stage that is not there", ("pools", 0, "spill"),
     {"to": 0, "via": 1, "work": {"Num": 1.0}, "when": {"Num": 1.0}}),
    ("a slot beyond the attributes", ("slot_computed",), 10),
    ("a hidden attribute that is not there", ("hidden",), [10]),
    ("a preset attribute that is not there", ("arrival",), {"Sessions": [{"attrs": [[10, 1.0]]}]}),
    ("a gauge of a pool that is not there", ("gauges", 0, "expr"),
     {"Call": ["Used", [{"Pool": {"base": 1, "count": 1, "index": None}}]]}),
]  # fmt: skip

MEANING = [
    ("a context variable in a session", (*RUN_AT, "work"), PRESENT, "SQ301"),
    ("an iteration's tokens in a budget", (*STEP, "budget"), {"Ctx": "Ntok"}, "SQ301"),
    ("a cache entry in a queue key", ("pools", 0, "queue"), [{"Ctx": "Size"}], "SQ301"),
    ("a resident in an eviction key", ("pools", 0, "evict"), {"By": [{"Ctx": "Remaining"}]},
     "SQ301"),
    ("a draw in a queue key", ("pools", 0, "queue"), [DRAW], "SQ302"),
    ("a draw in a serve key", (*STEP, "serve"), {"By": [DRAW]}, "SQ302"),
    ("a draw in a gauge", ("gauges", 0, "expr"), DRAW, "SQ302"),
    ("an attribute in a gauge", ("gauges", 0, "expr"), PROMPT, "SQ307"),
    ("the clock in a gauge", ("gauges", 0, "expr"), {"Ctx": "Now"}, "SQ307"),
    ("a hidden attribute in a queue key", ("hidden",), [9], "SQ304"),
    ("the scheduler's own attribute is hidden", ("hidden",), [0], "SQ304"),
    ("an attribute is hidden twice", ("hidden",), [3, 3], "SQ202"),
    ("an attribute in a renewal gap", ("arrival",), {"Renewal": PROMPT}, "SQ301"),
    ("a gap of zero", ("arrival",), {"Renewal": {"Num": 0.0}}, "SQ410"),
    ("a rate of zero", ("arrival",), {"Poisson": 0.0}, "SQ410"),
    ("a limit on the arrivals of a batch", ("arrivals",), 2, "SQ419"),
    ("a block of nothing", ("pools", 0, "block"), 0.0, "SQ402"),
    ("a horizon of zero", ("horizon",), 0.0, "SQ402"),
    ("a warm-up below zero", ("warmup",), -1.0, "SQ402"),
    ("a warm-up up to the horizon", ("warmup",), 1000.0, "SQ412"),
    ("a stage without servers", ("stages",),
     [*PROGRAM["stages"], {"name": "tool", "kind": {"Fifo": 0}}], "SQ411"),
    ("a run on an engine without a mode", (*RUN_AT, "mode"), "Plain", "SQ404"),
    ("a workload that holds", ("blocks", 1), [{"Drop": POOL_0}], "SQ409"),
    ("a sharing nobody needs", ("share",), "MaxMin", "SQ416"),
    ("a gauge called as an observation", ("gauges", 0, "name"), "response", "SQ202"),
    ("a growth outside a hold", ("blocks", 2), [{"Grow": [POOL_0, {"Num": 1.0}]}], "SQ406"),
    ("a release of nothing", ("blocks", 2), [{"Release": POOL_0}], "SQ407"),
    ("a load outside a hold", ("blocks", 2), [{"Load": [POOL_0, {"Num": 1.0}]}], "SQ418"),
    ("a function given too little", (*RUN_AT, "work"), {"Call": ["Min", [{"Expr": PROMPT}]]},
     "SQ208"),
    ("a function of a pool given a stage", (*RUN_AT, "work"),
     {"Call": ["Used", [{"Stage": POOL_0}]]}, "SQ209"),
    ("a draw given too much", (*RUN_AT, "work"), {"Sample": ["Exp", [PROMPT, PROMPT]]}, "SQ208"),
]  # fmt: skip

WRITTEN = [
    ("nothing", "", "SQ502"),
    ("a page of prose", "a serving deployment is a program", "SQ502"),
    ("half a file", json.dumps(PROGRAM)[:200], "SQ502"),
    ("a comma too many", '{"version": 10, "attrs": [],}', "SQ502"),
    ("NaN, which is no JSON", changed(("horizon",), 1e3).replace("1000.0", "NaN"), "SQ502"),
    ("infinity, which is no JSON", changed(("horizon",), 1e3).replace("1000.0", "Infinity"),
     "SQ502"),
    ("a list", "[10]", "SQ503"),
    ("no version", "{}", "SQ503"),
    ("an older version", changed(("version",), 9), "SQ501"),
    ("a later version", changed(("version",), 11), "SQ501"),
    ("a version in quotes", changed(("version",), "10"), "SQ503"),
    ("lists without end", '{"version": 10, "attrs": ' + "[" * 200_000 + "]" * 200_000 + "}",
     "SQ112"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"), [case[1:] for case in WRITTEN], ids=[c[0] for c in WRITTEN]
)
def test_a_text_that_is_no_ir(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(("path", "value"), [case[1:] for case in SHAPE], ids=[c[0] for c in SHAPE])
def test_a_form_that_is_no_ir(path: Path, value: Any) -> None:
    assert set(codes(changed(path, value))) == {"SQ503"}


@pytest.mark.parametrize(
    ("path", "value"), [case[1:] for case in TABLES], ids=[c[0] for c in TABLES]
)
def test_a_number_without_an_entry(path: Path, value: Any) -> None:
    found = codes(changed(path, value))
    assert set(found) <= {"SQ504", "SQ212"}
    assert found


@pytest.mark.parametrize(
    ("path", "value", "code"), [case[1:] for case in MEANING], ids=[c[0] for c in MEANING]
)
def test_a_rule_of_the_language_holds_for_an_ir(path: Path, value: Any, code: str) -> None:
    assert set(codes(changed(path, value))) == {code}


@pytest.mark.parametrize(
    "blocks",
    [
        [[], [], [{"Loop": 2}]],
        [[], [], [{"Loop": 3}], [{"Loop": 2}]],
        [[], [], [{"Branch": [{"Num": 1.0}, 3, 2]}], []],
        [[], [], [{"Loop": 3}], [{"Hold": {**HOLD["Hold"], "body": 3}}]],
    ],
    ids=["a loop in itself", "two loops in each other", "an arm of itself", "a hold in itself"],
)
def test_blocks_that_contain_each_other(blocks: list[Any]) -> None:
    program = {**PROGRAM, "blocks": blocks, "observes": []}
    assert set(codes(json.dumps(program))) == {"SQ507"}


def test_every_mismatch_is_reported_in_the_order_of_the_text() -> None:
    program = {**PROGRAM, "horizon": "long", "seed": -1, "observes": 7}
    with pytest.raises(serq.SerqError) as refused:
        serq.Program.from_json(json.dumps(program, indent=2))
    found = refused.value.diagnostics
    assert [d.code for d in found] == ["SQ503"] * 3
    lines = [d.span.start_line for d in found if d.span is not None]
    assert len(lines) == 3
    assert lines == sorted(lines)


def test_a_deep_expression_is_read_and_never_crashes() -> None:
    deep: Any = {"Num": 1.0}
    text = changed((*RUN_AT, "work"), deep).replace('"work": {"Num": 1.0}', '"work": @')
    levels = 5_000
    work = '{"Unary": ["Neg", ' * levels + '{"Num": 1.0}' + "]}" * levels
    assert codes(text.replace("@", work)) in ([], ["SQ112"])
