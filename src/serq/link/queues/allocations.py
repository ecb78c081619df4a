"""The pools whose allocation a statement changes, with the word that does.

Depends on the tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq.syntax import ast


def acted_on(statement: ast.Statement) -> Iterator[tuple[str, ast.Reference | None]]:
    """What a statement holds, grows, loads, drops, releases or takes; None where it says none."""
    match statement:
        case ast.Hold():
            yield from (("hold", pool.pool) for pool in statement.pools)
            yield "lease", None if statement.lease is None else statement.lease.pool
        case ast.Grow():
            yield "grow", statement.pool
        case ast.Load():
            yield "load", statement.pool
        case ast.Drop():
            yield "drop", statement.pool
        case ast.Release():
            yield "release", statement.pool
        case ast.Run() | ast.Serving():
            yield "growing", statement.growing
        case ast.Transfer() | ast.EntryCall():
            yield "from", statement.source
            yield "to", statement.target
        case _:
            return
