"""What a program becomes: numbering, folding, and sugar written out (literal expectations)."""

from __future__ import annotations

from math import inf

import pytest
from tests.unit.link.linking import linked, program, statements

from serq.ir import nodes as ir
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES

KV, REQS = ir.PoolReference(0, 1), ir.PoolReference(1, 1)
ENGINE = ir.StageReference(1, 1)
ZERO, ONE, TWO = ir.Number(0.0), ir.Number(1.0), ir.Number(2.0)
X = ir.Attribute(9)


def value(expression: str) -> ir.Expression:
    """The IR of an expression of the session."""
    (observe,) = statements(f"observe o = {expression};")
    assert isinstance(observe, ir.Observe)
    return observe.value


# Numbering


def test_attributes_are_numbered_as_they_are_first_assigned() -> None:
    text = program(
        """set a = 1;
        hold kv (1) at admission (m = 1, n = 2) { set b = n; branch (1) { choose c in 2 by (1); }
          else { set d = 1; } }
        set e = a; set a = 2;""",
        workload="arrive batch (1); init { set q = e; } turn { set r = 2; set q = 3; }",
    )
    names = ("q", "r", "a", "n", "b", "c", "d", "e")
    assert linked(text).attributes == (*BUILTIN_ATTRIBUTES, *names)


def test_observations_are_numbered_as_they_are_first_made() -> None:
    text = program(
        "observe x = 1; observe y = 2; observe x = 3;",
        workload="arrive batch (1); init { observe z = 1; } turn { observe y = 1; }",
    )
    assert linked(text).observes == ("z", "y", "x")


def test_blocks_are_numbered_depth_first() -> None:
    ir_program = linked(
        program("loop { hold kv (1) { end; } } branch (1) { loop { } } else { turn; } loop { }")
    )
    assert (ir_program.init, ir_program.turn, ir_program.session) == (0, 1, 2)
    hold = ir.Hold((ir.HoldPool(KV, ONE),), None, 4, None)
    assert ir_program.blocks == (
        (),
        (),
        (ir.Loop(3), ir.Branch(ONE, 5, 7), ir.Loop(8)),
        (hold,),
        (ir.End(),),
        (ir.Loop(6),),
        (),
        (ir.Turn(),),
        (),
    )


def test_members_of_an_array_take_consecutive_numbers() -> None:
    ir_program = linked(program(items="pool one[1] { } pool last { }"))
    assert [pool.label for pool in ir_program.pools] == [
        "kv", "reqs", "kvs[0]", "kvs[1]", "kvs[2]", "one[0]", "last",
    ]  # fmt: skip


def test_a_program_of_nothing_has_three_empty_blocks() -> None:
    ir_program = linked("run { horizon 5; }")
    assert ir_program.blocks == ((), (), ())
    assert ir_program.arrival == ir.NoArrivals()
    assert (ir_program.horizon, ir_program.warmup, ir_program.seed) == (5.0, 0.0, 1)
    assert ir_program.arrivals is None
    assert ir_program.trace is None


# Folding


def test_a_constant_is_a_number_and_arithmetic_stays() -> None:
    text = program("observe o = n + 1 + -n;", items="let n = 2 * 3;")
    ir_program = linked(text)
    six = ir.Number(6.0)
    expected = ir.Binary("+", ir.Binary("+", six, ONE), ir.Unary("-", six))
    assert ir_program.blocks[2] == (ir.Observe(0, expected),)


def test_a_later_constant_of_one_name_wins() -> None:
    text = program("observe o = b;", items="let a = 1; let b = a; let a = 2; pool q { cap a; }")
    ir_program = linked(text)
    assert ir_program.blocks[2] == (ir.Observe(0, ONE),)
    assert ir_program.pools[-1].cap == 2.0


