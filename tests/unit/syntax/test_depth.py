"""Depth and length have limits; what passes one is refused at once and in little memory."""

import tracemalloc

import pytest
from tests.unit.syntax.reading import mistakes, one, program

from serq.syntax.parser.state import MOST_CHARACTERS, MOST_LEVELS

DEEP = 1_000_000

FORMS = {
    "parentheses": ("let a = ", "(", "1;"),
    "calls": ("let a = ", "abs(", "1;"),
    "draws": ("let a = ", "~exp(", "1;"),
    "aggregates": ("let a = ", "max j in 3 (", "1;"),
    "counts": ("let a = ", "max j in (", "1;"),
    "members": ("let a = ", "used(p[", "1;"),
    "minus": ("let a = ", "-", "1;"),
    "not": ("let a = ", "!", "1;"),
    "conditions": ("let a = ", "1 ? ", "1;"),
    "alternatives": ("let a = ", "1 ? 2 : ", "1;"),
    "powers": ("let a = ", "2 ^ ", "1;"),
    "loops": ("session { ", "loop { ", "end;"),
    "holds": ("session { ", "hold p (1) { ", "end;"),
    "branches": ("session { ", "branch (1) { } else { ", "end;"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_million_levels_are_refused_at_once(form: str) -> None:
    before, level, after = FORMS[form]
    count = min(DEEP, (MOST_CHARACTERS - 100) // len(level))
    text = before + level * count + after
    tracemalloc.start()
    found = one(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.code == "SQ112"
    assert most < 20 * 2**20


def test_definitions_inside_definitions_are_refused_at_once() -> None:
    assert one("def f() { " * DEEP).code == "SQ125"


def test_braces_inside_braces_are_refused_at_once() -> None:
    assert {found.code for found in mistakes("session " + "{" * DEEP)} == {"SQ104"}
    assert one("{" * DEEP).code == "SQ110"
    assert one("}" * DEEP).code == "SQ110"


def test_uses_inside_uses_are_refused_at_once() -> None:
    assert one("def f(x) = x; let a = " + "f(" * DEEP).code == "SQ101"
    nested = "f(" * 1_000 + "1" + ")" * 1_000
    assert one(f"def f(x) = x; let a = {nested};").code in ("SQ112", "SQ125")


WITHIN = {
    "parentheses": lambda n: f"let a = {'(' * n}1{')' * n};",
    "calls": lambda n: f"let a = {'abs(' * n}1{')' * n};",
    "members": lambda n: f"let a = {'used(p[' * n}1{'])' * n};",
    "minus": lambda n: f"let a = {'-' * n}1;",
    "alternatives": lambda n: f"let a = {'1 ? 2 : ' * n}1;",
    "powers": lambda n: f"let a = {'2 ^ ' * n}1;",
    "loops": lambda n: f"session {{ {'loop {' * n} end; {'}' * n} }}",
    "holds": lambda n: f"session {{ {'hold p (1) {' * n} end; {'} cache (1);' * n} }}",
}


@pytest.mark.parametrize("form", WITHIN)
def test_what_is_within_the_limit_is_read(form: str) -> None:
    program(WITHIN[form](MOST_LEVELS - 1))


def test_a_row_of_operands_has_an_end() -> None:
    program(f"let a = {'1 + ' * 9_000}1;")
    assert one(f"let a = {'1 + ' * 20_000}1;").code == "SQ112"


def test_rows_of_operands_inside_one_another_count_together() -> None:
    row = "+ 1 " * 4_000
    text = "1"
    for _ in range(3):
        text = f"({text} {row})"
    assert one(f"let a = {text};").code == "SQ112"


def test_a_text_of_very_many_characters_is_refused() -> None:
    assert one(" " * (MOST_CHARACTERS + 1)).code == "SQ126"


def test_what_is_read_over_has_an_end() -> None:
    assert one("foo " * 200_000).code == "SQ110"
    found = mistakes("session { " + "foo(1); " * 110_000 + "}")
    assert {mistake.code for mistake in found} == {"SQ104"}
