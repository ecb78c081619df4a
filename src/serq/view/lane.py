"""A lane: a stretch of an edge below a row of stops, and the label that stands at it.

Depends on the figure, text widths and the parts of enclosures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from serq.view.figure import NOTE_SIZE, Label, Point
from serq.view.metrics import LINE, width
from serq.view.rows import Piece, label


@dataclass(slots=True)
class Lane:
    """A stretch of an edge below a row, from x to x."""

    row: int
    start: float
    end: float
    home: Piece | None
    lines: list[str]
    y: float = 0.0
    wide: float = field(init=False)
    """The width of the label."""

    def __post_init__(self) -> None:
        self.wide = max((width(line, NOTE_SIZE) for line in self.lines), default=0.0)

    @property
    def left(self) -> float:
        """The end further to the left, room for the label counted."""
        middle = (self.start + self.end) / 2 if self.above else max(self.start, self.end)
        return min(self.start, self.end, middle - self.wide / (2 if self.above else 1))

    @property
    def right(self) -> float:
        """The end further to the right."""
        return max(self.start, self.end) + 3

    @property
    def above(self) -> bool:
        """Whether the label stands above the lane: where the lane is long enough for it."""
        return self.wide < abs(self.end - self.start) - 4

    @property
    def top(self) -> float:
        """Where lane and label begin."""
        return self.y - self.high if self.above else self.y

    @property
    def bottom(self) -> float:
        """Where lane and label end."""
        return self.y if self.above else self.y + self.high

    @property
    def high(self) -> float:
        """The height of the label."""
        return len(self.lines) * NOTE_SIZE * LINE + (3 if self.lines else 0)


def upright_stretches(points: tuple[Point, ...]) -> list[tuple[float, float, float]]:
    """The vertical stretches of a line: x, and from where to where."""
    return [(ax, min(ay, by), max(ay, by)) for (ax, ay), (bx, by) in pairwise(points) if ax == bx]


def lane_label(lane: Lane, upright: Sequence[tuple[float, float, float]]) -> Label | None:
    """The label of a lane, where it meets the fewest vertical lines, near the middle."""
    if not lane.lines:
        return None
    left, right = min(lane.start, lane.end), max(lane.start, lane.end)
    if not lane.above:
        return label(lane.lines, right + 3 - lane.wide / 2, lane.bottom)
    middle, reach = (left + right) / 2, max((right - left - lane.wide) / 2 - 10, 0.0)
    best, least = middle, len(upright) + 1
    for step in range(41):
        away = reach * ((step + 1) // 2) / 20 * (1 if step % 2 else -1)
        crossed = sum(
            1
            for x, top, bottom in upright
            if abs(x - middle - away) < lane.wide / 2 + 3
            and top < lane.y - 2
            and bottom > lane.y - lane.high
        )
        if crossed < least:
            best, least = middle + away, crossed
    return label(lane.lines, best, lane.y - 1)
