"""Definitions (contract §2, `def`): what one holds, and the rules it must keep where it stands.

A definition is a name for tokens. Its body is not parsed here: a use puts it in place with the
arguments in it (`serq.syntax.parser.expansion`), and what is wrong inside shows there. Checked
here: its name and parameters are its own, it uses only definitions above it, and its body assigns
none of its parameters. Depends on `serq.diagnostics`, `serq.vocabulary` and the tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from serq.records import Draft, Record
from serq.syntax.tokens import Kind, Token
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import AGGREGATES, FUNCTIONS
from serq.vocabulary.keywords import KEYWORDS
from serq.vocabulary.moments import CONTEXT_VARIABLES

WORDS_OF_THE_LANGUAGE = KEYWORDS | set(FUNCTIONS) | set(DISTRIBUTIONS) | set(AGGREGATES)
"""No definition and no parameter may be called so."""


class Facts(Record):
    """What tokens do once every definition they use is in place."""

    draws: bool
    live: str | None
    """The first function of live state or context variable they read."""
    reads: frozenset[str]
    """Names they read other than as a function."""
    binds: frozenset[str]
    """Names they `set`, `choose`, bind at admission or use as an aggregate's index."""
    calls: frozenset[str]
    """Words followed by a parenthesis, in these tokens alone."""


class Definition(Record):
    """`def name(parameters) = body;`, or `{ body }` when `statements`.

    One that breaks a rule is `broken`: its uses are read over and say nothing.
    """

    name: Token
    parameters: tuple[str, ...]
    body: tuple[Token, ...]
    statements: bool
    facts: Facts
    broken: bool = False

    def reads(self, parameter: str) -> int:
        """How often the body reads a parameter."""
        return sum(t.kind is Kind.NAME and t.text == parameter for t in self.body)


class Definitions(Draft):
    """The definitions so far, by name, and the replacements of bodies the caller asked for."""

    replacements: dict[str, str] = field(default_factory=dict)
    known: dict[str, Definition] = field(default_factory=dict)
    users: dict[str, Definition] = field(default_factory=dict)
    """By the name of what it uses, the first definition to use it."""
    read: set[str] = field(default_factory=set)
    """Files already read, by their real path."""
    misplaced: set[str] = field(default_factory=set)
    """Names reported as defined below their use."""
    expanded: int = 0
    """Tokens that uses have put in place so far."""

    def add(self, definition: Definition) -> None:
        """One more."""
        self.known[definition.name.text] = definition
        for name in definition.facts.calls:
            self.users.setdefault(name, definition)

    def facts(self, tokens: Sequence[Token]) -> Facts:
        """What these tokens do, the definitions they use included."""
        names = _names(tokens)
        calls = {name for name, _, after in names if after == "("}
        used = [self.known[name] for name in sorted(calls) if name in self.known]
        live = [
            f"{name}(…)" if after == "(" else name
            for name, _, after in names
            if _is_live(name, after)
        ]
        live += [d.facts.live for d in used if d.facts.live is not None]
        draws = any(t.text == "~" and t.kind is Kind.SYMBOL for t in tokens)
        return Facts(
            draws=draws or any(d.facts.draws for d in used),
            live=live[0] if live else None,
            reads=frozenset(name for name, _, after in names if after != "(").union(
                *(d.facts.reads.difference(d.parameters) for d in used)
            ),
            binds=frozenset(bound(tokens)).union(*(d.facts.binds for d in used)),
            calls=frozenset(calls),
        )


def bound(tokens: Sequence[Token]) -> Iterable[str]:
    """Names that tokens assign, bind or use as an index."""
    for name, before, after in _names(tokens):
        assigned = after == "=" and before not in ("observe", "gauge")
        if assigned or before == "choose" or (after == "in" and before in AGGREGATES):
            yield name


def named(tokens: Sequence[Token]) -> Iterable[str]:
    """Names that tokens give to something: those they bind, and observations and marks."""
    yield from bound(tokens)
    for name, before, _ in _names(tokens):
        if before in ("observe", "mark"):
            yield name


def _names(tokens: Sequence[Token]) -> list[tuple[str, str, str]]:
    """The words among tokens, each with the text before and after it."""
    texts = ["", *(t.text for t in tokens), ""]
    return [
        (token.text, texts[at], texts[at + 2])
        for at, token in enumerate(tokens)
        if token.kind is Kind.NAME
    ]


def _is_live(name: str, after: str) -> bool:
    if after == "(":
        return name in FUNCTIONS and FUNCTIONS[name].live
    return name in CONTEXT_VARIABLES
