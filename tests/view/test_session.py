"""What a figure of the session shows: statements downwards, the scopes of holds around them."""

from __future__ import annotations

from serq.view.figure import Figure, Node
from serq.view.session import session
from tests.view.geometry import holds
from tests.view.programs import WORKLOAD, ir

DECLARED = (
    "pool p { cap 9; }\npool q { cap 9; }\nstage a : fifo;\nstage tool : delay;\n"
    "stage e : step { budget 8; cost 1; }\n"
)


def figure(statements: str) -> Figure:
    return session(ir(f"{DECLARED}{WORKLOAD}session {{ {statements} }}"))


def saying(shown: Figure, *words: str) -> Node:
    """The node with these texts."""
    return next(
        node
        for node in shown.nodes
        if set(words) <= {text.content for text in node.texts} and not node.frame
    )


def frames_around(shown: Figure, node: Node) -> list[str]:
    return [
        each.key.split()[0] for each in shown.nodes if each.frame and holds(each.rect, node.rect)
    ]


def test_statements_stand_in_their_order_and_each_leads_to_the_next() -> None:
    shown = figure("run a (1); set x = 2; observe y = x; run e prefill (x);")
    first, second, third = (
        saying(shown, "a", "(1)"),
        saying(shown, "x = 2", "observe y = x"),
        saying(shown, "e", "prefill", "(x)"),
    )
    assert first.rect.bottom < second.rect.y < third.rect.y
    steps = {(edge.source, edge.target) for edge in shown.edges}
    assert {(first.key, second.key), (second.key, third.key)} <= steps


def test_the_scope_of_a_hold_is_a_box_around_its_body() -> None:
    shown = figure("hold p (3), q (4) reserve (5) { hold q (1) { run a (1); } run tool (1); } end;")
    assert frames_around(shown, saying(shown, "a")) == ["hold", "hold"]
    assert frames_around(shown, saying(shown, "tool")) == ["hold"]
    assert frames_around(shown, saying(shown, "end")) == []
    asked = saying(shown, "hold p, q", "p (3)", "q (4) reserve (5)")
    assert frames_around(shown, asked) == ["hold"]


def test_what_a_hold_leaves_stands_at_its_bottom() -> None:
    shown = figure("hold p (3) { run a (1); } cache (2) lease p (30)")
    left = saying(shown, "cache (2)", "lease p (30)")
    assert frames_around(shown, left) == ["hold"]
    assert left.rect.y > saying(shown, "a").rect.bottom


def test_a_loop_leads_back_to_its_first_statement() -> None:
    shown = figure("loop { run a (1); branch with (0.25) { end; } run tool (2); }")
    first, last = saying(shown, "a"), saying(shown, "tool")
    assert frames_around(shown, first) == ["loop"]
    back = next(edge for edge in shown.edges if (edge.source, edge.target) == (last.key, first.key))
    assert min(x for x, _ in back.line.points) < first.rect.x
    labels = [text.content for edge in shown.edges if edge.label for text in edge.label.texts]
    assert sorted(labels) == ["else", "w.p. 0.25"]


def test_the_arms_of_a_branch_stand_side_by_side_and_meet() -> None:
    shown = figure("branch (now > 3) { run a (1); } else { run tool (1); } run e prefill (1);")
    left, right, after = saying(shown, "a"), saying(shown, "tool"), saying(shown, "e")
    assert left.rect.right < right.rect.x
    assert left.rect.y == right.rect.y
    assert {edge.source for edge in shown.edges if edge.target == after.key} == {
        left.key, right.key
    }  # fmt: skip


def test_nothing_leads_on_from_an_end() -> None:
    shown = figure("run a (1); end;")
    end = saying(shown, "end")
    assert [edge.source for edge in shown.edges].count(end.key) == 0
    assert sum(1 for node in shown.nodes if node.key.startswith("end")) == 1
