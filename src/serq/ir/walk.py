"""Walks over an IR: the nodes of an expression, the parts and nested blocks of a statement.

No walk recurses: a sum of thousands of terms is thousands of nodes deep. Whatever looks at every
expression of a program (the checks, the lints) learns from here which ones a statement has and
at which moment each is evaluated (contract §2, *Expressions*). Depends on the nodes and on
`serq.vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from serq.ir.nodes import (
    Attribute,
    Binary,
    Branch,
    Call,
    Choose,
    Conditional,
    Context,
    Draw,
    Drop,
    End,
    Expression,
    Grow,
    Hold,
    Load,
    Loop,
    Number,
    Observe,
    PoolReference,
    Release,
    Run,
    Set,
    StageReference,
    Statement,
    Turn,
    Unary,
)
from serq.ir.spans import Path
from serq.vocabulary.moments import Moment

Reference = PoolReference | StageReference
Node = Expression | Reference


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below, left to right; the index of a reference is its only child."""
    match node:
        case Number() | Attribute() | Context():
            return ()
        case Draw() | Call():
            return node.arguments
        case Unary():
            return (node.operand,)
        case Binary():
            return (node.left, node.right)
        case Conditional():
            return (node.test, node.then, node.otherwise)
        case PoolReference() | StageReference():
            return () if node.index is None else (node.index,)
        case _:
            assert_never(node)


def nodes(root: Node) -> Iterator[Node]:
    """Every node of an expression, each before its children, left to right."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def fingerprint(root: Node) -> tuple[object, ...]:
    """A value that two expressions share exactly when they are written the same way."""
    marks: list[object] = []
    for node in nodes(root):
        match node:
            case Number():
                marks.append(("number", node.value))
            case Attribute():
                marks.append(("attribute", node.slot))
            case Context():
                marks.append(("context", node.name))
            case Draw():
                marks.append(("draw", node.distribution, len(node.arguments)))
            case Call():
                marks.append(("call", node.function, len(node.arguments)))
            case Unary() | Binary():
                marks.append(node.operator)
            case Conditional():
                marks.append("?")
            case PoolReference():
                marks.append(("pool", node.base, node.count, node.index is None))
            case StageReference():
                marks.append(("stage", node.base, node.count, node.index is None))
            case _:
                assert_never(node)
    return tuple(marks)


class Part(NamedTuple):
    """An expression of a statement, its path below the statement, and when it is evaluated."""

    path: Path
    expression: Expression
    moment: Moment


class Named(NamedTuple):
    """A pool or stage a statement names, and its path below the statement."""

    path: Path
    reference: Reference


def references(statement: Statement) -> tuple[Named, ...]:
    """The pools and stages a statement names (those its expressions name apart)."""
    match statement:
        case Hold():
            named = [Named(("pools", i, "pool"), p.pool) for i, p in enumerate(statement.pools)]
            if statement.lease is not None:
                named.append(Named(("lease", "pool"), statement.lease.pool))
            return tuple(named)
        case Grow() | Load() | Drop() | Release():
            return (Named(("pool",), statement.pool),)
        case Run():
            named = [Named(("stage",), statement.stage)]
            named.extend(Named(("also", i), stage) for i, stage in enumerate(statement.also))
            if statement.growing is not None:
                named.append(Named(("growing",), statement.growing))
            return tuple(named)
        case Turn() | End() | Set() | Observe() | Branch() | Loop() | Choose():
            return ()
        case _:
            assert_never(statement)


def expressions(statement: Statement) -> tuple[Part, ...]:
    """The expressions of a statement itself: not those of nested blocks, nor the indices of the
    pools and stages it names.
    """
    at = Moment.STATEMENT
    match statement:
        case Set() | Observe():
            return (Part(("value",), statement.value, at),)
        case Hold():
            return tuple(_hold_parts(statement))
        case Grow() | Load():
            return (Part(("units",), statement.units, at),)
        case Run():
            return (Part(("work",), statement.work, at),)
        case Branch():
            return (Part(("test",), statement.test, at),)
        case Choose():
            keys = (Part(("keys", i), key, at) for i, key in enumerate(statement.keys))
            return (Part(("count",), statement.count, at), *keys)
        case Turn() | End() | Drop() | Release() | Loop():
            return ()
        case _:
            assert_never(statement)


def _hold_parts(hold: Hold) -> Iterator[Part]:
    for i, pool in enumerate(hold.pools):
        yield Part(("pools", i, "units"), pool.units, Moment.HEADER)
        if pool.reserve is not None:
            yield Part(("pools", i, "reserve"), pool.reserve, Moment.HEADER)
    if hold.reuse is not None:
        yield Part(("reuse",), hold.reuse, Moment.HEADER)
    if hold.cache is not None:
        yield Part(("cache",), hold.cache, Moment.CACHE)
    if hold.lease is not None:
        yield Part(("lease", "time"), hold.lease.time, Moment.CACHE)


def nested_blocks(statement: Statement) -> tuple[int, ...]:
    """The ids of the blocks a statement runs."""
    match statement:
        case Hold() | Loop():
            return (statement.body,)
        case Branch():
            return (statement.then, statement.otherwise)
        case _:
            return ()
