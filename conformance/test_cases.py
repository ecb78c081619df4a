"""Every case of the suite on every engine asked for, and the rules the suite keeps for itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conformance.answers import bless
from conformance.loader import Case, load_suite
from conformance.runner import Outcome, load_skips, run_case, skip_reason

ROOT = Path(__file__).resolve().parent
LEAST_CASES = 1113
"""As many cases as there are. A lost folder makes the run fail; a new case raises the number."""


def test_no_case_is_lost() -> None:
    assert len(load_suite(ROOT)) >= LEAST_CASES


def test_every_skip_names_a_case() -> None:
    cases = load_suite(ROOT)
    names = {case.name for case in cases} | {case.page_name for case in cases}
    for engine, skips in load_skips().items():
        assert set(skips) <= names, f"skips.toml: [{engine}] names cases nobody wrote"


def test_case(case: Case, engine: str, tmp_path: Path) -> None:
    outcome = run_case(case, engine, tmp_path)
    if os.environ.get("SERQ_BLESS") == "1" and outcome.report is not None and case.expect:
        bless(case, outcome.report)
        pytest.skip("blessed")
    reason = skip_reason(case, engine, load_skips())
    if reason is None and outcome.complaints:
        pytest.fail(_complaint(case, outcome), pytrace=False)
    elif reason is not None and outcome.complaints:
        pytest.xfail(reason)
    elif reason is not None:
        pytest.fail("passes now: take it out of skips.toml")


def _complaint(case: Case, outcome: Outcome) -> str:
    where = f"{case.page.relative_to(ROOT.parent)}:{case.line}"
    return "\n  ".join([f"{where}: {case.title}", *outcome.complaints])
