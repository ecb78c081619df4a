"""The checks of a finished IR, on programs no text could make, and how they read without one."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import pytest

from serq.ir import nodes as ir
from serq.ir.validate import validate
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES

ONE = ir.Number(1.0)
KV, KVS = ir.PoolReference(0, 1), ir.PoolReference(1, 3, ir.Attribute(9))
SVC, ENGINE = ir.StageReference(0, 1), ir.StageReference(1, 1)
STEP = ir.Step(ir.Number(inf), ONE, ir.Number(0.0), ir.ServeBy())
HOLD = ir.Hold((ir.HoldPool(KV, ONE),), None, 3, None)

SOUND = ir.Program(
    attributes=(*BUILTIN_ATTRIBUTES, "x"),
    observes=("o",),
    pools=(ir.Pool("kv", cap=100.0), *(ir.Pool("kvs", i) for i in range(3))),
    stages=(
        ir.Stage("svc", ir.Fifo(1)),
        ir.Stage("engine", STEP),
        ir.Stage("ps", ir.Ps(ir.Number(3.0))),
        ir.Stage("ps2", ir.Ps(ir.Number(4.0))),
    ),
    arrival=ir.Batch(1),
    trace=None,
    trace_ordered=False,
    init=0,
    turn=1,
    session=2,
    blocks=((), (), (HOLD,), ()),
    horizon=10.0,
    warmup=0.0,
    seed=1,
)


def codes(program: ir.Program) -> list[str]:
    return [found.code for found in validate(program)]


def with_statement(statement: ir.Statement) -> ir.Program:
    """The program with one more statement at the end of its session."""
    return replace(SOUND, blocks=((), (), (HOLD, statement), ()))


def with_value(value: ir.Expression) -> ir.Program:
    return with_statement(ir.Set(9, value))


def test_a_sound_program_has_nothing_to_report() -> None:
    assert validate(SOUND) == []


STATEMENTS: list[tuple[str, ir.Statement]] = [
    ("SQ504", ir.Set(10, ONE)),
    ("SQ504", ir.Set(-1, ONE)),
    ("SQ504", ir.Observe(1, ONE)),
    ("SQ504", ir.Choose(10, ONE, (ONE,))),
    ("SQ503", ir.Choose(9, ONE, ())),
    ("SQ504", ir.Drop(ir.PoolReference(4, 1))),
    ("SQ504", ir.Drop(ir.PoolReference(-1, 1))),
    ("SQ504", ir.Drop(ir.PoolReference(0, 0))),
    ("SQ504", ir.Drop(ir.PoolReference(3, 2, ONE))),
    ("SQ504", ir.Drop(ir.PoolReference(0, 2**64, ONE))),
    ("SQ211", ir.Drop(ir.PoolReference(1, 3))),
    ("SQ212", ir.Drop(ir.PoolReference(1, 3, ir.Number(3.0)))),
    ("SQ212", ir.Drop(ir.PoolReference(1, 3, ir.Number(0.5)))),
    ("SQ212", ir.Drop(ir.PoolReference(1, 3, ir.Number(nan)))),
    ("SQ301", ir.Drop(ir.PoolReference(1, 3, ir.Context("tokens")))),
    ("SQ504", ir.Loop(9)),
    ("SQ503", ir.Hold((), None, 3, None)),
    ("SQ404", ir.Run(ENGINE, "plain", ONE)),
    ("SQ404", ir.Run(ir.StageReference(0, 2, ir.Attribute(9)), "plain", ONE)),
    ("SQ405", ir.Run(SVC, "decode", ONE)),
    ("SQ503", ir.Run(SVC, "fast", ONE)),
    ("SQ504", ir.Run(ir.StageReference(9, 1), "plain", ONE)),
    ("SQ406", ir.Run(ENGINE, "decode", ONE, KV)),
    ("SQ405", ir.Run(SVC, "plain", ONE, KV)),
    ("SQ406", ir.Grow(KV, ONE)),
    ("SQ407", ir.Release(KVS)),
    ("SQ418", ir.Load(KV, ONE)),
    ("SQ417", replace(HOLD, lease=ir.Lease(KVS, ONE))),
    ("SQ416", ir.Run(ir.StageReference(2, 1), "plain", ONE, None, (ir.StageReference(3, 1),))),
]


@pytest.mark.parametrize(("code", "statement"), STATEMENTS, ids=lambda part: str(part)[:40])
def test_statement(code: str, statement: ir.Statement) -> None:
    assert codes(with_statement(statement)) == [code]


VALUES: list[tuple[str, ir.Expression]] = [
    ("SQ401", ir.Number(nan)),
    ("SQ504", ir.Attribute(10)),
    ("SQ503", ir.Context("tempo")),
    ("SQ301", ir.Context("tokens")),
    ("SQ503", ir.Draw("gauss", (ONE,))),
    ("SQ208", ir.Draw("exp", ())),
    ("SQ503", ir.Call("round", (ONE,))),
    ("SQ503", ir.Call("blocksize", (KV,))),
    ("SQ208", ir.Call("min", (ONE,))),
    ("SQ209", ir.Call("used", (ONE,))),
    ("SQ209", ir.Call("used", (SVC,))),
    ("SQ209", ir.Call("abs", (KV,))),
    ("SQ209", ir.Call("price", (SVC, ONE, KV))),
    ("SQ504", ir.Call("used", (ir.PoolReference(7, 1),))),
    ("SQ503", ir.Unary("~", ONE)),
    ("SQ503", ir.Binary("%", ONE, ONE)),
]


@pytest.mark.parametrize(("code", "value"), VALUES, ids=lambda part: str(part)[:40])
def test_expression(code: str, value: ir.Expression) -> None:
    assert codes(with_value(value)) == [code]
    assert codes(with_value(ir.Conditional(ONE, value, ONE))) == [code]


DECLARATIONS: list[tuple[str, ir.Program]] = [
    ("SQ401", replace(SOUND, pools=(ir.Pool("kv", cap=nan), *SOUND.pools[1:]))),
    ("SQ401", replace(SOUND, pools=(ir.Pool("kv", block=nan), *SOUND.pools[1:]))),
    ("SQ402", replace(SOUND, pools=(ir.Pool("kv", block=0.0), *SOUND.pools[1:]))),
    ("SQ503", replace(SOUND, pools=(ir.Pool("kv", queue=()), *SOUND.pools[1:]))),
    ("SQ504", replace(SOUND, pools=(ir.Pool("kv", admit_via=9), *SOUND.pools[1:]))),
    ("SQ414", replace(SOUND, pools=(ir.Pool("kv", admit_via=0), *SOUND.pools[1:]))),
    (
        "SQ504",
        replace(SOUND, pools=(ir.Pool("kv", spill=ir.Spill(9, 0, ONE, ONE)), *SOUND.pools[1:])),
    ),
    (
        "SQ504",
        replace(SOUND, pools=(ir.Pool("kv", spill=ir.Spill(1, 9, ONE, ONE)), *SOUND.pools[1:])),
    ),
    ("SQ411", replace(SOUND, stages=(ir.Stage("svc", ir.Fifo(0)), *SOUND.stages[1:]))),
    (
        "SQ504",
        replace(SOUND, stages=(*SOUND.stages, ir.Stage("more", replace(STEP, memory=4)))),
    ),
    ("SQ401", replace(SOUND, arrival=ir.Poisson(nan))),
    ("SQ410", replace(SOUND, arrival=ir.Poisson(0.0))),
    ("SQ410", replace(SOUND, arrival=ir.Renewal(ir.Binary("-", ONE, ONE)))),
    ("SQ301", replace(SOUND, arrival=ir.Renewal(ir.Attribute(9)))),
    ("SQ411", replace(SOUND, arrival=ir.Closed(-1))),
    ("SQ504", replace(SOUND, arrival=ir.Sessions((ir.Preset(((10, 1.0),)),)))),
    ("SQ504", replace(SOUND, arrival=ir.Sessions((ir.Preset((), (((10, 1.0),),)),)))),
    ("SQ401", replace(SOUND, arrival=ir.Sessions((ir.Preset(((9, nan),)),)))),
    ("SQ419", replace(SOUND, arrivals=3)),
    ("SQ411", replace(SOUND, arrival=ir.Poisson(1.0), arrivals=0)),
    ("SQ401", replace(SOUND, horizon=nan)),
    ("SQ402", replace(SOUND, horizon=inf)),
    ("SQ402", replace(SOUND, horizon=0.0)),
    ("SQ401", replace(SOUND, warmup=nan)),
    ("SQ402", replace(SOUND, warmup=-1.0)),
    ("SQ412", replace(SOUND, warmup=10.0)),
    ("SQ402", replace(SOUND, seed=-1)),
    ("SQ402", replace(SOUND, seed=2**64)),
    ("SQ504", replace(SOUND, slots=ir.Slots(cached=99))),
    ("SQ504", replace(SOUND, hidden=(10,))),
    ("SQ202", replace(SOUND, hidden=(9, 9))),
    ("SQ304", replace(SOUND, hidden=(0,))),
    ("SQ416", replace(SOUND, share="maxmin")),
    ("SQ307", replace(SOUND, gauges=(ir.Gauge("g", ir.Attribute(9)),))),
    ("SQ202", replace(SOUND, gauges=(ir.Gauge("o", ONE),))),
    ("SQ202", replace(SOUND, gauges=(ir.Gauge("g", ONE), ir.Gauge("g", ONE)))),
    ("SQ504", replace(SOUND, session=9)),
    ("SQ504", replace(SOUND, init=-1)),
    ("SQ409", replace(SOUND, init=2)),
    ("SQ507", replace(SOUND, blocks=((), (), (ir.Loop(2),), ()))),
    ("SQ507", replace(SOUND, blocks=((), (), (ir.Loop(3),), (ir.Loop(4),), (ir.Loop(3),)))),
    ("SQ507", replace(SOUND, blocks=(*SOUND.blocks, (ir.Loop(4),)))),
]


@pytest.mark.parametrize(("code", "program"), DECLARATIONS)
def test_declaration(code: str, program: ir.Program) -> None:
    assert codes(program) == [code]


def test_a_finding_without_a_text_names_the_part_and_the_file() -> None:
    named = {
        "`session`, statement 2": with_value(ir.Context("tokens")),
        "pool `kvs[1]`": replace(
            SOUND, pools=(*SOUND.pools[:2], ir.Pool("kvs", 1, block=0.0), SOUND.pools[3])
        ),
        "stage `svc`": replace(SOUND, stages=(ir.Stage("svc", ir.Fifo(0)), *SOUND.stages[1:])),
        "gauge `g`": replace(SOUND, gauges=(ir.Gauge("g", ir.Context("now")),)),
        "run": replace(SOUND, warmup=11.0),
        "hidden": replace(SOUND, hidden=(0,)),
        "block 3, statement 1": replace(SOUND, blocks=(*SOUND.blocks[:3], (ir.Set(99, ONE),))),
    }
    for part, program in named.items():
        (found,) = validate(program, None, "a.ir.json")
        assert found.message.startswith(f"{part}: "), found.message
        assert found.span is None
        assert found.file == "a.ir.json"


def test_the_members_of_an_array_make_one_finding() -> None:
    pools = tuple(ir.Pool("p", i, evict=(ir.Context("tokens"),)) for i in range(100))
    assert codes(replace(SOUND, pools=(*SOUND.pools, *pools))) == ["SQ301"]


def test_blocks_may_be_shared_and_each_way_into_one_is_checked() -> None:
    grows = (ir.Grow(KV, ONE),)
    held = replace(HOLD, body=3)
    assert codes(replace(SOUND, blocks=((), (), (held, held), grows))) == []
    assert codes(replace(SOUND, blocks=((), (), (held, ir.Loop(3)), grows))) == ["SQ406"]


def test_blocks_shared_without_measure_are_refused() -> None:
    ways = 40
    chain = tuple((ir.Branch(ONE, i + 1, i + 1),) for i in range(2, 2 + ways))
    assert codes(replace(SOUND, blocks=((), (), *chain, ()))) == ["SQ125"]


def test_a_deep_chain_of_blocks_is_followed_without_recursion() -> None:
    depth = 50_000
    chain = tuple((ir.Loop(i + 1),) for i in range(2, 2 + depth))
    assert codes(replace(SOUND, blocks=((), (), *chain, (ir.Release(KV),)))) == ["SQ407"]


def test_a_deep_expression_is_followed_without_recursion() -> None:
    value: ir.Expression = ir.Context("tokens")
    for _ in range(50_000):
        value = ir.Unary("-", value)
    assert codes(with_value(value)) == ["SQ301"]
    assert codes(replace(SOUND, arrival=ir.Renewal(value))) == ["SQ301"]
