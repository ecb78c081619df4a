"""The value of an expression of an IR that reads nothing. Depends on the nodes, their walk and
arithmetic.
"""

from __future__ import annotations

from serq.ir import arithmetic
from serq.ir.nodes import Binary, Call, Conditional, Expression, Number, Unary
from serq.ir.walk import Node, children


def constant_value(root: Expression) -> float | None:
    """The number an expression of numbers, operators and value functions is; None for others."""
    pending: list[tuple[Node, bool]] = [(root, False)]
    values: list[float] = []
    while pending:
        node, below_done = pending.pop()
        if isinstance(node, Number):
            values.append(node.value)
            continue
        if not isinstance(node, Unary | Binary | Conditional | Call):
            return None
        if isinstance(node, Call) and node.function not in arithmetic.FUNCTIONS:
            return None
        below = children(node)
        if not below_done:
            pending.append((node, True))
            pending.extend((child, False) for child in reversed(below))
            continue
        parts = values[len(values) - len(below) :]
        del values[len(values) - len(below) :]
        values.append(_apply(node, parts))
    return values[0]


def _apply(node: Unary | Binary | Conditional | Call, parts: list[float]) -> float:
    match node:
        case Unary():
            return arithmetic.UNARY[node.operator](parts[0])
        case Binary():
            return arithmetic.BINARY[node.operator](parts[0], parts[1])
        case Conditional():
            return parts[1] if parts[0] != 0.0 else parts[2]
        case Call():
            return arithmetic.FUNCTIONS[node.function](*parts)
