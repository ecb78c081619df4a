"""The Pygments lexer of serQ, for documentation, notebooks and terminals.

It is the table of `serq.highlight.rules`, and nothing more. Needs Pygments. Registered under the
entry point `pygments.lexers`, so whatever uses Pygments finds it by the name `serq` or by `*.sq`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from pygments.lexer import RegexLexer, bygroups
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from serq.highlight.rules import RULES, SPANS, Category, Rule, Span

TOKENS: Final[dict[Category, _TokenType]] = {
    Category.EXPECTED_FINDING: Comment.Special,
    Category.COMMENT: Comment.Single,
    Category.BLOCK_COMMENT: Comment.Multiline,
    Category.STRING: String.Double,
    Category.NUMBER: Number,
    Category.DECLARATION: Keyword.Declaration,
    Category.STATEMENT: Keyword,
    Category.CLAUSE: Keyword,
    Category.KIND: Keyword.Type,
    Category.FUNCTION: Name.Builtin,
    Category.DISTRIBUTION: Name.Builtin,
    Category.CONTEXT: Name.Builtin.Pseudo,
    Category.ATTRIBUTE: Name.Builtin.Pseudo,
    Category.CONSTANT: Keyword.Constant,
    Category.DECLARED: Name.Variable,
    Category.RESOURCE: Name,
    Category.NAME: Name,
    Category.OPERATOR: Operator,
    Category.PUNCTUATION: Punctuation,
    Category.BLANK: Whitespace,
}
"""What each category is to Pygments."""


def _span(span: Span) -> tuple[str, _TokenType]:
    end = span.end if len(span.end) > 1 else f"[{span.end}]"
    return rf"{span.begin}(?:(?!{end})[\s\S])*(?:{end}|\Z)", TOKENS[span.category]


def _rule(rule: Rule) -> tuple[str, Any]:
    tokens = [TOKENS[category] for category in rule.groups]
    if len(tokens) == 1:
        return rule.pattern, tokens[0]
    return rule.pattern, bygroups(*tokens)  # type: ignore[no-untyped-call]


class SerqLexer(RegexLexer):
    """serQ programs."""

    name = "serQ"
    aliases: ClassVar = ["serq"]
    filenames: ClassVar = ["*.sq"]
    mimetypes: ClassVar = ["text/x-serq"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            *(_rule(rule) for rule in RULES[:2]),
            *(_span(span) for span in SPANS),
            *(_rule(rule) for rule in RULES[2:]),
        ],
    }
