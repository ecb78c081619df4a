"""Walks over an IR: every node once, in order, and what a statement consists of."""

from __future__ import annotations

from serq.ir import nodes as ir
from serq.ir.constants import constant_value
from serq.ir.walk import expressions, fingerprint, nested_blocks, nodes, references
from serq.vocabulary.moments import Moment

ONE, TWO = ir.Number(1.0), ir.Number(2.0)
KV = ir.PoolReference(0, 2, ir.Attribute(9))


def test_nodes_come_before_their_children_from_left_to_right() -> None:
    call = ir.Call("min", (ir.Call("used", (KV,)), TWO))
    root = ir.Conditional(ONE, call, ir.Draw("exp", (ir.Unary("-", TWO),)))
    kinds = [type(node).__name__ for node in nodes(root)]
    assert kinds == [
        "Conditional", "Number", "Call", "Call", "PoolReference", "Attribute", "Number", "Draw",
        "Unary", "Number",
    ]  # fmt: skip


def test_a_fingerprint_tells_expressions_apart() -> None:
    written: list[ir.Expression] = [
        ONE,
        TWO,
        ir.Attribute(1),
        ir.Context("now"),
        ir.Unary("-", ONE),
        ir.Unary("!", ONE),
        ir.Binary("-", ONE, TWO),
        ir.Binary("-", TWO, ONE),
        ir.Draw("exp", (ONE,)),
        ir.Draw("det", (ONE,)),
        ir.Call("min", (ONE, TWO)),
        ir.Call("used", (KV,)),
        ir.Call("used", (ir.PoolReference(0, 2),)),
        ir.Call("queue", (ir.StageReference(0, 2, ir.Attribute(9)),)),
        ir.Conditional(ONE, ONE, TWO),
    ]
    assert len({fingerprint(each) for each in written}) == len(written)
    again = ir.Call("used", (ir.PoolReference(0, 2, ir.Attribute(9)),))
    assert fingerprint(again) == fingerprint(ir.Call("used", (KV,)))


def test_the_parts_of_a_hold_are_evaluated_at_two_moments() -> None:
    pools = (ir.HoldPool(KV, ONE), ir.HoldPool(KV, ONE, TWO))
    hold = ir.Hold(pools, TWO, 3, ONE, ir.Lease(KV, TWO))
    assert [(part.path, part.moment) for part in expressions(hold)] == [
        (("pools", 0, "units"), Moment.HEADER),
        (("pools", 1, "units"), Moment.HEADER),
        (("pools", 1, "reserve"), Moment.HEADER),
        (("reuse",), Moment.HEADER),
        (("cache",), Moment.CACHE),
        (("lease", "time"), Moment.CACHE),
    ]
    paths = [named.path for named in references(hold)]
    assert paths == [("pools", 0, "pool"), ("pools", 1, "pool"), ("lease", "pool")]
    assert nested_blocks(hold) == (3,)


def test_a_constant_is_numbers_operators_and_value_functions() -> None:
    product = ir.Binary("*", TWO, ir.Call("max", (ONE, ir.Number(4.0))))
    assert constant_value(ir.Conditional(ONE, product, ONE)) == 8.0
    assert constant_value(ir.Unary("-", ir.Binary("/", ONE, ir.Number(0.0)))) == float("-inf")
    for other in (ir.Attribute(1), ir.Context("now"), ir.Draw("det", (ONE,))):
        assert constant_value(ir.Binary("+", ONE, other)) is None
    assert constant_value(ir.Call("used", (ir.PoolReference(0, 1),))) is None
