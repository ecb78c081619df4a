"""How high an expression's tree is, while it is built.

A chain of operators leans to the left as high as it is long, and chains may stand inside one
another: what walks a tree must know how deep it can get. Depends on the tree.
"""

from __future__ import annotations

from serq.syntax import ast
from serq.syntax.parser.constants import children


class Heights:
    """Heights of the chains of one expression; a chain is measured once, when it is joined."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def add(self, joined: ast.Binary) -> int:
        """Measure the tree of an operator that has just been given its operands."""
        height = 1 + max(self._of(joined.left), self._of(joined.right))
        self._known[id(joined)] = height
        return height

    def _of(self, node: ast.Expression) -> int:
        highest = 0
        todo = [(node, 0)]
        while todo:
            inner, above = todo.pop()
            known = self._known.get(id(inner))
            highest = max(highest, above + (known or 1))
            if known is None:
                todo.extend((child, above + 1) for child in children(inner))
        return highest
