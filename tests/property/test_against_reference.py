"""Random valid programs: the executable semantics and the reference give the same answer.

The IR is equal as data; every count and every sample is equal to the bit; time averages and what
is derived from them agree within 1e-9. A program on which the reference panics or hangs is not
compared (both are defects of its own, see the page on compatibility), but it must still end here,
with a report or with an error of the run.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import serq
from tests.property.programs import valid_programs
from tests.reference import PRESENT, Answer, Reference

pytestmark = pytest.mark.skipif(not PRESENT, reason="the reference is not installed")

REFERENCE = Reference()

AVERAGES = {
    "mean_live", "mean_number", "utilization", "prefill_only", "decode_only", "mixed",
    "mean_decodes", "mean_used", "mean_cached", "mean_queue", "mean_holders",
}  # fmt: skip


def differences(path: str, ours: Any, theirs: Any) -> list[str]:
    """Where two report values part, with the name of the field."""
    if isinstance(theirs, dict):
        return [d for key in theirs for d in differences(f"{path}.{key}", ours[key], theirs[key])]
    if isinstance(theirs, list):
        if len(ours) != len(theirs):
            return [f"{path}: {len(ours)} entries, the reference has {len(theirs)}"]
        return [
            d
            for i, (a, b) in enumerate(zip(ours, theirs, strict=True))
            for d in differences(f"{path}[{i}]", a, b)
        ]
    if path.rsplit(".", 1)[-1] in AVERAGES and None not in (ours, theirs):
        same = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    else:
        same = ours == theirs
    return [] if same else [f"{path}: {ours!r}, the reference has {theirs!r}"]


def check_against(answer: Answer, source: str) -> None:
    """Run `source` and compare everything with the reference's answer."""
    program = serq.compile(source=source)
    assert json.loads(program.to_json()) == json.loads(answer.ir)
    report = serq.run(program, engine="python")
    theirs = json.loads(answer.report)
    ours = json.loads(report.json())
    del theirs["serq_version"], ours["serq_version"]
    found = differences("report", ours, theirs)
    for name, records in answer.records.items():
        observe = report.observe(name)
        for part, values in records.items():
            if list(getattr(observe, part)) != values:
                found.append(f"observe {name}: {part} differ")
    assert not found, "\n".join(found)


@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None,
    derandomize=True,
)  # fmt: skip
@given(valid_programs())
def test_random_programs_agree_with_the_reference(source: str) -> None:
    answer = REFERENCE.ask(source)
    assert answer.outcome in {"ran", "hung", "panicked", "failed"}, answer.message
    if answer.outcome == "ran":
        check_against(answer, source)
        return
    try:
        serq.run(serq.compile(source=source), engine="python", limit_events=100_000)
    except serq.SerqError as error:
        codes = {diagnostic.code for diagnostic in error.diagnostics}
        assert codes <= {"SQ601", "SQ602", "SQ603", "SQ604", "SQ607"}, error
    else:
        assert answer.outcome in {"panicked", "hung"}, answer.message
