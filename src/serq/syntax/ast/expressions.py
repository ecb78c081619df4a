"""Expressions as they were written (contract §2, *Expressions*). Depends on `serq.diagnostics`."""

from __future__ import annotations

from dataclasses import dataclass

from serq.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number."""

    value: float
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: an attribute, a constant, a context variable, a pool or a stage."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Indexed:
    """`name[index]`: a member of an array, legal where a pool or a stage is."""

    name: str
    index: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Draw:
    """`~name(arguments)`."""

    distribution: str
    arguments: tuple[Expression, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments)`."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`max j in count (term)`; `function` is `max`, `min` or `sum`."""

    function: str
    index: str
    count: Expression
    term: Expression
    span: Span
    index_span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` or `!` before an operand."""

    operator: str
    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands with an operator between them; `operator_span` covers the operator."""

    operator: str
    left: Expression
    right: Expression
    span: Span
    operator_span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? then : otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span


Expression = Number | Name | Indexed | Draw | Call | Aggregate | Unary | Binary | Conditional
Reference = Name | Indexed
"""A pool or a stage, where the grammar wants one."""
