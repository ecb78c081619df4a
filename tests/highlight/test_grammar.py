"""The TextMate grammar is current, knows every word, and colours as the Pygments lexer does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Whitespace
from tools.grammar import FILE, text

from serq.highlight.lexer import TOKENS, SerqLexer
from serq.highlight.rules import Category
from serq.highlight.textmate import grammar
from tests.highlight.programs import accepted, refused
from tests.highlight.test_lexer import WORDS
from tests.highlight.textmate import pieces

CATEGORY = {f"{category.value}.serq": category for category in Category}


@pytest.fixture(scope="module")
def checked_in() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def test_the_file_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run `python -m tools.grammar`"


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_language_has_a_colour(checked_in: dict[str, Any], word: str) -> None:
    typed = f"~{word}" if word == "bernoulli" else word
    scope, piece = list(pieces(checked_in, f"{typed};"))[-2]
    assert piece == word
    assert CATEGORY[scope] not in (Category.NAME, Category.DECLARED)


def characters(found: list[tuple[object, str]]) -> list[object]:
    return [colour for colour, piece in found for _ in piece]


def test_an_editor_colours_as_the_lexer_does(checked_in: dict[str, Any]) -> None:
    """Character by character, but for blanks and what neither knows."""
    lexer = SerqLexer()
    for name, program in (accepted() | refused()).items():
        lexed = [(token, piece) for _, token, piece in lexer.get_tokens_unprocessed(program)]
        edited = [
            (TOKENS[CATEGORY[scope]] if scope else Whitespace, piece)
            for scope, piece in pieces(checked_in, program)
        ]
        ours, theirs = characters(list(lexed)), characters(list(edited))
        assert len(ours) == len(theirs), name
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            if not program[at].isspace() and program[at].isascii():
                assert one is other or str(one) == "Token.Error", (name, program[at - 9 : at + 9])


def test_patterns_stay_within_a_line() -> None:
    for rule in grammar()["patterns"]:  # type: ignore[attr-defined]
        if "match" in rule:
            assert not re.search(r"\\s(?!\))", rule["match"]), rule["match"]


def test_the_extension_points_at_its_files(repository: Path) -> None:
    folder = repository / "editors" / "vscode"
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    (language,), (entry,) = contributes["languages"], contributes["grammars"]
    assert (folder / language["configuration"]).exists()
    assert folder / entry["path"] == FILE
    assert entry["language"] == language["id"]
    assert entry["scopeName"] == grammar()["scopeName"]
    brackets = json.loads((folder / language["configuration"]).read_text(encoding="utf-8"))
    assert brackets["comments"]["lineComment"] == "//"
