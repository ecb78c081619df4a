import sys

import pytest
from tests.unit.semantics.running import refused, run, samples, text_at

from serq import semantics
from serq.ir import nodes as ir
from serq.report.options import RunOptions
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES

ONE = "stage s : delay; workload { arrive batch(1); } session { %s }"


def values(*expressions: str) -> list[float]:
    """What the expressions give in a session whose attribute `z` is 0 and `e` is `z / z`."""
    observes = " ".join(f"observe x = {expression};" for expression in expressions)
    return samples(run(ONE % f"set z = 0; set e = z / z; {observes}"), "x")


def test_anything_but_zero_is_true() -> None:
    assert values("e && 2", "z || -1", "!e", "e ? 1 : 2", "!z", "z && e") == [1, 1, 0, 1, 1, 0]


def test_comparisons_with_nan_do_not_hold() -> None:
    assert values("e == e", "e != e", "e < 1", "e >= 1") == [0, 1, 0, 0]


def test_what_is_not_needed_draws_nothing() -> None:
    first = values("~uniform(0, 1)")
    skipped = "(z && ~uniform(0, 1)) + (1 || ~uniform(0, 1)) + (z ? ~uniform(0, 1) : 0) - 1"
    assert values(f"{skipped} + ~uniform(0, 1)") == first


def test_operands_draw_from_left_to_right() -> None:
    a, b = values("~uniform(0, 1)", "~uniform(0, 1)")
    assert values("~uniform(0, 1) - ~uniform(0, 1)") == [a - b]
    assert values("pow(~uniform(0, 1), ~uniform(0, 1))") == [a**b]
    assert values("~uniform(~uniform(0, 1), 1)") == [a + (1 - a) * b]


def test_index_beyond_the_array_is_an_error_at_its_place() -> None:
    source = """pool kv[3] { cap 10; }
stage s : delay; workload { arrive batch(1); }
session { set j = 3; observe u = used(kv[j]); }"""
    diagnostic = refused(source)
    assert diagnostic.code == "SQ602"
    assert "`kv[3]`" in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.start_line == 3
    assert "used(kv[j])" in text_at(diagnostic)


@pytest.mark.parametrize(("index", "member"), [("-4", 0), ("1.9", 1), ("0 / 0", 0)])
def test_an_index_is_cut_to_a_whole_number(index: str, member: int) -> None:
    source = """pool kv[2] { cap 10; }
stage s : delay; workload { arrive batch(1); }
session { set j = %s; hold kv[j] (1) { observe u = used(kv[0]) + 2 * used(kv[1]); } }"""
    assert samples(run(source % index), "u") == [[1.0], [2.0]][member]


@pytest.mark.parametrize("wrap", ["left", "call", "conditional", "unary"])
def test_deep_trees_need_no_machine_stack(wrap: str) -> None:
    node: ir.Expression = ir.Number(0.0)
    for _ in range(20_000):
        match wrap:
            case "left":
                node = ir.Binary("+", node, ir.Number(1.0))
            case "call":
                node = ir.Call("max", (node, ir.Number(1.0)))
            case "conditional":
                node = ir.Conditional(ir.Number(0.0), ir.Number(1.0), node)
            case "unary":
                node = ir.Unary("-", node)
    program = ir.Program(
        attributes=BUILTIN_ATTRIBUTES,
        observes=("x",),
        pools=(),
        stages=(),
        arrival=ir.Batch(1),
        trace=None,
        trace_ordered=False,
        init=0,
        turn=1,
        session=2,
        blocks=((), (), (ir.Observe(0, node),)),
        horizon=1.0,
        warmup=0.0,
        seed=0,
    )
    before = sys.getrecursionlimit()
    measured = semantics.run(program, RunOptions())
    wanted = {"left": 20_000.0, "call": 1.0, "conditional": 0.0, "unary": 0.0}[wrap]
    assert samples(measured, "x") == [wanted]
    assert sys.getrecursionlimit() == before
