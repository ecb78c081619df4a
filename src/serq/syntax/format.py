"""`serq fmt`: the layout of a program.

Line breaks, blank lines, comments and spellings are kept. A line is indented by two blanks for
every brace open above it, one fewer where it begins with `}`; a line that goes on from the one
before, and a comment of its own, may stand further in. Between two tokens of a line stands one
blank or none, by their symbols, and where those say nothing as the writer had it. The tokens stay
the same. Depends on the lexer and the parser.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from serq.diagnostics import Diagnostic, Source, has_errors
from serq.records import Record
from serq.syntax.lexer import scan
from serq.syntax.parser import parse
from serq.syntax.tokens import Kind, Token

_INDENT = 2

_TIGHT_BEFORE = frozenset(") ] , ; . [".split())
_TIGHT_AFTER = frozenset("( [ . ~".split())
_SPACED_BEFORE = frozenset("= { }".split())
_SPACED_AFTER = frozenset(", ; : = { }".split())
_ENDS = frozenset("; { }".split())
"""What a line ends in where the next one begins something new."""


class FormatResult(Record):
    """The text laid out, None when it has errors, and what there is to say of it."""

    text: str | None
    diagnostics: list[Diagnostic]


def format_source(source: Source) -> FormatResult:
    """Lay a program or a library out; one with errors is left alone."""
    parsed = parse(source)
    if has_errors(parsed.diagnostics):
        return FormatResult(None, parsed.diagnostics)
    tokens = _tokens(source)
    text = _layout(source, tokens)
    if _spelling(_tokens(Source(source.name, text))) != _spelling(tokens):
        broken = Diagnostic("SQ901", "the layout changes the program", file=source.name)
        return FormatResult(None, [broken])
    return FormatResult(text, parsed.diagnostics)


def _tokens(source: Source) -> list[Token]:
    return [t for t in scan(source, lambda _: None, comments=True) if t.kind is not Kind.END]


def _spelling(tokens: list[Token]) -> list[tuple[Kind, str]]:
    return [(t.kind, t.text.rstrip() if t.kind is Kind.COMMENT else t.text) for t in tokens]


def _layout(source: Source, tokens: list[Token]) -> str:
    lines: list[str] = []
    level, below, goes_on = 0, 1, False
    for row in _rows(source, tokens):
        first = row[0]
        lines.extend([""] * (first.span.start_line - below))
        below = source.position(row[-1].span.end)[0] + 1
        least = _INDENT * max(0, level - (first.text == "}"))
        comment_only = all(t.kind is Kind.COMMENT for t in row)
        indent = max(least, _column(source, first)) if goes_on or comment_only else least
        lines.append(" " * indent + _row(source, row))
        for token in row:
            level = max(0, level + (token.text == "{") - (token.text == "}"))
            if token.kind is not Kind.COMMENT:
                goes_on = token.text not in _ENDS
    return "".join(line + "\n" for line in lines)


def _rows(source: Source, tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens that share a line; a token of several lines joins the first and the last."""
    row: list[Token] = []
    ended = 0
    for token in tokens:
        if row and token.span.start_line > ended:
            yield row
            row = []
        row.append(token)
        ended = source.position(token.span.end)[0]
    if row:
        yield row


def _column(source: Source, token: Token) -> int:
    """How far in a token stands, a tab being as wide as one step."""
    line = source.line(token.span.start_line)
    before = line[: token.span.start_column - 1]
    return len(before.expandtabs(_INDENT))


def _row(source: Source, row: list[Token]) -> str:
    if any(t.kind is Kind.COMMENT for t in row):
        return source.text[row[0].span.start : row[-1].span.end].rstrip()
    text = row[0].text
    for before, token in pairwise(row):
        text += _between(before, token) + token.text
    return text


def _between(before: Token, after: Token) -> str:
    """The blank between two tokens of a line."""
    stood_apart = before.span.end < after.span.start
    if Kind.NUMBER in (before.kind, after.kind) and "." in (before.text, after.text):
        return " " if stood_apart else ""
    if before.text in _TIGHT_AFTER or after.text in _TIGHT_BEFORE:
        return ""
    if before.text in _SPACED_AFTER or after.text in _SPACED_BEFORE:
        return " "
    return " " if stood_apart else ""
