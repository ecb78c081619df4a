"""Aggregates: `max j in n (e)` is written out as its terms (contract §2, *Expressions*).

`max k in 2 (used(kv[k]))` becomes `max(used(kv[0]), used(kv[1]))`, a sum its additions; the fold
goes to the left, and a program's aggregates write out at most 4,096 terms, nested ones counted.
Depends on the unit and the evaluation of constants.
"""

from __future__ import annotations

from dataclasses import replace

from serq.link import tree
from serq.link.evaluation import evaluated
from serq.link.names import REFUSED
from serq.link.unit import Unit
from serq.syntax import ast

MOST_TERMS = 4096
MOST_NODES = 1_000_000
"""Nodes that a program's aggregates and header bindings may write out."""


def expand(unit: Unit, expression: ast.Expression) -> ast.Expression:
    """The expression with its aggregates written out; a refused one becomes `REFUSED`."""
    if not any(isinstance(node, ast.Aggregate) for node in tree.nodes(expression)):
        return expression

    def written_out(node: ast.Expression) -> ast.Expression | None:
        return _written_out(unit, node) if isinstance(node, ast.Aggregate) else None

    return tree.rewrite(expression, written_out, again=True)


def _written_out(unit: Unit, aggregate: ast.Aggregate) -> ast.Expression:
    count = _count(unit, aggregate)
    if count is None:
        return ast.Name(REFUSED, aggregate.span)
    terms = [_term(aggregate, float(j)) for j in range(count)]
    folded = terms[0]
    for term in terms[1:]:
        folded = _fold(aggregate, folded, term)
    return folded


def _count(unit: Unit, aggregate: ast.Aggregate) -> int | None:
    """How many terms there are; None, with a finding, when the aggregate is refused."""
    form = f"{aggregate.function} {aggregate.index} in"
    meaning = unit.names.meaning(aggregate.index)
    if meaning is not None:
        unit.findings.report(
            "SQ420",
            f"the index of `{form} …` is also {meaning}; an index has a name of its own",
            aggregate.span,
            help="give the index another name",
        )
        return None
    expression = expand(unit, aggregate.count)
    count = evaluated(unit, expression, f"the count of `{form} …`", aggregate)
    if count is None:
        return None
    if not (count >= 1.0 and count == count // 1.0):
        message = f"the count of `{form} …` is {count:g}; it is a whole number, at least 1"
        unit.findings.report("SQ420", message, aggregate.span)
        return None
    return _within_limits(unit, aggregate, count, form)


def _within_limits(unit: Unit, aggregate: ast.Aggregate, count: float, form: str) -> int | None:
    terms = unit.terms + count
    if terms > MOST_TERMS:
        unit.findings.report(
            "SQ420",
            f"with `{form} …` the program's aggregates have {terms:,.0f} terms; a program may "
            f"have {MOST_TERMS:,}",
            aggregate.span,
        )
        return None
    nodes = unit.written_out + int(count) * sum(1 for _ in tree.nodes(aggregate.term))
    if nodes > MOST_NODES:
        message = f"`{form} …` writes out more than a program may have ({MOST_NODES:,} parts)"
        unit.findings.report("SQ125", message, aggregate.span)
        return None
    unit.terms, unit.written_out = int(terms), nodes
    return int(count)


def _term(aggregate: ast.Aggregate, value: float) -> ast.Expression:
    """The term with the number in the place of the index."""

    def numbered(node: ast.Expression) -> ast.Expression | None:
        if isinstance(node, ast.Name) and node.name == aggregate.index:
            return ast.Number(value, node.span)
        if isinstance(node, ast.Aggregate) and node.index == aggregate.index:
            return replace(node, count=tree.rewrite(node.count, numbered))
        return None

    return tree.rewrite(aggregate.term, numbered)


def _fold(aggregate: ast.Aggregate, left: ast.Expression, right: ast.Expression) -> ast.Expression:
    span = aggregate.span
    if aggregate.function == "sum":
        return ast.Binary("+", left, right, span, span)
    return ast.Call(aggregate.function, (left, right), span, span)
