"""Walks over the syntax tree: the nodes of an expression and their rewriting, the expressions
of a statement.

Nothing here recurses: the left spine of a long sum is as deep as the sum is long. Depends on
`serq.syntax.ast`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from serq.diagnostics import Span
from serq.syntax import ast


def children(node: ast.Expression) -> tuple[ast.Expression, ...]:
    """The expressions directly below, left to right."""
    match node:
        case ast.Number() | ast.Name():
            return ()
        case ast.Indexed():
            return (node.index,)
        case ast.Draw() | ast.Call():
            return node.arguments
        case ast.Aggregate():
            return (node.count, node.term)
        case ast.Unary():
            return (node.operand,)
        case ast.Binary():
            return (node.left, node.right)
        case ast.Conditional():
            return (node.test, node.then, node.otherwise)
        case _:
            assert_never(node)


def with_children(node: ast.Expression, below: tuple[ast.Expression, ...]) -> ast.Expression:
    """The node over other expressions."""
    match node:
        case ast.Number() | ast.Name():
            return node
        case ast.Indexed():
            return replace(node, index=below[0])
        case ast.Draw() | ast.Call():
            return replace(node, arguments=below)
        case ast.Aggregate():
            return replace(node, count=below[0], term=below[1])
        case ast.Unary():
            return replace(node, operand=below[0])
        case ast.Binary():
            return replace(node, left=below[0], right=below[1])
        case ast.Conditional():
            return replace(node, test=below[0], then=below[1], otherwise=below[2])
        case _:
            assert_never(node)


def nodes(root: ast.Expression) -> Iterator[ast.Expression]:
    """Every node, each before its children, left to right."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def rewrite(
    root: ast.Expression,
    replacement: Callable[[ast.Expression], ast.Expression | None],
    *,
    again: bool = False,
) -> ast.Expression:
    """The expression with every node replaced for which `replacement` has one.

    A replacement stands as it is, or is rewritten in its turn with `again`. What does not change
    is shared.
    """
    pending: list[tuple[ast.Expression, bool]] = [(root, False)]
    done: list[ast.Expression] = []
    while pending:
        node, below_done = pending.pop()
        below = children(node)
        if below_done:
            parts = tuple(done[len(done) - len(below) :])
            del done[len(done) - len(below) :]
            same = all(new is old for new, old in zip(parts, below, strict=True))
            done.append(node if same else with_children(node, parts))
            continue
        new = replacement(node)
        if new is not None and again:
            pending.append((new, False))
            continue
        if new is not None or not below:
            done.append(node if new is None else new)
            continue
        pending.append((node, True))
        pending.extend((child, False) for child in reversed(below))
    return done[0]


def substitute(root: ast.Expression, values: Mapping[str, ast.Expression]) -> ast.Expression:
    """The expression with values in the place of names."""
    return rewrite(root, lambda node: values.get(node.name) if isinstance(node, ast.Name) else None)


def free_names(root: ast.Expression) -> dict[str, Span]:
    """The names an expression reads and where, without the indices its aggregates bind."""
    names: dict[str, Span] = {}
    stack: list[tuple[ast.Expression, frozenset[str]]] = [(root, frozenset())]
    while stack:
        node, bound = stack.pop()
        if isinstance(node, ast.Name):
            if node.name not in bound:
                names.setdefault(node.name, node.span)
        elif isinstance(node, ast.Aggregate):
            stack.append((node.term, bound | {node.index}))
            stack.append((node.count, bound))
        else:
            stack.extend((child, bound) for child in reversed(children(node)))
    return names


def header(hold: ast.Hold) -> Iterator[ast.Expression]:
    """The expressions of a hold into which its bindings are substituted."""
    for pool in hold.pools:
        yield pool.units
        if pool.reserve is not None:
            yield pool.reserve
    if hold.reuse is not None:
        yield hold.reuse
    if hold.cache is not None:
        yield hold.cache
    if hold.lease is not None:
        yield hold.lease.time


def references(statement: ast.Statement) -> Iterator[ast.Reference | None]:
    """The pools, stages and queues a statement names; None for one it might and does not."""
    match statement:
        case ast.Hold():
            yield from (pool.pool for pool in statement.pools)
            yield None if statement.lease is None else statement.lease.pool
        case ast.Grow() | ast.Load() | ast.Drop() | ast.Release():
            yield statement.pool
        case ast.Run():
            yield from statement.stages
            yield statement.growing
        case ast.Serving():
            yield statement.on
            yield statement.growing
        case ast.Transfer():
            yield from (*statement.on, statement.source, statement.target)
        case ast.EntryCall():
            yield from (statement.queue, statement.source, statement.target)
        case _:
            return


def indices(statement: ast.Statement) -> Iterator[ast.Expression]:
    """The indices of the pools and stages a statement names."""
    for reference in references(statement):
        if isinstance(reference, ast.Indexed):
            yield reference.index
    if isinstance(statement, ast.Serving | ast.Transfer) and statement.index is not None:
        yield statement.index


def expressions(statement: ast.Statement) -> Iterator[ast.Expression]:
    """The other expressions of a statement itself; none of a hold, whose `header` is apart."""
    match statement:
        case ast.Set() | ast.Observe():
            yield statement.value
        case ast.Grow() | ast.Load():
            yield statement.units
        case ast.Run() | ast.Serving():
            yield statement.work
        case ast.Branch():
            yield statement.test
        case ast.Choose():
            yield statement.count
            yield from statement.keys
        case ast.Transfer():
            yield from (statement.work, statement.tokens)
        case ast.EntryCall():
            yield from statement.arguments
            if statement.tokens is not None:
                yield statement.tokens
        case (
            ast.Hold() | ast.Drop() | ast.Release() | ast.Turn() | ast.End() | ast.Request()
            | ast.Loop() | ast.Mark() | ast.Splice()
        ):  # fmt: skip
            return
        case _:
            assert_never(statement)


def nested(statement: ast.Statement) -> tuple[ast.Block, ...]:
    """The blocks a statement runs."""
    match statement:
        case ast.Hold() | ast.Loop():
            return (statement.body,)
        case ast.Branch():
            other = statement.otherwise
            return (statement.then,) if other is None else (statement.then, other)
        case ast.Splice():
            return (statement.block,)
        case _:
            return ()


def pool_expressions(pool: ast.Pool) -> Iterator[ast.Expression]:
    """The keys and the spill clause of a pool."""
    yield from pool.evict or ()
    yield from pool.queue or ()
    if pool.spill is not None:
        yield pool.spill.work
        yield pool.spill.when


def stage_expressions(stage: ast.Stage) -> Iterator[ast.Expression]:
    """The capacity of a ps stage; the budget, cost, chunk and serve keys of a step stage."""
    match stage.kind:
        case ast.Ps():
            yield stage.kind.capacity
        case ast.Step():
            yield stage.kind.cost
            for option in (stage.kind.budget, stage.kind.chunk):
                if option is not None:
                    yield option
            if stage.kind.serve is not None:
                yield from stage.kind.serve.keys
        case _:
            return


def statements(block: ast.Block) -> Iterator[ast.Statement]:
    """Every statement of a block and of the blocks in it, in no order of the text."""
    pending = [block]
    while pending:
        for statement in pending.pop().statements:
            yield statement
            pending.extend(nested(statement))
