"""Random valid programs: the executable semantics and the reference give the same answer.

The IR is equal as data; every count and every sample is equal to the bit; time averages and what
is derived from them agree within 1e-9, and so do samples of `work(…)`, which the reference adds up
in the order of a hash table. A program on which the reference panics or hangs is not compared
(both are defects of its own, see the page on compatibility), but it must still end here, with a
report or with an error of the run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

import serq
from tests.property.examples import examples
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs
from tests.property.queue_programs import queue_programs
from tests.reference import PRESENT, Answer, Reference

pytestmark = pytest.mark.skipif(not PRESENT, reason="the reference is not installed")

REFERENCE = Reference()
"""One worker a test process."""

AVERAGES = {
    "mean_live", "mean_number", "utilization", "prefill_only", "decode_only", "mixed",
    "mean_decodes", "mean_used", "mean_cached", "mean_queue", "mean_holders",
}  # fmt: skip
"""Fields that are integrals over time, added up at other instants than the reference's."""

RUN_CODES = {"SQ601", "SQ602", "SQ603", "SQ604", "SQ605", "SQ606", "SQ607", "SQ608"}


def close(ours: float, theirs: float) -> bool:
    """Equal up to the order of addition."""
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)


def differences(ours: Any, theirs: Any, *path: str) -> list[str]:
    """Where two reports part, with the name of the field."""
    if isinstance(theirs, dict):
        return [d for key in theirs for d in differences(ours[key], theirs[key], *path, key)]
    if isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [d for i, (a, b) in pairs for d in differences(a, b, *path, str(i))]
    same = ours == theirs
    if is_sum(path) and None not in (ours, theirs):
        same = close(ours, theirs)
    return [] if same else [f"{'.'.join(path)}: {ours!r}, the reference has {theirs!r}"]


def is_sum(path: Sequence[str]) -> bool:
    """Whether a field of the report depends on the order in which the reference adds."""
    return path[-1] in AVERAGES or path[0] == "gauges" or path[:2] == ("observes", "work")


def same_values(name: str, ours: Sequence[float], theirs: Sequence[float]) -> bool:
    """Whether two lists of samples are the same."""
    if len(ours) != len(theirs):
        return False
    if name == "work":
        return all(close(a, b) for a, b in zip(ours, theirs, strict=True))
    return all(
        a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(ours, theirs, strict=True)
    )


def check_against(answer: Answer, source: str) -> None:
    """Run `source` and compare everything with the reference's answer."""
    program = serq.compile(source=source)
    assert json.loads(program.to_json()) == json.loads(answer.ir)
    report = serq.run(program, engine="python")
    theirs = json.loads(answer.report)
    ours = json.loads(report.json())
    del theirs["serq_version"], ours["serq_version"]
    found = differences(ours, theirs)
    for name, records in answer.records.items():
        measured = report.observe(name)
        for part, values in records.items():
            if not same_values(name, getattr(measured, part), values):
                found.append(f"observe {name}: {part} differ")
    for name, changes in answer.gauges.items():
        gauge = report.gauge(name)
        for part, values in changes.items():
            if not same_values("gauge", getattr(gauge, part), values):
                found.append(f"gauge {name}: {part} differ")
    assert not found, "\n".join(found)


def check(source: str) -> None:
    """The same answer as the reference's, where it has one."""
    answer = REFERENCE.ask(source)
    assert answer.outcome in {"ran", "hung", "panicked", "failed"}, answer.message
    if answer.outcome == "ran":
        check_against(answer, source)
        return
    code = run_error(source)
    if answer.outcome == "failed":
        assert code is not None, answer.message
    assert code is None or code in RUN_CODES


def run_error(source: str) -> str | None:
    """Run a program to its end: the code of the error that ends it, if one does."""
    try:
        serq.run(serq.compile(source=source), engine="python", limit_events=100_000)
    except serq.SerqError as error:
        return error.diagnostics[0].code
    return None


@examples(250)
@given(valid_programs())
def test_random_programs_agree_with_the_reference(source: str) -> None:
    check(source)


@examples(100)
@given(kernel_programs())
def test_programs_of_the_whole_kernel_agree_with_the_reference(source: str) -> None:
    check(source)


@examples(80)
@given(queue_programs())
def test_programs_with_queues_agree_with_the_reference(source: str) -> None:
    check(source)
