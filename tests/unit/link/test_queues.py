"""Queues in the linker: what a call becomes, numbering, what is refused once and with its notes."""

from __future__ import annotations

import pytest
from tests.unit.link.linking import linking

import serq
from serq.diagnostics import Source
from serq.ir import nodes as ir
from serq.link import Overrides, link
from serq.link.findings import Findings
from serq.link.queues import lower, lowering, scope
from serq.link.queues.leases import entry_without_lease, leased_pool
from serq.link.unit import Unit
from serq.syntax import ast, parse

WORKLOAD = """
workload { arrive batch (1); hidden h; init { set h = 1; set k = 5; } session { request gw; end; } }
run { horizon 10; }
"""


def with_route(route: str, items: str) -> str:
    """A program whose gateway does `route`."""
    return f"{items}\nqueue gw : gateway {{ route {{ {route} }} }}\n{WORKLOAD}"


def linked(text: str) -> ir.Program:
    """The IR of a program that links."""
    result = linking(text)
    assert result.program is not None, [str(found) for found in result.diagnostics]
    return result.program


def queue(text: str) -> ast.Queue:
    """The only queue of a text."""
    parsed = parse(Source("program.sq", text))
    assert parsed.program is not None, [str(found) for found in parsed.diagnostics]
    (found,) = parsed.program.queues
    return found


# What a call becomes


def test_a_call_is_its_body_in_place() -> None:
    items = "queue P : prefill { serve fifo; prefill (n) { set x = n; run (x); mark m; } }"
    program = linked(with_route("P.prefill (k + 1);", items))
    assert program.attributes[9:] == ("h", "k", "P.x", "P.m")
    x, m, k = (program.attributes.index(name) for name in ("P.x", "P.m", "k"))
    argument = ir.Binary("+", ir.Attribute(k), ir.Number(1.0))
    assert program.blocks[program.session] == (
        ir.Set(x, argument),
        ir.Run(ir.StageReference(0, 1), "plain", ir.Attribute(x)),
        ir.Set(m, ir.Context("now")),
        ir.End(),
    )


def test_pools_and_stages_are_numbered_where_they_are_declared() -> None:
    items = """
    pool a { }
    queue L[2] : link { pool x { } nic ps (1); serve ps (2) latency 1; }
    pool b { }
    stage s : delay;
    queue D { nic ps (3); }
    D pull L latency 2 share maxmin;
    stage t : delay;
    """
    names = parse(Source("program.sq", with_route("run s (1);", items))).program
    assert names is not None
    assert [pool.name for pool in names.pools] == ["a", "L.x", "b"]
    assert [stage.name for stage in names.stages] == [
        "L.nic", "L", "L.latency", "s", "D.nic", "D.nic.latency", "t",
    ]  # fmt: skip


def test_a_latency_is_a_constant_nobody_else_sees() -> None:
    items = """
    pool p { } pool q { }
    queue L : link { serve ps (2) latency 1; }
    """
    text = with_route("hold p (1), q (1) { transfer on L (2) from p to q (1); }", items)
    parsed = parse(Source("program.sq", text))
    assert parsed.program is not None
    result = link(parsed.program, Overrides(sets={"nothing": 1.0}))
    (found,) = result.diagnostics
    assert found.code == "SQ214"
    assert "no constant" in found.message
    assert "time" not in found.message


def test_a_family_that_a_constant_sizes_is_sized_from_outside() -> None:
    text = with_route(
        "P[0].prefill (1);", "let N = 2;\nqueue P[N] : prefill { pool p { } prefill (n) { } }"
    )
    program = serq.compile(source=text, sets={"N": 3})
    assert [(pool.name, pool.index) for pool in program.ir.pools] == [
        ("P.p", 0),
        ("P.p", 1),
        ("P.p", 2),
    ]


def test_a_server_that_is_requested_twice_is_lowered_once() -> None:
    text = """
    queue P : prefill { serve fifo; prefill (n) { run (n); } }
    workload { arrive batch (1); session { request; request; end; } }
    server { P.prefill (2); }
    run { horizon 10; }
    """
    program = linked(text)
    runs = [each for each in program.blocks[program.session] if isinstance(each, ir.Run)]
    assert len(runs) == 2


