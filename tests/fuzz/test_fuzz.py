"""What the fuzzer is for: a planted disagreement is found, made small, and written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from conformance.answers import differences
from conformance.loader import load_page

import serq
from tests.fuzz.answers import Answer, ours
from tests.fuzz.hunt import disagreement, shrink
from tests.fuzz.page import write_page
from tests.fuzz.programs import FAMILIES, WELL_TYPED, program
from tests.fuzz.shrink import pretty

TRIES = 120
"""To shrink in: enough to see it work."""


@cache
def python(source: str) -> Answer:
    """The executable semantics."""
    return ours("python", source)


def wrong(spoil: Callable[[Answer], Answer]) -> Callable[[str], Answer]:
    """An engine that answers like the semantics, spoiled."""
    return lambda source: replace(spoil(python(source)), engine="native")


def miscounts_preemptions(answer: Answer) -> Answer:
    """The planted defect: a run with a preemption tells of one more event."""
    if answer.outcome != "ran" or not any(p["preemptions"] for p in answer.report["pools"]):
        return answer
    return replace(answer, report={**answer.report, "events": answer.report["events"] + 1})


def test_a_planted_disagreement_is_found_shrunk_and_written_down(tmp_path: Path) -> None:
    ask = python, wrong(miscounts_preemptions)
    for number in range(100):
        source = program("serving", f"planted {number}")
        found = disagreement(ask, source)[2]
        if found:
            break
    else:
        pytest.fail("no program of a hundred preempts")
    small, answer, other, left = shrink(ask, source, found, seconds=60.0, most=TRIES)
    assert left
    assert left[0].startswith("events: ")
    assert len(small) < 0.7 * len(source)
    assert any(pool["preemptions"] for pool in answer.report["pools"]), "it shrank to another one"

    (case,) = load_page(write_page(tmp_path, small, other, answer, left))
    assert case.expect is not None
    report = serq.run(serq.compile(source=case.program), engine="python")
    assert [d.key for d in differences(case.expect, report)] == ["events"]


def test_engines_that_agree_do_not_disagree() -> None:
    for family in FAMILIES:
        assert disagreement((python, wrong(lambda answer: answer)), program(family, "1"))[2] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_is_a_program(family: str) -> None:
    written = [program(family, f"again {number}") for number in range(3)]
    assert written == [program(family, f"again {number}") for number in range(3)]
    assert len(set(written)) == 3


@pytest.mark.parametrize("family", WELL_TYPED)
def test_shrinking_reads_a_program_as_it_is(family: str) -> None:
    """Written out again from the shrinker's tree, and formatted, the program is the same."""
    from tests.fuzz.shrink import parse, write

    source = program(family, "7")
    again = pretty(write(parse(source)))
    assert serq.compile(source=again).to_json() == serq.compile(source=source).to_json()
