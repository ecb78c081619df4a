"""How a text of serQ is coloured: a table of patterns and what their groups are.

The tokens are those of `serq.syntax.lexer` (contract §2, *Text*). The words are read from
`serq.vocabulary`, so a new word of the language is coloured without an edit here. A highlighter
sees no declarations, so a word that is both a keyword and a name is told apart by what stands
beside it: a name follows `pool` or `run`, a function is followed by `(`, a distribution follows
`~`. Depends on the vocabulary.

The patterns mean the same to Python's `re` and to Oniguruma, which editors use; none of them, but
for a span, reaches over a line break, since editors colour line by line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from serq.vocabulary import keywords
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import AGGREGATES, FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES, INFINITY
from serq.vocabulary.roles import QUEUE_PARTS, ROLES, VERBS


class Category(Enum):
    """What a piece of text is; the value is its TextMate scope, without the language's name."""

    EXPECTED_FINDING = "comment.line.documentation"
    COMMENT = "comment.line.double-slash"
    BLOCK_COMMENT = "comment.block"
    STRING = "string.quoted.double"
    NUMBER = "constant.numeric"
    DECLARATION = "keyword.declaration"
    STATEMENT = "keyword.control"
    CLAUSE = "keyword.other"
    KIND = "support.type"
    FUNCTION = "support.function"
    DISTRIBUTION = "support.function.distribution"
    CONTEXT = "variable.language.context"
    ATTRIBUTE = "variable.language.attribute"
    CONSTANT = "constant.language"
    DECLARED = "entity.name"
    RESOURCE = "variable.other"
    NAME = "variable"
    OPERATOR = "keyword.operator"
    PUNCTUATION = "punctuation"
    BLANK = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern all of whose text lies in its groups, one category a group."""

    pattern: str
    groups: tuple[Category, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """What goes from `begin` to `end`, over lines if need be; to the end of the text without it."""

    begin: str
    end: str
    category: Category


WORDS: Final[dict[Category, frozenset[str]]] = {
    Category.DECLARATION: frozenset(
        {*keywords.ITEMS, *keywords.WORKLOAD_ITEMS, *QUEUE_PARTS, "pull"}
        - {"turn", "run", "share", "serve", "trace"}
    ),
    Category.STATEMENT: frozenset({*keywords.STATEMENTS, *VERBS, "else", "run", "turn"}),
    Category.KIND: frozenset({*keywords.STAGE_KINDS, *keywords.ARRIVALS, "lru", "lifo", *ROLES})
    - {*VERBS},
    Category.CONTEXT: frozenset(CONTEXT_VARIABLES),
    Category.ATTRIBUTE: frozenset({*BUILTIN_ATTRIBUTES, "self"}),
    Category.CONSTANT: frozenset({INFINITY}),
}
"""Words by what they are, where nothing beside them says otherwise. Every other keyword is a
clause."""

_TAKEN = frozenset().union(*WORDS.values())

CLAUSES: Final = frozenset(
    (keywords.KEYWORDS | {*keywords.POOL_OPTIONS, *keywords.STEP_OPTIONS, *keywords.RUN_OPTIONS})
    - (_TAKEN - WORDS[Category.CONTEXT])
)
"""Keywords that are parts of something."""

_DECLARES = ("let", "def", "pool", "stage", "queue", "gauge", "set", "observe", "choose", "mark")
_NAMES_A_RESOURCE = (
    "run", "hold", "grow", "load", "drop", "release", "growing", "lease", "memory", "via", "spill",
    "from", "on", "request", "pull",
)  # fmt: skip

_NAME = r"[^\W\d]\w*"
_START = r"(?<!\w)"
"""Where a word may begin."""


def _any(words: Iterable[str]) -> str:
    """A pattern for one of some words, whole."""
    return rf"(?:{'|'.join(sorted(words))})(?!\w)"


def _word(words: Iterable[str], category: Category) -> Rule:
    return Rule(f"{_START}({_any(words)})", (category,))


def _after(words: Iterable[str], category: Category, named: Category, but: str = "") -> Rule:
    """A word and the name behind it."""
    unless = rf"(?!{_any(but.split())})" if but else ""
    pattern = rf"{_START}({_any(words)})([^\S\n]+){unless}({_NAME})"
    return Rule(pattern, (category, Category.BLANK, named))


SPANS: Final = (
    Span(r"/\*", r"\*/", Category.BLOCK_COMMENT),
    Span('"', '"', Category.STRING),
)

RULES: Final = (
    Rule(r"(//![^\n]*)", (Category.EXPECTED_FINDING,)),
    Rule(r"(//[^\n]*)", (Category.COMMENT,)),
    Rule(r"(\.?[0-9][0-9._]*(?:[eE][+-]?[0-9]+)?)", (Category.NUMBER,)),
    Rule(
        rf"(~)([^\S\n]*)({_any(DISTRIBUTIONS)})",
        (Category.OPERATOR, Category.BLANK, Category.DISTRIBUTION),
    ),
    # `queue by`, `queue fifo` and `pool.nic` declare nothing; `run {` opens a block.
    _after({*_DECLARES} - {"set", "observe", "choose", "mark"}, Category.DECLARATION,
           Category.DECLARED, but="by fifo"),
    _after(("set", "observe", "choose", "mark"), Category.STATEMENT, Category.DECLARED),
    _after({*_NAMES_A_RESOURCE} - {*keywords.STATEMENTS}, Category.CLAUSE, Category.RESOURCE),
    _after({*_NAMES_A_RESOURCE} & {*keywords.STATEMENTS}, Category.STATEMENT, Category.RESOURCE),
    Rule(
        rf"{_START}(at|serve)([^\S\n]+)(admission)(?!\w)",
        (Category.CLAUSE, Category.BLANK, Category.CLAUSE),
    ),
    Rule(rf"{_START}({_any(FUNCTIONS)})(?=[^\S\n]*\()", (Category.FUNCTION,)),
    Rule(
        rf"{_START}({_any(AGGREGATES)})(?=[^\S\n]+{_NAME}[^\S\n]+in(?!\w))", (Category.FUNCTION,)
    ),
    *(_word(words, category) for category, words in WORDS.items()),
    _word(CLAUSES, Category.CLAUSE),
    Rule(rf"({_NAME})", (Category.NAME,)),
    Rule(r"(<=|>=|==|!=|&&|\|\||[=~?+\-*/^<>!])", (Category.OPERATOR,)),
    Rule(r"([;{}()\[\],:.])", (Category.PUNCTUATION,)),
)  # fmt: skip
"""Tried in order at each place of a text."""
