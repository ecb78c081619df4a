"""The reference itself, where it is installed: what was recorded is what it says.

And what the conformance suite says of it holds: it refuses the programs that are refused, and it
answers otherwise where a case says so, which keeps those lines honest.
"""

from __future__ import annotations

import json
import math
import re
from types import SimpleNamespace
from typing import Any

import pytest
from conformance.answers import FIELDS, RUN_FIELDS, differences
from conformance.loader import Case

import serq
from tests.differential.corpus import Placed, Subject, subjects, suite
from tests.differential.record import reference_answer
from tests.differential.recorded import load
from tests.reference import PRESENT, Answer, Reference

pytestmark = pytest.mark.skipif(not PRESENT, reason="the reference is not installed")

RECORDED = load()
REFERENCE = Reference()
SUITE = suite()
# The worker is given a program alone; a trace or a library beside it would be missing there.
ALONE = [case for case in SUITE if not case.files]


@pytest.fixture(scope="module", autouse=True)
def _started() -> None:
    """Start the worker, so that a program that fills the memory is stopped after its second."""
    REFERENCE.ask("workload { arrive none; } run { horizon 1; }")


def name_of(item: Case | Subject) -> str:
    return item.name


@pytest.mark.parametrize("subject", subjects(), ids=name_of)
def test_the_recorded_answer_is_current(subject: Subject) -> None:
    assert reference_answer(subject) == RECORDED.get(subject.name)


@pytest.mark.parametrize("subject", subjects(), ids=name_of)
def test_the_ir_is_equal_as_data(subject: Subject) -> None:
    import pyserq

    with Placed(subject.program, subject.files) as path:
        ours = json.loads(serq.compile(path).to_json())
        theirs = json.loads(pyserq.compile(path=path).to_json())
    assert ours == theirs


@pytest.mark.parametrize(
    "case", [case for case in ALONE if case.refusals and not case.differs], ids=name_of
)
def test_the_reference_refuses_what_is_refused(case: Case) -> None:
    answer = REFERENCE.ask(case.program)
    assert answer.outcome in ("refused", "failed"), answer


@pytest.mark.parametrize("case", [case for case in ALONE if case.differs], ids=name_of)
def test_a_case_that_differs_does_differ(case: Case) -> None:
    answer = REFERENCE.ask(case.program, seconds=1)
    if case.refusals:
        before_the_run = all(refusal.code < "SQ5" for refusal in case.refusals)
        if answer.outcome == "refused":  # it may part in the place alone
            place = re.match(r"(?:\S+: ?)?(\d+):\d+: ", answer.message)
            lines = [refusal.line for refusal in case.refusals]
            assert place is not None
            assert int(place[1]) not in lines
        assert answer.outcome != "failed" or before_the_run, "it fails in the run as well"
    elif answer.outcome == "ran":
        assert differences(case.expect or {}, as_report(answer), zero_signs=False)


def as_report(answer: Answer) -> Any:
    """The reference's JSON and records under a report's names; what it leaves out is no number."""
    data = json.loads(answer.report)

    def row(kind: str, name: str, found: dict[str, Any], **more: Any) -> SimpleNamespace:
        values = {field: more.get(field, found.get(field)) for field in FIELDS[kind]}
        plain = {key: math.nan if value is None else value for key, value in values.items()}
        return SimpleNamespace(name=name, index=found.get("index"), **plain)

    return SimpleNamespace(
        **{field: data[field] for field in RUN_FIELDS},
        observes={
            name: row("observe", name, found, **answer.records[name])
            for name, found in data["observes"].items()
        },
        gauges={name: row("gauge", name, found) for name, found in data["gauges"].items()},
        stages=[row("stage", found["name"], found) for found in data["stages"]],
        pools=[row("pool", found["name"], found) for found in data["pools"]],
    )
