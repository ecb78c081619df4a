"""Expressions as they were written (contract §2, *Expressions*). Depends on `serq.diagnostics`."""

from __future__ import annotations

from serq.diagnostics import Span
from serq.records import Record


class Number(Record):
    """A literal number."""

    value: float
    span: Span


class Name(Record):
    """A bare name: an attribute, a constant, a context variable, a pool or a stage."""

    name: str
    span: Span


class Indexed(Record):
    """`name[index]`: a member of an array, legal where a pool or a stage is."""

    name: str
    index: Expression
    span: Span
    name_span: Span


class Draw(Record):
    """`~name(arguments)`."""

    distribution: str
    arguments: tuple[Expression, ...]
    span: Span
    name_span: Span


class Call(Record):
    """`name(arguments)`."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span
    name_span: Span


class Aggregate(Record):
    """`max j in count (term)`; `function` is `max`, `min` or `sum`."""

    function: str
    index: str
    count: Expression
    term: Expression
    span: Span
    index_span: Span


class Unary(Record):
    """`-` or `!` before an operand."""

    operator: str
    operand: Expression
    span: Span


class Binary(Record):
    """Two operands with an operator between them; `operator_span` covers the operator."""

    operator: str
    left: Expression
    right: Expression
    span: Span
    operator_span: Span


class Conditional(Record):
    """`test ? then : otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span


Expression = Number | Name | Indexed | Draw | Call | Aggregate | Unary | Binary | Conditional
Reference = Name | Indexed
"""A pool or a stage, where the grammar wants one."""
