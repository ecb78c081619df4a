"""The borders of stops: where an edge may leave or enter. Depends on the figure's shapes."""

from __future__ import annotations

from math import sqrt
from typing import Final

from serq.view.figure import Border, Circle, Line, Rect

_APART: Final = 16.0
"""Between two edges below a stop."""


def side(shape: Border, direction: int) -> float:
    """The x of a shape's right (1) or left (-1) end, relative to its stop."""
    match shape:
        case Rect():
            return shape.right if direction > 0 else shape.x
        case Circle():
            return shape.x + direction * shape.radius
        case Line():
            return direction * max(direction * x for x, _ in shape.points)


def below(shape: Border, dx: float) -> float:
    """The y of a shape's lower border at an x, relative to its stop."""
    match shape:
        case Rect():
            return shape.bottom
        case Circle():
            return shape.y + sqrt(max(shape.radius**2 - (dx - shape.x) ** 2, 0.0))
        case Line():
            reach = max(x for x, _ in shape.points)
            return reach - abs(dx)


def port(shape: Border, rank: int, count: int, *, loop: bool = False) -> float:
    """The x of one of some ports below a shape, relative to its stop.

    The first two of a loop are in the middle of a box, so that its label has room at the left.
    """
    match shape:
        case Rect():
            middle, reach = shape.middle, shape.width / 2 - 7
        case Circle():
            middle, reach = shape.x, shape.radius * 0.8
        case Line():
            middle, reach = 0.0, max(x for x, _ in shape.points) * 0.7
    if count == 1:
        return middle
    step = min(_APART, 2 * reach / (count - 1))
    if loop and isinstance(shape, Rect):
        step = min(_APART, reach / (count - 1.5))
        return middle + (rank - 0.5) * step
    return middle + (rank - (count - 1) / 2) * step