def test_names_are_attributes_then_constants_then_context_variables() -> None:
    assert value("inf") == ir.Number(inf)
    assert value("now") == ir.Context("now")
    assert statements("set svc = 1; observe o = svc;")[1] == ir.Observe(0, X)
    kv = statements("observe o = kv + used(kv);", items="let kv = 5;")
    five = ir.Number(5.0)
    assert kv == (ir.Observe(0, ir.Binary("+", five, ir.Call("used", (KV,)))),)


@pytest.mark.parametrize(
    ("index", "number"),
    [
        ("0", 0.0), ("1 + 1", 2.0), ("min(1, 2)", 1.0), ("n", 1.0), ("1 ? 2 : serial", 2.0),
        ("max j in 3 (j)", 2.0),
    ],
)  # fmt: skip
def test_a_constant_index_is_its_number(index: str, number: float) -> None:
    (run,) = statements(f"run ds[{index}] (1);", items="let n = 1;")
    assert run == ir.Run(ir.StageReference(6, 3, ir.Number(number)), "plain", ONE)


def test_other_indices_stay_as_written() -> None:
    draw = statements("run ds[~bernoulli(0.5)] (1);")[0]
    assert isinstance(draw, ir.Run)
    assert draw.stage.index == ir.Draw("bernoulli", (ir.Number(0.5),))
    side = statements("run ds[1 ? 2 : ~exp(1)] (1);")[0]
    assert isinstance(side, ir.Run)
    assert isinstance(side.stage.index, ir.Conditional)
    block = statements("run ds[blocksize(kv) - 16] (1);")[0]
    assert isinstance(block, ir.Run)
    assert block.stage.index == ir.Binary("-", ir.Number(16.0), ir.Number(16.0))


def test_a_block_size_is_its_number() -> None:
    assert value("blocksize(kv)") == ir.Number(16.0)
    text = program(
        items="pool q[2] { block 4; evict by (blocksize(late)); } pool late { block 8; }"
    )
    assert linked(text).pools[-2].evict == (ir.Number(8.0),)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1 / 0", inf), ("-1 / 0", -inf), ("1 / (0 * -1)", -inf), ("floor(1 / 0)", inf),
        ("exp(1000)", inf), ("ln(0)", -inf), ("2 ^ 2000", inf), ("(-2) ^ 2001", -inf),
        ("0 ^ -1", inf), ("1 ? 2 : ~exp(1)", 2.0), ("0 ? nope : 3", 3.0), ("!0 + !(2)", 1.0),
        ("0 && 1 || 2", 1.0), ("2 ^ -1 ^ 2", 0.5), ("-2 ^ 2", -4.0), ("ceil(-0.5)", 0.0),
        ("max(1, 0 * inf)", 1.0), ("min(0 * inf, 3)", 3.0),
        ("sum j in 4 (j * j)", 14.0),
    ],
)  # fmt: skip
def test_constants_are_ieee_numbers(written: str, number: float) -> None:
    pools = linked(program(items=f"let x = {written}; pool q {{ cap x; }}")).pools
    assert pools[-1].cap == number


@pytest.mark.parametrize(
    ("seed", "number"),
    [("-2", 0), ("2.5", 2), ("1e30", 2**64 - 1), ("inf", 2**64 - 1), ("9007199254740992", 2**53)],
)
def test_a_seed_is_cut_to_a_whole_number(seed: str, number: int) -> None:
    assert linked(program(run=f"horizon 1; seed {seed};")).seed == number


# Declarations


def test_defaults_of_pools_and_stages() -> None:
    ir_program = linked("pool p { } stage f : fifo; stage e : step { cost 1; } run { horizon 1; }")
    assert ir_program.pools == (ir.Pool("p"),)
    step = ir.Step(ir.Number(inf), ONE, ZERO, ir.ServeBy(()))
    assert ir_program.stages == (ir.Stage("f", ir.Fifo(1)), ir.Stage("e", step))


