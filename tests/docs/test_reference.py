"""The reference: every word has a page, and every page has its parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from serq.diagnostics import CATALOGUE
from serq.vocabulary import keywords
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import AGGREGATES, FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES, INFINITY, Moment
from serq.vocabulary.operators import BINARY, UNARY
from serq.vocabulary.roles import QUEUE_PARTS, ROLES, VERBS
from tests.docs.pages import Page, code, read

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"
INDEX = FOLDER / "README.md"
PAGES = [read(path) for path in sorted(FOLDER.glob("*.md")) if path != INDEX]

PARTS = ["Syntax", "Arguments", "Errors", "Example", "See the cases"]

WORDS: dict[str, set[str]] = {
    "Items": {*keywords.ITEMS},
    "Statements": {*keywords.STATEMENTS},
    "Pool options": {*keywords.POOL_OPTIONS},
    "Stage kinds": {*keywords.STAGE_KINDS},
    "Step options": {*keywords.STEP_OPTIONS},
    "Workload": {*keywords.WORKLOAD_ITEMS},
    "Arrivals": {*keywords.ARRIVALS},
    "Run options": {*keywords.RUN_OPTIONS},
    "Queue parts": {*QUEUE_PARTS, *ROLES, *VERBS, "self", "pull", "latency"},
    "Operators": {*BINARY, *UNARY, "?"},
    "Functions": {*FUNCTIONS},
    "Aggregates": {*AGGREGATES},
    "Distributions": {*DISTRIBUTIONS},
    "Context variables": {*CONTEXT_VARIABLES, INFINITY},
    "Built-in attributes": {*BUILTIN_ATTRIBUTES},
}
"""The words each table of the index must have, from the tables of the vocabulary."""

NO_MEANING = {"fits"}
"""Keywords that only reserve a name."""

NOT_EVALUATED = "\u2013"
"""The moment of a name or a word, a dash."""

LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
NUMBER = re.compile(r"`(±?\d[\d.]*)`")


def unescaped(term: str) -> str:
    return term.replace("\\|", "|")


def listed(heading: str) -> dict[str, str]:
    """The words of a table of the index, each with the page it leads to."""
    found: dict[str, str] = {}
    for words, page, _ in read(INDEX).rows(heading):
        match = LINK.search(page)
        assert match is not None, page
        for word in code(words):
            assert unescaped(word) not in found, f"{heading}: {word} twice"
            found[unescaped(word)] = match["target"]
    return found


@pytest.mark.parametrize("heading", WORDS)
def test_every_word_has_a_page(heading: str) -> None:
    found = listed(heading)
    assert set(found) == WORDS[heading]
    for word, target in found.items():
        page = read(FOLDER / target)
        names = re.findall(r"\w+|[^\w\s`]+", unescaped(page.text))
        assert word in names, f"{target} does not say {word}"


def test_every_keyword_has_a_page() -> None:
    clauses = listed("Clauses")
    assert set(clauses) <= keywords.KEYWORDS
    words = set(clauses).union(*(listed(heading) for heading in WORDS))
    assert keywords.KEYWORDS - words == NO_MEANING


def test_every_page_is_in_the_index() -> None:
    linked = {match["target"] for match in LINK.finditer(read(INDEX).text)}
    assert {page.path.name for page in PAGES} - linked == set()


def test_every_error_is_on_a_page() -> None:
    linked = {
        found for page in [*PAGES, read(INDEX)] for found in re.findall(r"\[(SQ\d+)\]", page.text)
    }
    assert linked == set(CATALOGUE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_a_page_has_its_parts(page: Page) -> None:
    assert page.headings()[1:] == PARTS
    assert len(page.text.splitlines()) <= 150
    introduction = page.prose().split("\n## ")[0].splitlines()[1:]
    assert "".join(introduction).endswith(".")
    assert page.text.count("```text") == 1
    assert [row for row in page.rows("Errors") if not re.fullmatch(r"\[SQ\d{3}\]", row[0])] == []
    assert LINK.search(page.section("See the cases"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_arguments_have_a_moment(page: Page) -> None:
    moments = {moment.value for moment in Moment} | {"where it stands", NOT_EVALUATED}
    rows = [row for row in page.rows("Arguments") if len(row) == 5]
    assert rows
    assert {row[2] for row in rows} <= moments


def shown(page: Page) -> str:
    return "".join(block.text for block in page.blocks("console"))


def unread(page: Page) -> list[str]:
    """Numbers in backticks under the example that its output does not have."""
    return [
        number
        for number in NUMBER.findall(page.section("Example"))
        if not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", shown(page))
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_an_example_runs_and_its_numbers_are_read(page: Page) -> None:
    name = f"{page.path.stem}.sq"
    assert name in page.files()
    first = next(iter(page.blocks("console"))).text.splitlines()
    assert first[0] == f"$ serq run {name} --quiet"
    assert NUMBER.findall(page.section("Example"))
    assert unread(page) == []


def test_a_number_that_is_not_shown_is_noticed() -> None:
    page = Page(
        Path("page.md"), "## Example\n\n```console\n$ x\n0.25 12.5\n```\n\n`0.25`, `2.5`, `12`\n"
    )
    assert unread(page) == ["2.5", "12"]
