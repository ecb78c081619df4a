"""Where the first error of a refused program is: line and column, beside the reference's.

`places.json` holds the place the reference gives for each refused program of the conformance
suite it gives a place for. A place of ours that is another on purpose stands beside it, with why.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conformance.loader import Case, load_page

import serq
from tests.reference import PRESENT, Reference

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "conformance" / "errors").glob("*.md"))
CASES = {case.name: case for page in PAGES for case in load_page(page)}
PLACES: dict[str, Any] = json.loads(Path(__file__).with_name("places.json").read_text("utf-8"))

PLACE = re.compile(r"(?:\S+: ?)?(?P<line>\d+):(?P<column>\d+): ")


def place_of(name: str, whose: str) -> list[int]:
    """The place in the table: one for both, or one for each with why they part."""
    entry: list[int] | dict[str, Any] = PLACES[name]
    if isinstance(entry, list):
        return entry
    place: list[int] = entry[whose]
    return place


def refused(case: Case, folder: Path) -> serq.SerqError:
    for file, text in {**case.files, "program.sq": case.program}.items():
        (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(serq.SerqError) as error:
        serq.compile(path=folder / "program.sq")
    return error.value


def test_every_place_belongs_to_a_case() -> None:
    assert set(PLACES) <= set(CASES)


@pytest.mark.parametrize("name", PLACES)
def test_the_first_error_is_where_it_is(name: str, tmp_path: Path) -> None:
    first = refused(CASES[name], tmp_path).diagnostics[0]
    assert first.span is not None, first
    assert [first.span.start_line, first.span.start_column] == place_of(name, "ours"), str(first)


@pytest.mark.parametrize("name", CASES)
def test_an_error_of_a_text_has_a_place(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    if case.page.stem in {"run-time", "traces"}:
        return
    for finding in refused(case, tmp_path).diagnostics:
        assert finding.span is not None, str(finding)


@pytest.mark.parametrize("name", CASES)
def test_errors_come_in_the_order_of_the_text(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    if case.page.stem in {"run-time", "traces"}:
        return
    spans = [finding.span for finding in refused(case, tmp_path).diagnostics]
    starts = [span.start for span in spans if span and span.source.name.endswith("program.sq")]
    assert starts == sorted(starts)


@pytest.mark.skipif(not PRESENT, reason="the reference is not installed")
def test_the_table_says_what_the_reference_says() -> None:
    reference = Reference()
    wrong: list[str] = []
    for name, case in CASES.items():
        if case.files or (case.differs and name not in PLACES):
            continue
        answer = reference.ask(case.program)
        place = PLACE.match(answer.message)
        found = [int(place["line"]), int(place["column"])] if place else None
        if found != (place_of(name, "reference") if name in PLACES else None):
            wrong.append(f"{name}: {found}")
    reference.close()
    assert wrong == []
