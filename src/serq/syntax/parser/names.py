"""Words that can not be names (contract §2): retired ones, and what a definition may be called.

Depends on the parser's state, the definitions and the vocabulary.
"""

from __future__ import annotations

from serq.syntax.parser.definitions import WORDS_OF_THE_LANGUAGE
from serq.syntax.parser.state import Parser
from serq.syntax.tokens import Token
from serq.vocabulary.keywords import RETIRED


def expect_new_name(p: Parser, what: str) -> Token:
    """Take the name of a constant, an attribute or a binding, which no retired word may be."""
    name = p.expect_name(what)
    refuse_retired(p, name)
    return name


def refuse_retired(p: Parser, name: Token) -> None:
    """A retired word names nothing: where it stands an old construct was meant."""
    if name.text in RETIRED:
        raise p.mistake(
            "SQ113",
            f"`{name.text}` is a retired word and names nothing",
            name,
            help=f"`{RETIRED[name.text]}` took its place; choose another name",
        )


def refuse_language_word(p: Parser, name: Token, what: str) -> None:
    """A definition or a parameter may not be called like a word of the language."""
    refuse_retired(p, name)
    if name.text in WORDS_OF_THE_LANGUAGE:
        raise p.mistake(
            "SQ108",
            f"`{name.text}` is a word of the language and can not name {what}",
            name,
            help=f"give {what} a name of its own",
        )
