"""Expressions of the IR in the words of the language, for labels.

A printer that does not recurse: a sum may be thousands of terms deep. It stops where nobody
would read on. Depends on the nodes and the vocabulary.
"""

from __future__ import annotations

import math
from typing import Final

from serq.ir.constants import constant_value
from serq.ir.nodes import (
    Attribute,
    Binary,
    Call,
    Conditional,
    Context,
    Draw,
    Expression,
    Number,
    PoolReference,
    Program,
    StageReference,
    Unary,
)
from serq.ir.walk import Node
from serq.vocabulary import operators

LONGEST: Final = 400
"""Characters of one expression at most; the rest is an ellipsis."""

_CONDITIONAL, _OR, _AND, _COMPARED, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(9)
_LEVELS: Final = {
    operators.OR: _OR,
    operators.AND: _AND,
    operators.POWER: _POWER,
    **dict.fromkeys(operators.COMPARISONS, _COMPARED),
    **dict.fromkeys(operators.ADDITIVE, _SUM),
    **dict.fromkeys(operators.MULTIPLICATIVE, _PRODUCT),
}
_LARGE: Final = 1e6


def number(value: float) -> str:
    """A number in few characters: `16`, `0.0139`, `2e-5`, `12.5e9`, `inf`.

    Whole numbers are exact, others have ten digits: the last bits of what a constant was worked
    out from tell a reader nothing.
    """
    if not math.isfinite(value):
        return repr(value)
    text = repr(value if value == int(value) else float(f"{value:.10g}")).removesuffix(".0")
    if "e" in text:
        digits, _, exponent = text.partition("e")
        return f"{digits}e{int(exponent)}"
    if abs(value) >= _LARGE and value == int(value):
        return _engineering(int(value))
    return text


def _engineering(value: int) -> str:
    """`12500000000` as `12.5e9` when that is shorter and as exact."""
    plain = str(value)
    exponent = (len(plain.lstrip("-")) - 1) // 3 * 3
    head, tail = plain[:-exponent], plain[-exponent:].rstrip("0")
    short = f"{head}.{tail}e{exponent}" if tail else f"{head}e{exponent}"
    return short if len(short) < len(plain) else plain


class Words:
    """The words of one program: its attributes, pools and stages by name."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def expression(self, root: Node, level: int = _CONDITIONAL) -> str:
        """An expression as the language writes it, at most `LONGEST` characters."""
        parts: list[str] = []
        length = 0
        stack: list[str | tuple[Node, int]] = [(root, level)]
        while stack:
            top = stack.pop()
            if isinstance(top, tuple):
                stack.extend(reversed(self._pieces(*top)))
                continue
            parts.append(top)
            length += len(top)
            if length > LONGEST:
                return "".join(parts)[: LONGEST - 1] + "…"
        return "".join(parts)

    def argument(self, root: Expression) -> str:
        """An expression in parentheses, as an amount is written: `(n + 1)`."""
        return f"({self.expression(root)})"

    def keys(self, keys: tuple[Expression, ...]) -> str:
        """Keys of an order: `by (n, -waited)`."""
        return f"by ({', '.join(self.expression(key) for key in keys)})"

    def attribute(self, slot: int) -> str:
        """The name of an attribute."""
        return self._program.attributes[slot]

    def reference(self, reference: PoolReference | StageReference) -> str:
        """A pool or a stage as it is named in an expression: `kv`, `kv[i]`."""
        members = (
            self._program.pools if isinstance(reference, PoolReference) else self._program.stages
        )
        first = members[reference.base]
        if reference.index is None:
            return first.label
        if isinstance(reference.index, Number):
            return members[reference.base + int(reference.index.value)].label
        return f"{first.name}[{self.expression(reference.index)}]"

    def probability(self, test: Expression) -> str | None:
        """The probability of a test that is a draw; None of any other test."""
        if isinstance(test, Draw) and test.distribution == "bernoulli":
            known = constant_value(test.arguments[0])
            return self.expression(test.arguments[0]) if known is None else number(known)
        return None

    def _pieces(self, node: Node, level: int) -> list[str | tuple[Node, int]]:
        """The node as text and nodes, in parentheses where it binds weaker than `level`."""
        match node:
            case Number():
                text = number(node.value)
                return [f"({text})" if text.startswith("-") and level >= _SIGN else text]
            case Attribute():
                return [self.attribute(node.slot)]
            case Context():
                return [node.name]
            case Draw():
                return ["~", node.distribution, "(", *_listed(node.arguments), ")"]
            case Call():
                return [node.function, "(", *_listed(node.arguments), ")"]
            case PoolReference() | StageReference():
                return [self.reference(node)]
            case Unary():
                return _closed([node.operator, (node.operand, _SIGN)], _SIGN, level)
            case Binary():
                return self._binary(node, level)
            case Conditional():
                known = constant_value(node.test)
                if known is not None:
                    return [(node.then if known != 0.0 else node.otherwise, level)]
                pieces: list[str | tuple[Node, int]] = [
                    (node.test, _OR), " ? ", (node.then, _OR), " : ", (node.otherwise, _CONDITIONAL)
                ]  # fmt: skip
                return _closed(pieces, _CONDITIONAL, level)

    def _binary(self, node: Binary, level: int) -> list[str | tuple[Node, int]]:
        own = _LEVELS[node.operator]
        if node.operator == operators.POWER:
            return _closed([(node.left, _ATOM), "^", (node.right, _SIGN)], own, level)
        # A comparison does not chain; the others group from the left.
        left = own + 1 if own == _COMPARED else own
        pieces: list[str | tuple[Node, int]] = [
            (node.left, left), f" {node.operator} ", (node.right, own + 1)
        ]  # fmt: skip
        return _closed(pieces, own, level)


def _listed(nodes: tuple[Node, ...]) -> list[str | tuple[Node, int]]:
    pieces: list[str | tuple[Node, int]] = []
    for node in nodes:
        if pieces:
            pieces.append(", ")
        pieces.append((node, _CONDITIONAL))
    return pieces


def _closed(
    pieces: list[str | tuple[Node, int]], own: int, level: int
) -> list[str | tuple[Node, int]]:
    return pieces if own >= level else ["(", *pieces, ")"]
