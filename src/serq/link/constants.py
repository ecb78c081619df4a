"""Constants: what a `let` names, and every place that takes a number known before the run
(contract §2, *Expressions*).

Constants are computed in the order of their declarations; a later `let` of the same name wins
from there on. Depends on the evaluation, aggregates and the unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from serq.link import aggregates, evaluation
from serq.link.names import Constant
from serq.link.unit import Unit
from serq.syntax import ast

MOST_COUNTED = 2**53
"""The greatest count: up to here every whole number is a double."""


def link_lets(unit: Unit, lets: Iterable[ast.Let]) -> None:
    """Compute the constants, in order."""
    for let in lets:
        value = evaluate(unit, let.value, f"the constant `{let.name}`")
        unit.names.constants[let.name] = Constant(value, let.name_span)


def evaluate(unit: Unit, expression: ast.Expression, what: str) -> float | None:
    """The value of a constant, `what` in a sentence; None, with a finding, when it has none."""
    return evaluation.evaluated(unit, aggregates.expand(unit, expression), what)


def whole(unit: Unit, expression: ast.Expression, what: str, *, least: int) -> int | None:
    """A constant that counts something, at least `least`; None, with a finding, for others."""
    value = evaluate(unit, expression, what)
    if value is None:
        return None
    if isfinite(value) and value == value // 1.0 and least <= value <= MOST_COUNTED:
        return int(value)
    unit.findings.report(
        "SQ411",
        f"{what} is {value:g}; it is a whole number, at least {least}",
        expression.span,
        help=None if value <= MOST_COUNTED else "at most 2^53 can be counted",
    )
    return None
