"""Long and deep programs link in a time that grows with their length, without recursion."""

from __future__ import annotations

import sys
import time

import pytest
from tests.unit.link.linking import linked, linking, program, refusals

from serq.ir import nodes as ir
from serq.ir.walk import nodes


def size(statement: ir.Statement) -> int:
    """How many nodes the expression of a `set` or an `observe` has."""
    assert isinstance(statement, ir.Set | ir.Observe)
    return len(list(nodes(statement.value)))


def test_a_long_sum_is_linked_without_recursion() -> None:
    terms = 4 * sys.getrecursionlimit()
    long = " + ".join(["K"] * terms)
    ir_program = linked(
        program(f"set K = 1; set x = {long};", items=f"let n = {long.replace('K', '1')};")
    )
    assert size(ir_program.blocks[2][1]) == 2 * terms - 1


def test_the_greatest_aggregate_is_linked() -> None:
    text = program("observe o = max k in 4096 (used(q[k]));", items="pool q[4096] { }")
    assert size(linked(text).blocks[2][0]) == 4095 + 3 * 4096


def test_large_arrays_share_what_their_members_have_in_common() -> None:
    text = program(
        "choose j in 10000 by (used(q[j])); hold q[j] (1) { run r[j] prefill (1) growing q[j]; }",
        items="""pool q[10000] { cap 10; evict by (size, age); queue by (waited); admit via r; }
        stage r[10000] : step { budget 512; cost 1 + tokens + decoders; memory q; }""",
    )
    ir_program = linked(text)
    assert len(ir_program.pools) == 10005
    assert ir_program.pools[5].evict is ir_program.pools[10004].evict


@pytest.mark.slow
def test_many_statements_take_seconds() -> None:
    text = program("set x = x + 1; " * 10_000)
    start = time.process_time()
    linked(text)
    assert time.process_time() - start < 10.0


def test_bindings_that_double_are_refused_before_they_fill_the_memory() -> None:
    doubled = ", ".join(f"x{i} = x{i - 1} + x{i - 1}" for i in range(1, 80))
    text = program(f"hold kv (x79) at admission (x0 = 1, {doubled}) {{ }}")
    assert {each.code for each in refusals(text)} == {"SQ125"}
    wide = " + ".join(["x12"] * 2000)
    few = ", ".join(f"x{i} = x{i - 1} + x{i - 1}" for i in range(1, 13))
    (refused,) = refusals(program(f"hold kv ({wide}) at admission (x0 = 1, {few}) {{ }}"))
    assert refused.code == "SQ125"


def test_requests_that_put_too_much_in_place_are_refused() -> None:
    text = (
        "workload { arrive batch (1); session { "
        + "request; " * 2000
        + "} } server { "
        + "set x = 1; " * 600
        + "} run { horizon 1; }"
    )
    assert [each.code for each in refusals(text)] == ["SQ125"]


def test_an_aggregate_of_a_large_term_is_refused() -> None:
    large = " + ".join(["j"] * 900)
    (refused,) = refusals(program(f"set x = max j in 4096 ({large});"))
    assert refused.code == "SQ125"


def test_deeply_nested_blocks_are_linked() -> None:
    depth = 120
    session = "hold kv (b) at admission (b = serial) { " * depth + "set x = b; " + "}" * depth
    result = linking(program(session))
    assert result.program is not None
    assert len(result.program.blocks) == 3 + depth
