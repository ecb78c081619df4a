"""What a name of an expression stands for by its position: a pool, a stage, the index of an
aggregate, or a value.

Depends on the tree, its walks and the signatures of functions.
"""

from __future__ import annotations

from enum import Enum

from serq.link import tree
from serq.syntax import ast
from serq.vocabulary.functions import FUNCTIONS, Kind


class Position(Enum):
    """Where a name stands; a value where nothing is said."""

    POOL = "pool"
    STAGE = "stage"
    INDEX = "index"


Positions = dict[int, Position]
"""The names and members of an expression that are no values, by the identity of their nodes."""


def positions(root: ast.Expression) -> Positions:
    """The names of an expression that are no values."""
    found: Positions = {}
    pending: list[tuple[ast.Expression, frozenset[str]]] = [(root, frozenset())]
    while pending:
        node, bound = pending.pop()
        if isinstance(node, ast.Aggregate):
            pending.append((node.term, bound | {node.index}))
            pending.append((node.count, bound))
            continue
        if isinstance(node, ast.Name) and node.name in bound and id(node) not in found:
            found[id(node)] = Position.INDEX
        if isinstance(node, ast.Call) and node.function in FUNCTIONS:
            _mark_arguments(node, found)
        pending.extend((child, bound) for child in tree.children(node))
    return found


def _mark_arguments(call: ast.Call, found: Positions) -> None:
    for kind, argument in zip(FUNCTIONS[call.function].parameters, call.arguments, strict=False):
        if kind is not Kind.VALUE and isinstance(argument, ast.Name | ast.Indexed):
            found[id(argument)] = Position.POOL if kind is Kind.POOL else Position.STAGE
