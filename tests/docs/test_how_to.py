"""The guides: they answer in numbers that were printed, and one explains all of a report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from serq.diagnostics.catalogue import CATALOGUE
from serq.report import tables
from tests.docs.figures import figures
from tests.docs.pages import Page, read

FOLDER = Path(__file__).parents[2] / "docs" / "how-to"
INDEX = read(FOLDER / "README.md")
GUIDES = [read(path) for path in sorted(FOLDER.glob("*.md")) if path.name != "README.md"]
NUMBER = re.compile(r"`(-?\d[\d,]*\.?\d*)`")


def console(page: Page) -> str:
    return "".join(block.text for block in page.blocks("console"))


def test_the_index_has_every_guide() -> None:
    assert len(GUIDES) == 6
    assert {row[0].split("(")[1].rstrip(")") for row in INDEX.rows("How-to guides")} == {
        page.path.name for page in GUIDES
    }


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.path.stem)
def test_a_guide_begins_with_its_question(page: Page) -> None:
    assert page.prose().split("\n\n")[1].startswith("**")
    assert "?**" in page.prose().split("\n\n")[1]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.path.stem)
def test_numbers_that_are_quoted_are_printed(page: Page) -> None:
    shown = console(page) + "".join(page.files().values())
    unread = [
        number
        for number in NUMBER.findall(page.prose())
        if not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", shown)
    ]
    assert unread == []


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.path.stem)
def test_figures_are_drawn_by_the_commands(page: Page) -> None:
    for name in figures(page):
        assert re.search(rf"--(?:plot|out) {re.escape(name)}\b", console(page)), name


@pytest.mark.parametrize(
    ("heading", "columns"),
    [
        ("observe", tables.OBSERVE),
        ("gauge", tables.GAUGE),
        ("stage", tables.STAGE),
        ("step", tables.STEP),
        ("pool", tables.POOL),
    ],
)
def test_every_column_of_the_report_is_explained(
    heading: str, columns: tuple[tables.Column, ...]
) -> None:
    page = read(FOLDER / "read-a-report.md")
    names = [name for name, _ in columns[1:]]
    assert page.terms(heading) == set(names)
    printed = re.search(rf"^{heading} .*$", console(page), re.M)
    assert printed is not None
    assert re.split(r" {2,}", printed[0].strip()) == [heading, *names]


def test_every_note_of_a_report_is_explained_and_shown() -> None:
    page = read(FOLDER / "read-a-report.md")
    rows = page.rows("Notes")
    notes = {code for code in CATALOGUE if code.startswith("SQ8")}
    assert {row[2] for row in rows} == notes
    assert len(re.findall(r"^(?:note|stuck): ", console(page), re.M)) == len(notes)
