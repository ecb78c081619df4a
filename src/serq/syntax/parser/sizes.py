"""The size of an array, `[N]`: a whole number known while parsing (contract §2).

A literal, a `let` above it, or an expression of those. Depends on the parser's state and the
constants.
"""

from __future__ import annotations

from math import isnan

from serq.diagnostics import Note, Span, nearest
from serq.syntax import ast
from serq.syntax.parser.constants import evaluate, names_in
from serq.syntax.parser.expressions import parse_expression
from serq.syntax.parser.state import Parser
from serq.syntax.tokens import Token, cover

MOST_MEMBERS = 10_000
"""Every member is a pool or a stage of its own."""


def parse_size(p: Parser, name: Token) -> tuple[int | None, Span | None]:
    """`[ N ]` and its place, or nothing at all."""
    opening = p.accept("[")
    if opening is None:
        return None, None
    first = p.peek()
    expression = parse_expression(p)
    closing = p.expect("]", f"after the size of `{name.text}`")
    size = _size(p, first, name, expression)
    return size, cover(opening.span, closing.span)


def _size(p: Parser, first: Token, name: Token, expression: ast.Expression) -> int:
    reads = p.constants.sources_of(expression)
    value = evaluate(expression, p.constants.values)
    if not p.constants.doubtful.isdisjoint(reads):
        return 1
    if value is None:
        unknown = sorted(names_in(expression) - set(p.constants.values))
        guess = nearest(unknown[0], p.constants.sources) if unknown else None
        p.report(
            "SQ403",
            f"the size of `{name.text}` is not known here: it is a number, or a constant declared"
            " above",
            first,
            help=f"did you mean `{guess}`?" if guess else None,
        )
        return 1
    if not 1 <= value <= MOST_MEMBERS or value != int(value):
        p.report(
            "SQ403",
            f"the size of `{name.text}` is {_shown(value)}: it is a whole number from 1 to"
            f" {MOST_MEMBERS}",
            first,
            notes=_given(p, reads),
        )
        return 1
    return int(value)


def _given(p: Parser, reads: frozenset[str]) -> tuple[Note, ...]:
    """What came from outside among the constants a size reads."""
    given = p.constants.given
    return tuple(
        Note(f"the value of `{name}` comes from outside", given[name].span)
        for name in sorted(reads & given.keys())
    )


def _shown(value: float) -> str:
    return "not a number" if isnan(value) else f"{value:.15g}"
