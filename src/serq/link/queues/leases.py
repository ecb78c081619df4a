"""What a `from` takes: the pool a queue's entries lease (contract §2, *Queues*).

Whichever entry and whichever way through it the request took, the pool must have been leased, so
that there is something to take. Depends on the tree and its walks.
"""

from __future__ import annotations

from serq.ir.recursion import Recursive, run
from serq.link import tree
from serq.syntax import ast


def leased_pool(queue: ast.Queue) -> str | None:
    """The short name of the pool that the entries of a queue lease: the first one they name."""
    for entry in queue.entries:
        name = run(_first(entry.body))
        if name is not None:
            return name
    return None


def _first(block: ast.Block) -> Recursive[str | None]:
    """The first lease of a block, in the order of the text: a hold's own stands below its body."""
    for statement in block.statements:
        for inner in tree.nested(statement):
            name = yield _first(inner)
            if name is not None:
                found: str = name
                return found
        if isinstance(statement, ast.Hold) and statement.lease is not None:
            return statement.lease.pool.name
    return None


def entry_without_lease(queue: ast.Queue, pool: str) -> ast.Entry | None:
    """An entry of the queue with a way through it on which the pool is not leased."""
    for entry in queue.entries:
        if not run(_leases(entry.body, pool)):
            return entry
    return None


def _leases(block: ast.Block, pool: str) -> Recursive[bool]:
    """Whether every way through a block leases the pool; one through a loop may not."""
    for statement in block.statements:
        match statement:
            case ast.Hold():
                own = statement.lease is not None and statement.lease.pool.name == pool
                if own or (yield _leases(statement.body, pool)):
                    return True
            case ast.Branch(otherwise=ast.Block() as otherwise):
                then = yield _leases(statement.then, pool)
                if then and (yield _leases(otherwise, pool)):
                    return True
            case _:
                pass
    return False
