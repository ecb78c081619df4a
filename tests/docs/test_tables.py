"""The tables of the reference name just what the language has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from serq.ir import program_json, spelling
from serq.link import aggregates
from serq.link.queues import lowering
from serq.report import json as report_json
from serq.report import options, rows
from serq.syntax.parser import expansion, sizes, state
from serq.vocabulary import keywords
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import AGGREGATES, FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES, Moment
from serq.vocabulary.operators import BINARY, UNARY
from serq.vocabulary.roles import ROLES, VERBS
from tests.docs.pages import Page, code, read


@pytest.fixture(scope="session")
def docs(repository: Path) -> dict[str, Page]:
    """The pages of `docs/` by name."""
    return {path.stem: read(path) for path in (repository / "docs").glob("*.md")}


# --- words ---------------------------------------------------------------------------


NEVER_QUOTED = {"bernoulli", "fits"}
"""Keywords that only reserve a name."""


def words_of(paragraph: str) -> set[str]:
    return set(re.findall(r"[a-z]+", paragraph.partition("**")[2].partition("**")[2]))


def test_keywords(docs: dict[str, Page]) -> None:
    paragraphs = docs["grammar"].section("Text").split("\n\n")
    (listed,) = (p for p in paragraphs if p.startswith("**Keywords"))
    assert words_of(listed) == keywords.KEYWORDS
    (retired,) = (p for p in paragraphs if p.startswith("**Retired"))
    assert set(keywords.RETIRED) == words_of(retired.partition(" name ")[0])


def test_the_grammar_has_the_keywords_and_no_other_words(docs: dict[str, Page]) -> None:
    (grammar,) = docs["grammar"].blocks("ebnf")
    quoted = set(re.findall(r"'(\w+)'", grammar.text))
    known = keywords.KEYWORDS | set(AGGREGATES) | set(keywords.STEP_OPTIONS)
    known |= set(keywords.TRACE_ARRIVAL_OPTIONS)
    assert quoted - known <= {"let", "use"} | {"delay"} | set(ROLES)
    assert keywords.KEYWORDS - quoted == NEVER_QUOTED


def test_the_grammar_defines_what_it_uses(docs: dict[str, Page]) -> None:
    (grammar,) = docs["grammar"].blocks("ebnf")
    text = re.sub(r"'[^']*'|\(\*.*?\*\)", "", grammar.text)
    defined = set(re.findall(r"^(\w+) *=", text, re.M))
    used = {word for word in re.findall(r"\w+", text) if word.islower()}
    assert used == defined
    assert {word for word in re.findall(r"\w+", text) if word.isupper()} == {
        "NAME", "NUMBER", "TEXT",
    }  # fmt: skip


def test_the_grammar_has_every_operator(docs: dict[str, Page]) -> None:
    (grammar,) = docs["grammar"].blocks("ebnf")
    quoted = set(re.findall(r"'([^\w']+)'", grammar.text))
    assert set(BINARY) | set(UNARY) <= quoted


def first_words(terms: set[str]) -> set[str]:
    return {term.split()[0] for term in terms}


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("Pools", keywords.POOL_OPTIONS),
        ("Run", keywords.RUN_OPTIONS),
        ("Workload", keywords.WORKLOAD_ITEMS),
        ("Stages", (*keywords.STAGE_KINDS, *keywords.STEP_OPTIONS)),
    ],
)
def test_options(docs: dict[str, Page], heading: str, words: tuple[str, ...]) -> None:
    listed = first_words(docs["language"].terms(heading)) - {"step"}
    assert listed == set(words) - {"step"}


def test_statements(docs: dict[str, Page]) -> None:
    page = docs["language"]
    listed = first_words(page.terms("Statements")) | first_words(
        page.terms("The serving vocabulary")
    )
    named = {re.sub(r"\W.*", "", word) for word in listed}
    assert named == set(keywords.STATEMENTS)


# --- expressions ---------------------------------------------------------------------


def test_functions(docs: dict[str, Page]) -> None:
    calls = [re.fullmatch(r"(\w+)\((.*)\)", t) for t in docs["expressions"].terms("Functions")]
    listed = {call[1]: call[2].count(",") + 1 for call in calls if call is not None}
    assert listed == {name: len(row.parameters) for name, row in FUNCTIONS.items()}


def test_distributions(docs: dict[str, Page]) -> None:
    laws = {f"~{name}({', '.join(row.parameters)})" for name, row in DISTRIBUTIONS.items()}
    assert docs["expressions"].terms("Distributions") == laws


def test_attributes(docs: dict[str, Page]) -> None:
    assert docs["expressions"].terms("What a name means") == set(BUILTIN_ATTRIBUTES)


def test_moments(docs: dict[str, Page]) -> None:
    rows = docs["expressions"].rows("Moments")
    assert [row[0] for row in rows] == [moment.value for moment in Moment]


def test_context_variables(docs: dict[str, Page]) -> None:
    listed: dict[str, frozenset[Moment]] = {}
    moments: frozenset[Moment] = frozenset()
    for variable, _, where in docs["expressions"].rows("Context variables"):
        if where != "the same":
            moments = moments_in(where)
        listed[variable.strip("`")] = moments
    assert listed == {name: row.moments for name, row in CONTEXT_VARIABLES.items()}


def moments_in(text: str) -> frozenset[Moment]:
    """`a step stage's budget, chunk and cost, a serve key`."""
    if text.startswith("all but"):
        return frozenset(Moment) - moments_in(text.removeprefix("all but "))
    words = re.split(r", | and ", text)
    step = "a step stage's "
    full = {moment.value for moment in Moment}
    return frozenset(Moment(word if word in full else step + word) for word in words)


# --- limits --------------------------------------------------------------------------


def test_limits(docs: dict[str, Page]) -> None:
    most = [row[1] for row in docs["language"].rows("Limits")]
    assert most == [
        f"{limit:,}"
        for limit in (
            state.MOST_LEVELS,
            state.MOST_OPERANDS,
            sizes.MOST_MEMBERS,
            lowering.MOST_STATEMENTS,
            lowering.MOST_CALLS,
            expansion.MOST_TOKENS,
            aggregates.MOST_TERMS,
            aggregates.MOST_NODES,
            state.MOST_CHARACTERS,
            state.MOST_ERRORS,
            state.MOST_SKIPPED,
        )
    ]


def test_limits_of_a_run(docs: dict[str, Page]) -> None:
    text = docs["semantics"].section("What the limits of a run do")
    numbers = re.findall(r"\d[\d,]+,000", text)
    assert numbers == [
        f"{limit:,}"
        for limit in (
            options.DEFAULT_LIMIT_STATEMENTS,
            options.DEFAULT_LIMIT_EVENTS,
            options.DEFAULT_LIMIT_SESSIONS,
        )
    ]


# --- the JSON forms ------------------------------------------------------------------


def test_members_of_the_ir(docs: dict[str, Page]) -> None:
    terms = [t for row in docs["ir"].rows("The program") for t in code(row[0])]
    example = '"version" and its neighbours stand in the order of the file'
    assert len(terms) == len(set(terms)), example
    parts = (program_json._BEFORE_SLOTS, program_json._SLOTS.members, program_json._AFTER_SLOTS)
    assert terms == ["version", *(member.key for part in parts for member in part)]
    pool = [t for row in docs["ir"].rows("Pools") for t in code(row[0])]
    assert pool == [member.key for member in program_json._POOL.members]


def test_spellings_of_the_ir(docs: dict[str, Page]) -> None:
    page = docs["ir"]
    text = page.section("Expressions")
    for spelt in (
        *spelling.FUNCTIONS.values(),
        *spelling.DISTRIBUTIONS.values(),
        *spelling.UNARY.values(),
        *spelling.BINARY.values(),
    ):
        assert f"`{spelt}`" in text, spelt
    cells = [cell for row in page.rows("Expressions") if len(row) == 6 for cell in row]
    names = [cell.strip("`") for cell in cells if cell]
    assert dict(zip(names[::2], names[1::2], strict=True)) == spelling.CONTEXT


def test_members_of_the_report(docs: dict[str, Page]) -> None:
    page = docs["report"]
    assert [t for row in page.rows("The run") for t in code(row[0])] == [
        *report_json._FACTS, "observes", "gauges", "stages", "pools", "samples", "partial",
    ]  # fmt: skip
    for heading, names in (
        ("Observations", report_json._OBSERVE),
        ("Gauges", report_json._GAUGE),
        ("Stages", rows.Stage.__match_args__),
        ("Pools", rows.Pool.__match_args__),
    ):
        assert [t for row in page.rows(heading) for t in code(row[0])] == list(names), heading


# --- queues --------------------------------------------------------------------------


def test_roles(docs: dict[str, Page]) -> None:
    assert docs["queues"].terms("Roles") == set(ROLES)


def test_entries(docs: dict[str, Page]) -> None:
    entries = [row[1] for row in docs["queues"].rows("Roles")]
    assert [first.strip("`").split()[0] for first in entries] == list(VERBS)
