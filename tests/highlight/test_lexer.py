"""The Pygments lexer knows every word, and reads every program as serQ's own scanner does."""

from __future__ import annotations

from importlib import metadata

import pytest
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    Token,
    Whitespace,
)

from serq.diagnostics import Diagnostic, Source
from serq.highlight.lexer import TOKENS, SerqLexer
from serq.highlight.rules import Category
from serq.syntax.lexer import scan
from serq.vocabulary import keywords
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import AGGREGATES, FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES, INFINITY
from serq.vocabulary.operators import BINARY, UNARY
from serq.vocabulary.roles import QUEUE_PARTS, ROLES, VERBS
from tests.highlight.programs import accepted, refused

Piece = tuple[int, object, str]

WORDS = sorted(
    {
        *keywords.KEYWORDS, *keywords.ITEMS, *keywords.STATEMENTS, *keywords.POOL_OPTIONS,
        *keywords.STAGE_KINDS, *keywords.STEP_OPTIONS, *keywords.ARRIVALS, *keywords.RUN_OPTIONS,
        *keywords.WORKLOAD_ITEMS, *QUEUE_PARTS, *ROLES, *VERBS, *CONTEXT_VARIABLES,
        *BUILTIN_ATTRIBUTES, INFINITY,
    }
)  # fmt: skip
UNCOLOURED = {Name, Token, Error, Name.Variable}


def pieces(text: str) -> list[Piece]:
    return list(SerqLexer().get_tokens_unprocessed(text))


def colours(text: str) -> list[tuple[object, str]]:
    return [(token, piece) for _, token, piece in pieces(text) if token is not Whitespace]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_language_has_a_colour(word: str) -> None:
    if word in ("bernoulli",):  # a distribution, and so behind `~` only
        word = f"~{word}"
    token, piece = colours(f"{word};")[-2]
    assert piece == word.removeprefix("~")
    assert token not in UNCOLOURED


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_a_colour_where_it_is_called(name: str) -> None:
    assert colours(f"set x = {name}(kv);")[3] == (Name.Builtin, name)
    assert colours(f"set x = {name} (kv);")[3] == (Name.Builtin, name)


@pytest.mark.parametrize("name", AGGREGATES)
def test_an_aggregate_has_a_colour(name: str) -> None:
    assert colours(f"set x = {name} j in 4 (used(kv[j]));")[3] == (Name.Builtin, name)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_distribution_has_a_colour_behind_its_sign(name: str) -> None:
    assert colours(f"set x = ~{name}(2);")[3:5] == [(Operator, "~"), (Name.Builtin, name)]


@pytest.mark.parametrize("sign", [*BINARY, *UNARY, "?", "=", "~"])
def test_an_operator_is_one_token(sign: str) -> None:
    assert colours(sign) == [(Operator, sign)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pool cache { cap 1; }", "cache"),
        ("stage decode : ps (1);", "decode"),
        ("let budget = 1;", "budget"),
        ("observe ttft = now;", "ttft"),
        ("queue gw : gateway { }", "gw"),
    ],
)
def test_what_a_program_declares_is_a_name_whatever_its_word(text: str, name: str) -> None:
    assert (Name.Variable, name) in colours(text)


def test_a_queue_option_declares_nothing() -> None:
    assert colours("queue by (waited);")[:2] == [(Keyword.Declaration, "queue"), (Keyword, "by")]
    assert colours("queue fifo;")[1] == (Keyword.Type, "fifo")
    assert colours("run { horizon 1; }")[0] == (Keyword, "run")


def test_a_plain_name_has_none() -> None:
    assert colours("prompts") == [(Name, "prompts")]
    assert colours("holding")[0][0] is Name


def test_comments_texts_and_what_is_never_closed() -> None:
    assert colours('use "a.sq"; // b')[1::2] == [
        (String.Double, '"a.sq"'),
        (Comment.Single, "// b"),
    ]
    assert colours("/* pool\nkv */ 1")[0] == (Comment.Multiline, "/* pool\nkv */")
    assert colours("/* pool\nkv") == [(Comment.Multiline, "/* pool\nkv")]
    assert colours("x; //! SQ301")[-1] == (Comment.Special, "//! SQ301")


def own(text: str) -> tuple[list[tuple[int, str]], list[Diagnostic]]:
    """The tokens of serQ's own scanner with their places, and what it found wrong."""
    found: list[Diagnostic] = []
    tokens = list(scan(Source("program", text), found.append, comments=True))
    return [(token.span.start, token.text) for token in tokens[:-1]], found


def test_every_accepted_program_is_read_as_the_language_reads_it() -> None:
    programs = accepted()
    assert len(programs) > 400
    for name, text in programs.items():
        read = [(at, piece) for at, token, piece in pieces(text) if token is not Whitespace]
        tokens, found = own(text)
        assert found == [], name
        assert read == tokens, name
        assert all(token is not Error for _, token, _ in pieces(text)), name


def test_a_refused_program_has_an_error_only_where_the_language_finds_one() -> None:
    programs = refused()
    assert len(programs) > 150
    for name, text in programs.items():
        at = {
            (start, text[start])
            for start, token, piece in pieces(text)
            if token is Error
            for start in range(start, start + len(piece))
        }
        _, found = own(text)
        spans = [(d.span.start, d.span.end) for d in found if d.span is not None]
        for start, _ in at:
            assert any(begin <= start < end for begin, end in spans), (name, start)


def test_every_category_has_a_token() -> None:
    assert set(TOKENS) == set(Category)
    assert TOKENS[Category.NUMBER] is Number


def test_pygments_finds_the_lexer() -> None:
    found = metadata.entry_points(group="pygments.lexers", name="serq")
    try:
        metadata.distribution("serq")
    except metadata.PackageNotFoundError:
        pytest.skip("serq runs from its source tree, without an installation")
    (entry,) = found
    assert entry.load() is SerqLexer
