"""Expressions of the IR in words: read again, they are the same expressions."""

from __future__ import annotations

import pytest

from serq.ir.nodes import Hold, Number, Program, Set
from serq.view.words import LONGEST, Words, number
from tests.view.programs import WORKLOAD, ir

DECLARED = "pool kv[3] { cap 9; }\nstage s : fifo;\n"


def value(text: str) -> tuple[Program, Set]:
    program = ir(f"{DECLARED}{WORKLOAD}session {{ set a = 1; set b = 2; set y = {text}; }}")
    statement = program.blocks[program.session][2]
    assert isinstance(statement, Set)
    return program, statement


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a + b * 2", "a + b * 2"),
        ("(a + b) * 2", "(a + b) * 2"),
        ("a - (b - 1)", "a - (b - 1)"),
        ("a - b - 1", "a - b - 1"),
        ("a / (b / 2)", "a / (b / 2)"),
        ("a ^ b ^ 2", "a^b^2"),
        ("(a ^ b) ^ 2", "(a^b)^2"),
        ("-a ^ 2", "-a^2"),
        ("(-a) ^ 2", "(-a)^2"),
        ("a ^ -b", "a^-b"),
        ("-(a + b)", "-(a + b)"),
        ("!(a == b)", "!(a == b)"),
        ("!a == b", "!a == b"),
        ("(a < b) == 1", "(a < b) == 1"),
        ("a && (b || a)", "a && (b || a)"),
        ("a && b || a", "a && b || a"),
        ("a ? b : a ? 1 : 2", "a ? b : a ? 1 : 2"),
        ("(a ? b : a) ? 1 : 2", "(a ? b : a) ? 1 : 2"),
        ("(a ? b : 1) + 2", "(a ? b : 1) + 2"),
        ("~exp(a + 1) * 2", "~exp(a + 1) * 2"),
        ("min(a, max(b, 3))", "min(a, max(b, 3))"),
        ("used(kv[a]) + used(kv[1])", "used(kv[a]) + used(kv[1])"),
        ("queue(s) + now", "queue(s) + now"),
        ("~bernoulli(a / 2)", "~bernoulli(a / 2)"),
        ("inf + 2e-5 + 12500000000", "inf + 2e-5 + 12.5e9"),
    ],
)
def test_an_expression_is_written_as_the_language_has_it(text: str, shown: str) -> None:
    program, statement = value(text)
    assert Words(program).expression(statement.value) == shown
    assert value(shown)[1] == statement


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (16.0, "16"),
        (0.0139, "0.0139"),
        (2e-05, "2e-5"),
        (1.38e-07, "1.38e-7"),
        (131072.0, "131072"),
        (1234567.0, "1234567"),
        (2000000.0, "2e6"),
        (1e22, "1e22"),
        (float("inf"), "inf"),
        (-3.0, "-3"),
    ],
)
def test_a_number_is_short(given: float, shown: str) -> None:
    assert number(given) == shown
    assert float(shown) == given


def test_what_a_constant_was_worked_out_from_leaves_no_digits() -> None:
    assert number(0.1 * 3 + 0.0185) == "0.3185"
    assert number(1 / 3) == "0.3333333333"


def test_a_condition_that_is_a_constant_shows_what_it_chooses() -> None:
    program, statement = value("2 == 1 ? a : 2 == 2 ? a + b : 7")
    assert Words(program).expression(statement.value) == "a + b"
    program, statement = value("(1 ? a + b : 7) * 2")
    assert Words(program).expression(statement.value) == "(a + b) * 2"


def test_a_long_expression_ends_where_nobody_reads_on() -> None:
    program, statement = value(" + ".join(["a * b"] * 5000))
    shown = Words(program).expression(statement.value)
    assert len(shown) == LONGEST
    assert shown.endswith("…")


def test_a_number_in_a_hold_is_in_parentheses() -> None:
    program = ir(DECLARED + WORKLOAD + "session { hold kv[2] (3) { run s (1); } }")
    hold = program.blocks[program.session][0]
    assert isinstance(hold, Hold)
    assert hold.pools[0].units == Number(3.0)
    words = Words(program)
    assert words.argument(hold.pools[0].units) == "(3)"
    assert words.reference(hold.pools[0].pool) == "kv[2]"