def test_a_program_without_queues_is_not_copied() -> None:
    parsed = parse(Source("program.sq", "session { end; } run { horizon 1; }"))
    assert parsed.program is not None
    assert lower(Unit(Findings()), parsed.program) is parsed.program


# Leases


@pytest.mark.parametrize(
    ("body", "leases"),
    [
        ("hold kv (1) { } lease kv (1)", True),
        ("hold kv (1) { hold b (1) { } lease b (1) } lease kv (1)", True),
        ("hold b (1) { hold kv (1) { } lease kv (1) }", True),
        ("branch (1) { hold kv (1) { } lease kv (1) } else { hold kv (1) { } lease kv (1) }", True),
        ("branch (1) { hold kv (1) { } lease kv (1) }", False),
        ("branch (1) { hold kv (1) { } lease kv (1) } else { }", False),
        ("loop { hold kv (1) { } lease kv (1) }", False),
        ("hold kv (1) { }", False),
    ],
)
def test_every_way_through_an_entry_leases(body: str, leases: bool) -> None:
    text = f"queue P : prefill {{ pool kv {{ }} pool b {{ }} prefill (n) {{ {body} }} }}"
    assert (entry_without_lease(queue(text), "kv") is None) is leases


def test_the_leased_pool_is_the_first_that_is_named() -> None:
    text = """queue P : prefill { pool a { } pool b { } prefill (n) {
      hold a (1) { hold b (1) { } lease b (1) } lease a (1)
    } }"""
    assert leased_pool(queue(text)) == "b"
    assert leased_pool(queue("queue P : prefill { pool a { } prefill (n) { } }")) is None


# What is refused


def test_what_an_entry_may_not_read_is_one_finding_with_a_note_for_each_read() -> None:
    items = (
        "queue P : prefill { pool a { } serve fifo; prefill (n) { run (k); hold a (k + z) { } } }"
    )
    (found,) = linking(with_route("P.prefill (1);", items)).diagnostics
    assert found.code == "SQ140"
    assert found.span is not None
    assert found.span.text == "prefill"
    assert [note.span.text for note in found.notes if note.span is not None] == ["k", "z"]


def test_a_mistake_in_an_entry_that_is_called_twice_is_found_once() -> None:
    items = "queue P : prefill { serve fifo; prefill (n) { run nothing (n); } }"
    (found,) = linking(with_route("P.prefill (1); P.prefill (2);", items)).diagnostics
    assert found.code == "SQ206"
    assert found.span is not None
    assert [use.name for use in found.span.expansions()] == ["P.prefill", "gw.route"]


def test_calls_inside_one_another_have_a_limit() -> None:
    count = lowering.MOST_CALLS + 5
    queues = ["queue Q0 : prefill { serve fifo; prefill (n) { run (n); } }"]
    for i in range(1, count):
        queues.append(f"queue Q{i} : prefill {{ prefill (n) {{ Q{i - 1}.prefill (n); }} }}")
    result = linking(with_route(f"Q{count - 1}.prefill (1);", "\n".join(queues)))
    assert [found.code for found in result.diagnostics] == ["SQ112"]
    assert linking(with_route("Q100.prefill (1);", "\n".join(queues))).program is not None


@pytest.mark.parametrize("argument", ["n + n", "max(n, n)"])
def test_arguments_that_double_are_stopped(argument: str) -> None:
    queues = ["queue Q0 : prefill { serve fifo; prefill (n) { run (n); } }"]
    for i in range(1, 60):
        call = f"Q{i - 1}.prefill ({argument});"
        queues.append(f"queue Q{i} : prefill {{ prefill (n) {{ {call} }} }}")
    result = linking(with_route("Q59.prefill (1);", "\n".join(queues)))
    assert [found.code for found in result.diagnostics] == ["SQ125"]
    assert scope.MOST_PARTS < 2**59
