"""The vocabulary's tables and the parser name the same words."""

import pytest
from tests.unit.syntax.reading import mistakes, one

from serq.syntax.parser.statements import _STATEMENTS
from serq.vocabulary.keywords import (
    ARRIVALS,
    ITEMS,
    KEYWORDS,
    POOL_OPTIONS,
    RETIRED,
    RUN_OPTIONS,
    STAGE_KINDS,
    STATEMENTS,
    STEP_OPTIONS,
    WORKLOAD_ITEMS,
)

UNKNOWN = {"SQ104", "SQ110", "SQ111"}


def test_every_statement_has_its_parser() -> None:
    assert set(_STATEMENTS) == set(STATEMENTS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{} \0;", ITEMS),
        ("pool p {{ {} \0; }}", POOL_OPTIONS),
        ("stage s : {} \0;", STAGE_KINDS),
        ("stage s : step {{ cost 1; {} \0; }}", STEP_OPTIONS),
        ("workload {{ {} \0; }}", WORKLOAD_ITEMS),
        ("workload {{ arrive {} \0; }}", ARRIVALS),
        ("run {{ {} 1; }}", RUN_OPTIONS),
    ],
)
def test_every_word_of_a_list_is_known_where_it_goes(text: str, words: tuple[str, ...]) -> None:
    for word in words:
        codes = {found.code for found in mistakes(text.format(word))}
        assert not codes & UNKNOWN, word
        assert word in KEYWORDS
    assert one(text.format("xyzzy").replace("\0", "")).code in UNKNOWN


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_no_definition_and_no_parameter_takes_a_word_of_the_language(word: str) -> None:
    code = "SQ113" if word in RETIRED else "SQ108"
    assert one(f"def {word}(x) = 1;").code == code
    assert one(f"def f({word}) = 1;").code == code


@pytest.mark.parametrize("word", sorted(RETIRED))
def test_a_retired_word_names_nothing_new_and_is_no_statement(word: str) -> None:
    for text in (f"let {word} = 1;", f"session {{ {word} x; }}", f"session {{ set {word} = 1; }}"):
        assert one(text).code == "SQ113"