@pytest.mark.parametrize(
    ("serve", "expected"),
    [
        ("admission", ir.ServeBy(())),
        ("decode first", ir.ServeBy((ir.Conditional(ir.Context("decoding"), ZERO, ONE),))),
        ("by (remaining)", ir.ServeBy((ir.Context("remaining"),))),
        ("exclusive prefill", ir.ExclusivePrefill()),
    ],
)
def test_orders_of_a_step_stage(serve: str, expected: ir.ServeBy | ir.ExclusivePrefill) -> None:
    kind = linked(program(items=f"stage q : step {{ cost 1; serve {serve}; }}")).stages[-1].kind
    assert isinstance(kind, ir.Step)
    assert kind.serve == expected


def test_families_are_joined_member_for_member_or_one_for_all() -> None:
    text = program(
        items="""pool q[3] { admit via es; } pool p[2] { admit via engine; }
        stage m[3] : step { cost 1; memory kvs; } stage n[2] : step { cost 1; memory kv; }"""
    )
    ir_program = linked(text)
    assert [pool.admit_via for pool in ir_program.pools[-5:]] == [3, 4, 5, 1, 1]
    memories = [
        stage.kind.memory for stage in ir_program.stages[-5:] if isinstance(stage.kind, ir.Step)
    ]
    assert memories == [2, 3, 4, 0, 0]


def test_a_spill_to_an_array_is_to_its_first_member() -> None:
    pool = linked(program(items="pool q { spill kvs via ds (size) when (1); }")).pools[-1]
    assert pool.spill == ir.Spill(2, 6, ir.Context("size"), ONE)


# Statements


def test_a_branch_without_else_has_an_empty_one() -> None:
    assert linked(program("branch (1) { turn; }")).blocks[3:] == ((ir.Turn(),), ())


def test_branch_with_is_a_draw() -> None:
    (branch,) = statements("branch with (0.3) { }")
    assert branch == ir.Branch(ir.Draw("bernoulli", (ir.Number(0.3),)), 3, 4)


def test_serving_forms_are_runs_in_the_role_s_mode() -> None:
    stages = "stage engine : step { cost 1; } stage tool : delay; pool kv { } "
    text = stages + (
        "workload { arrive batch (1); } session { hold kv (1) { prefill (2) growing kv; } "
        "decode 1 + 1; tool 1; } run { horizon 1; }"
    )
    blocks = linked(text).blocks
    stage = ir.StageReference(0, 1)
    assert blocks[3] == (ir.Run(stage, "prefill", TWO, ir.PoolReference(0, 1)),)
    assert blocks[2][1:] == (
        ir.Run(stage, "decode", ir.Binary("+", ONE, ONE)),
        ir.Run(ir.StageReference(1, 1), "plain", ONE),
    )


def test_a_form_prefers_the_stage_named_like_the_role() -> None:
    text = (
        "stage prefill[2] : fifo; stage e : step { cost 1; } workload { arrive batch (1); } "
        "session { prefill[1] 1; decode 2; prefill on e (1); } run { horizon 1; }"
    )
    assert linked(text).blocks[2] == (
        ir.Run(ir.StageReference(0, 2, ONE), "plain", ONE),
        ir.Run(ir.StageReference(2, 1), "decode", TWO),
        ir.Run(ir.StageReference(2, 1), "prefill", ONE),
    )


def test_a_run_over_several_stages() -> None:
    (run,) = statements("run ps1, ps2 (1);", items="stage ps2 : ps(1); share bottleneck;")
    assert run == ir.Run(ir.StageReference(2, 1), "plain", ONE, None, (ir.StageReference(9, 1),))


