"""What the outside changes: constants by name, and the options of the run."""

from __future__ import annotations

import pytest
from tests.unit.link.linking import found, linked, program, refusals

from serq.ir import nodes as ir
from serq.link import Overrides

LETS = "let a = 1; let b = a + 1; let n = 2; let m = n; pool z[m] { cap b; }"
TEXT = program("observe x = a; observe y = b;", items=LETS)


def constants(**sets: float | str) -> tuple[float, ...]:
    """The values of `a` and `b`."""
    block = linked(TEXT, Overrides(sets)).blocks[2]
    values = [each.value for each in block if isinstance(each, ir.Observe)]
    return tuple(each.value for each in values if isinstance(each, ir.Number))


def test_a_set_replaces_a_constant_and_what_is_computed_from_it() -> None:
    assert constants() == (1.0, 2.0)
    assert constants(a=5) == (5.0, 6.0)
    assert constants(a="2 * 3") == (6.0, 7.0)
    assert constants(a=float("inf")) == (float("inf"), float("inf"))
    assert constants(a="max j in 3 (j) // the greatest index") == (2.0, 3.0)


def test_a_set_sees_the_constants_above_it() -> None:
    assert constants(b="a * 10") == (1.0, 10.0)
    (refused,) = refusals(TEXT, Overrides({"a": "b"}))
    assert refused.code == "SQ201"
    assert "not known yet" in refused.message


def test_an_unknown_constant_is_refused_with_those_there_are() -> None:
    (refused,) = refusals(TEXT, Overrides({"aa": 1}))
    assert refused.code == "SQ214"
    assert "`a`, `b`, `n`, `m`" in refused.message
    (pool,) = refusals(TEXT, Overrides({"kv": 1}))
    assert pool.code == "SQ214"
    (none,) = refusals(program(), Overrides({"a": 1}))
    assert "declares no constant" in none.message
    assert none.help is not None
    assert "`let a = …;`" in none.help


@pytest.mark.parametrize("name", ["n", "m"])
def test_a_constant_that_sizes_an_array_sizes_it_anew(name: str) -> None:
    sized = [pool for pool in linked(TEXT, Overrides({name: 3})).pools if pool.name == "z"]
    assert [pool.index for pool in sized] == [0, 1, 2]


def test_what_an_array_is_for_follows_its_size() -> None:
    items = "let n = 2; pool z[n] { } gauge busiest = max k in n (used(z[k]));"
    session = "choose j in n by (used(z[j])); hold z[j] (1) { }"
    four = linked(program(session, items=items), Overrides({"n": 4}))
    written = linked(program(session, items=items.replace("n = 2", "n = 4")))
    assert four == written


def test_an_index_that_a_smaller_array_lacks_is_refused() -> None:
    text = program("hold z[1] (1) { }", items="let n = 2; pool z[n] { }")
    (refused,) = refusals(text, Overrides({"n": 1}))
    assert refused.code == "SQ212"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("nope", "SQ201"), ("0 / 0", "SQ401"), (float("nan"), "SQ401"), ("~exp(1)", "SQ302"),
        ("used(kv)", "SQ306"), ("1 +", "SQ101"), ("", "SQ101"), ("// nothing", "SQ101"),
    ],
)  # fmt: skip
def test_a_value_is_a_constant_expression(given: float | str, code: str) -> None:
    (refused,) = refusals(TEXT, Overrides({"a": given}))
    assert refused.code == code
    assert refused.span is not None
    assert refused.span.source.name == "--set a"


@pytest.mark.parametrize("given", ["1; let q = 2", "1; pool p { }", "1; } run {", "1; let a = 2"])
def test_a_value_is_nothing_but_an_expression(given: str) -> None:
    assert refusals(TEXT, Overrides({"a": given}))


def test_options_of_the_run_replace_the_program_s() -> None:
    text = program(workload='arrive poisson (1); trace "a.csv";', run="horizon nope; seed nope;")
    options = Overrides(seed=7, horizon=50.0, warmup=5.0, arrivals=9, trace="b.csv")
    ir_program = linked(text, options)
    assert (ir_program.seed, ir_program.horizon, ir_program.warmup) == (7, 50.0, 5.0)
    assert (ir_program.arrivals, ir_program.trace) == (9, "b.csv")


def test_options_of_the_run_are_checked_like_the_program_s() -> None:
    assert found(program(), Overrides(warmup=20.0)) == [("SQ412", 1, 1)]
    assert found(program(), Overrides(arrivals=3)) == [("SQ419", 1, 1)]
    opened = program(workload="arrive poisson (1);")
    assert found(opened, Overrides(arrivals=0)) == [("SQ411", 1, 1)]
    assert found(program(run="horizon 10; warmup 20;"), Overrides(horizon=30.0)) == []


@pytest.mark.parametrize(
    ("overrides", "name", "text"),
    [
        (Overrides(warmup=20.0), "--warmup", "20"),
        (Overrides(arrivals=3), "--arrivals", "3"),
    ],
)
def test_what_replaces_an_option_is_shown_as_it_was_given(
    overrides: Overrides, name: str, text: str
) -> None:
    (finding,) = refusals(program(), overrides)
    assert finding.span is not None
    assert (finding.span.source.name, finding.span.text) == (name, text)
