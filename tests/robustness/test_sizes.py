"""What is too deep, too many or too long is refused in seconds and in little memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox import Sandbox

SANDBOX = Sandbox()
RUN = " run { horizon 10; }"
MILLION = 1_000_000


@pytest.fixture(scope="module", autouse=True)
def closed_sandbox() -> Iterator[None]:
    yield
    SANDBOX.close()


DEEP = {
    "parentheses": f"let x = {'(' * MILLION}1{')' * MILLION};",
    "minus signs": f"let x = {'-' * MILLION}1;",
    "not": f"let x = {'!' * MILLION}1;",
    "powers": f"let x = {'2^' * MILLION}1;",
    "conditions": f"let x = {'1 ? ' * MILLION}2{' : 3' * MILLION};",
    "alternatives": f"let x = {'1 ? 2 : ' * MILLION}3;",
    "operands": f"let x = {'1 + ' * MILLION}1;",
    "tests": f"let x = {'1 && ' * MILLION}1;",
    "calls": f"let x = {'abs(' * MILLION}1{')' * MILLION};",
    "draws": f"session {{ set x = {'~det(' * MILLION}1{')' * MILLION}; }}",
    "aggregates": f"let x = {'max j in 1 (' * MILLION}1{')' * MILLION};",
    "indices": f"stage s[2] : delay; session {{ run s[{'queue(s[' * MILLION}0",
    "braces": f"session {'{' * MILLION}{'}' * MILLION}",
    "loops": f"session {{ {'loop { ' * MILLION}{'} ' * MILLION}}}",
    "holds": f"pool p {{ cap 3; }} session {{ {'hold p (1) { ' * MILLION}",
    "branches": f"session {{ {'branch (1) { } else { ' * (MILLION // 2)}",
    "uses of a definition": f"def f(x) = x; let y = {'f(' * MILLION}1{')' * MILLION};",
    "nothing but an opening": "(" * MILLION,
}


@pytest.mark.parametrize("form", DEEP)
def test_a_program_nested_a_million_deep(form: str) -> None:
    answer = SANDBOX.ask(DEEP[form] + RUN, seconds=20)
    assert answer.startswith("refused"), answer


DEEP_JSON = {
    "arrays": "[" * MILLION + "]" * MILLION,
    "objects": '{"version":' * MILLION + "1" + "}" * MILLION,
    "an array that is never closed": "[" * MILLION,
    "expressions": '{"version": 10, "gauges": [{"name": "g", "expr": '
    + '{"Unary": ["Neg", ' * (MILLION // 4)
    + '{"Num": 1.0}'
    + "]}" * (MILLION // 4)
    + "}]}",
}


@pytest.mark.parametrize("form", DEEP_JSON)
def test_an_ir_nested_a_million_deep(form: str) -> None:
    answer = SANDBOX.ask(DEEP_JSON[form], "ir", seconds=20)
    assert answer.startswith("refused"), answer


LARGE = {
    "an array of a thousand million": "pool p[1000000000] { cap 1; } session { }",
    "one by name": "let n = 1e9; stage p[n] : delay; session { }",
    "an aggregate of a thousand million terms": "session { set x = sum j in 1000000000 (j); }",
    "aggregates inside aggregates": "session { set x = sum j in 4000 (sum k in 4000 (1)); }",
    "definitions that double": "def a0(x) = x + x;"
    + "".join(f"def a{i + 1}(x) = a{i}(x) + a{i}(x);" for i in range(40))
    + "session { set y = a40(1); }",
    "more servers than can be counted": "stage s : fifo(1e18); session { }",
    "a text of thirty million characters": f"// {'x' * 30_000_000}\nsession {{ }}",
    "a name that never ends": f"use {chr(34)}{'x' * 10_000_000}",
    "a million mistakes": "let ; " * MILLION,
    "a thousand million sessions at once": "workload { arrive batch(1000000000); } session { }",
    "a million million sessions": "workload { arrive closed(1000000000000); } session { }",
    "a choice among a thousand million": "workload { arrive batch(1); }"
    " session { choose j in 1e9 by (j); }",
    "evictions by the thousand million": "pool kv { cap 1e9; block 1e-6; }"
    " workload { arrive batch(1); } session { hold kv (1e9) { } cache (1e9)"
    " hold kv (1e9) { } }",
}


@pytest.mark.parametrize("what", LARGE)
def test_a_program_that_asks_for_too_much(what: str) -> None:
    answer = SANDBOX.ask(LARGE[what] + RUN, seconds=20)
    assert answer.split()[0] in {"refused", "failed"}, answer


MANY = {
    "statements": f"session {{ {'set x = 1; ' * 5_000} }}",
    "constants": "".join(f"let a{i} = {i};\n" for i in range(5_000)) + "session { }",
    "pools": "".join(f"pool a{i} {{ cap 1; }}\n" for i in range(2_000)) + "session { }",
    "observations": "session { "
    + "".join(f"set x{i} = 1; observe y{i} = x{i};" for i in range(2_000))
    + "}",
    "definitions": "".join(f"def f{i}(x) = x;\n" for i in range(5_000)) + "session { }",
    "a number of many digits": f"let x = {'1' * MILLION}; session {{ }}",
    "a name of many letters": f"let {'x' * MILLION} = 1; session {{ }}",
    "members": "stage a[10000] : delay; session { run a[9999] (1); }",
}


@pytest.mark.parametrize("what", MANY)
def test_a_large_program_runs(what: str) -> None:
    answer = SANDBOX.ask(MANY[what] + RUN, seconds=20)
    assert answer == "ran"


def test_many_unknown_names_are_found_in_seconds() -> None:
    text = "session { " + "".join(f"set x{i} = zz{i}; " for i in range(2_000)) + "}"
    assert SANDBOX.ask(text + RUN, seconds=20) == "refused SQ201"