def test_bindings_are_substituted_and_set_where_the_body_reads_them() -> None:
    session = """hold kv (b) reserve (a + b) reuse (b) at admission (a = serial, b = a + 1, c = 2) {
      observe o = b;
    } cache (a) lease kv (b)"""
    ir_program = linked(program(session))
    serial = ir.Attribute(1)
    b = ir.Binary("+", serial, ONE)
    pool = ir.HoldPool(KV, b, ir.Binary("+", serial, b))
    assert ir_program.blocks[2:] == (
        (ir.Hold((pool,), b, 3, serial, ir.Lease(KV, b)),),
        (ir.Set(9, b), ir.Observe(0, X)),
    )


def test_an_inner_binding_hides_the_outer_one_of_its_name() -> None:
    session = """hold kv (b) at admission (b = 1) {
      hold reqs (b) { }
      hold reqs (b) at admission (b = 2) { observe o = b; }
    }"""
    blocks = linked(program(session)).blocks
    assert blocks[3][0] == ir.Set(9, ONE)
    assert blocks[3][1] == ir.Hold((ir.HoldPool(REQS, X),), None, 4, None)
    assert blocks[3][2] == ir.Hold((ir.HoldPool(REQS, TWO),), None, 5, None)
    assert blocks[5] == (ir.Set(9, TWO), ir.Observe(0, X))


def test_aggregates_fold_to_the_left() -> None:
    def used(k: float) -> ir.Expression:
        return ir.Call("used", (ir.PoolReference(2, 3, ir.Number(k)),))

    most = ir.Call("max", (ir.Call("max", (used(0), used(1))), used(2)))
    assert value("max k in 3 (used(kvs[k]))") == most
    assert value("sum j in 3 (j)") == ir.Binary("+", ir.Binary("+", ZERO, ONE), TWO)
    assert value("min j in 1 (j + 1)") == ir.Binary("+", ZERO, ONE)


def test_an_inner_aggregate_sees_the_outer_index_and_hides_its_own_name() -> None:
    inner = value("max j in 2 (max k in (j + 1) (k + j))")
    first = ir.Binary("+", ZERO, ZERO)
    second = ir.Call("max", (ir.Binary("+", ZERO, ONE), ir.Binary("+", ONE, ONE)))
    assert inner == ir.Call("max", (first, second))
    again = ir.Call("max", (ZERO, ONE))
    assert value("max j in 2 (max j in 2 (j))") == ir.Call("max", (again, again))


def test_the_server_stands_in_the_place_of_every_request() -> None:
    text = """pool kv { } stage s : delay;
    workload { arrive batch (1); session { turn; request; loop { request; end; } } }
    server { set a = 1; hold kv (1) { run s (a); } }
    run { horizon 10; }"""
    ir_program = linked(text)
    hold = (ir.HoldPool(KV, ONE),)
    run = ir.Run(ir.StageReference(0, 1), "plain", X)
    assert ir_program.blocks[2:] == (
        (ir.Turn(), ir.Set(9, ONE), ir.Hold(hold, None, 3, None), ir.Loop(4)),
        (run,),
        (ir.Set(9, ONE), ir.Hold(hold, None, 5, None), ir.End()),
        (run,),
    )


def test_the_rest_of_a_program() -> None:
    text = program(
        "set K = 1; run b, c (1);",
        items="gauge g = used(kv[0]); share maxmin; stage b : ps(2); stage c : ps(2);",
        workload='trace "t.csv" ordered; arrive renewal (1 + ~exp(1)); hidden K, new;',
        run="horizon 10; warmup 2; arrivals 7;",
    )
    ir_program = linked(text)
    assert (ir_program.trace, ir_program.trace_ordered) == ("t.csv", True)
    gap = ir.Binary("+", ONE, ir.Draw("exp", (ONE,)))
    assert ir_program.arrival == ir.Renewal(gap)
    assert ir_program.hidden == (9, 3)
    assert (ir_program.warmup, ir_program.arrivals, ir_program.share) == (2.0, 7, "maxmin")
    used = ir.Call("used", (ir.PoolReference(0, 1, ZERO),))
    assert ir_program.gauges == (ir.Gauge("g", used),)
