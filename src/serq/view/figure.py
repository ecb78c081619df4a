"""A figure as data: what is drawn where, in points, y downwards; no colour and no file format.

A `Node` is a box with what stands in it, perhaps inside another node; an `Edge` goes from the
border of one node to the border of another; a `Style` is the name that a renderer gives paint to.
A layout makes a figure, a renderer only writes it down. Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

NAME_SIZE: Final = 13.0
"""Size of names."""
NOTE_SIZE: Final = 11.0
"""Size of everything else that is text."""


class Style(StrEnum):
    """The paints of shapes, lines and text."""

    STATION = "station"
    STACK = "stack"
    SLOT = "slot"
    QUEUE = "queue"
    POOL = "pool"
    POOL_EDGE = "pool-edge"
    ADMISSION = "admission"
    RELEASE = "release"
    UNITS = "units"
    CACHED = "cached"
    FREE = "free"
    BUDGET = "budget"
    DECODE = "decode"
    PREFILL = "prefill"
    ROUTER = "router"
    TERMINAL = "terminal"
    PLAIN = "plain"
    LOOP = "loop"
    FLOW = "flow"
    BACK = "back"
    ADMIT = "admit"
    TIER = "tier"
    NAME = "name"
    NOTE = "note"
    LABEL = "label"
    MARK = "mark"
    POOL_NAME = "pool-name"


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its left upper corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower side."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The centre, across."""
        return self.x + self.width / 2

    @property
    def level(self) -> float:
        """The centre, down."""
        return self.y + self.height / 2

    def moved(self, dx: float, dy: float) -> Rect:
        """The rectangle elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, its baseline at `y`; `anchor` is `start`, `middle` or `end`."""

    x: float
    y: float
    content: str
    style: Style = Style.NOTE
    size: float = NOTE_SIZE
    anchor: str = "start"
    bold: bool = False

    def moved(self, dx: float, dy: float) -> Text:
        """The text elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with rounded corners."""

    rect: Rect
    style: Style
    radius: float = 0.0

    def moved(self, dx: float, dy: float) -> Box:
        """The box elsewhere."""
        return replace(self, rect=self.rect.moved(dx, dy))


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    x: float
    y: float
    radius: float
    style: Style

    def moved(self, dx: float, dy: float) -> Circle:
        """The circle elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; `closed` makes a polygon, `radius` rounds the corners."""

    points: tuple[Point, ...]
    style: Style
    closed: bool = False
    radius: float = 0.0

    def moved(self, dx: float, dy: float) -> Line:
        """The line elsewhere."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))


Shape = Box | Circle | Line
Border = Rect | Circle | Line


@dataclass(frozen=True, slots=True)
class Node:
    """A thing of the figure: `rect` holds everything of it, `borders` are where edges end.

    `within` is the key of the node it stands in; `frame` says that other nodes may stand in it,
    or cross it where two pools are held at once.
    """

    key: str
    rect: Rect
    borders: tuple[Border, ...]
    shapes: tuple[Shape, ...] = ()
    texts: tuple[Text, ...] = ()
    frame: bool = False

    def moved(self, dx: float, dy: float) -> Node:
        """The node elsewhere."""
        return replace(
            self,
            rect=self.rect.moved(dx, dy),
            borders=tuple(border.moved(dx, dy) for border in self.borders),
            shapes=tuple(shape.moved(dx, dy) for shape in self.shapes),
            texts=tuple(text.moved(dx, dy) for text in self.texts),
        )


@dataclass(frozen=True, slots=True)
class Label:
    """What stands at an edge."""

    rect: Rect
    texts: tuple[Text, ...]

    def moved(self, dx: float, dy: float) -> Label:
        """The label elsewhere."""
        return Label(self.rect.moved(dx, dy), tuple(text.moved(dx, dy) for text in self.texts))


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from node `source` to node `target`, with an arrow's head at its end."""

    source: str
    target: str
    line: Line
    label: Label | None = None
    head: bool = True

    def moved(self, dx: float, dy: float) -> Edge:
        """The edge elsewhere."""
        label = None if self.label is None else self.label.moved(dx, dy)
        return replace(self, line=self.line.moved(dx, dy), label=label)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing: frames first, then edges, then the other nodes, as they lie on one another."""

    title: str
    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    notes: tuple[Text, ...] = field(default=())

    def texts(self) -> Iterator[Text]:
        """Every text of the figure."""
        for node in self.nodes:
            yield from node.texts
        for edge in self.edges:
            if edge.label is not None:
                yield from edge.label.texts
        yield from self.notes
