"""Parts of a flow drawn downwards: what they span, where the flow comes in, where it goes out.

A part stands around an axis, x = 0, and begins at y = 0. Parts are put one under another and
into frames; edges are drawn as they are joined. Depends on the figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from serq.view.figure import (
    NAME_SIZE,
    NOTE_SIZE,
    Box,
    Circle,
    Edge,
    Label,
    Line,
    Node,
    Point,
    Rect,
    Style,
    Text,
)
from serq.view.metrics import LINE, width, wrap

GAP: Final = 24.0
"""Between one part and the next."""
_JOIN: Final = 12.0
PAD: Final = 10.0
_ROOM: Final = 290.0


@dataclass(frozen=True, slots=True)
class End:
    """Where the flow leaves a part: from a node, along points so far, under a label."""

    source: str
    points: tuple[Point, ...]
    label: Label | None = None

    def moved(self, dx: float, dy: float) -> End:
        """The end elsewhere."""
        label = None if self.label is None else self.label.moved(dx, dy)
        return End(self.source, tuple((x + dx, y + dy) for x, y in self.points), label)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Nodes and edges, and others among them, all of them moved; nothing is moved twice before
    the end, however deep parts lie in one another.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    inner: tuple[Drawn, ...] = ()
    dx: float = 0.0
    dy: float = 0.0

    def flat(self) -> tuple[list[Node], list[Edge]]:
        """All nodes and edges where they are, the outer ones first."""
        nodes: list[Node] = []
        edges: list[Edge] = []
        stack: list[tuple[Drawn, float, float]] = [(self, 0.0, 0.0)]
        while stack:
            each, dx, dy = stack.pop()
            dx, dy = dx + each.dx, dy + each.dy
            nodes += [node.moved(dx, dy) for node in each.nodes]
            edges += [edge.moved(dx, dy) for edge in each.edges]
            stack += [(inner, dx, dy) for inner in reversed(each.inner)]
        return nodes, edges


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the flow. It comes in at the top of node `entry`, on the axis."""

    left: float
    right: float
    height: float
    entry: str
    entry_y: float
    drawn: Drawn
    ends: tuple[End, ...] = ()

    def moved(self, dx: float, dy: float) -> Part:
        """The part elsewhere; its axis is then at `dx`."""
        return replace(
            self,
            left=self.left - dx,
            right=self.right + dx,
            height=self.height + dy,
            entry_y=self.entry_y + dy,
            drawn=Drawn(inner=(self.drawn,), dx=dx, dy=dy),
            ends=tuple(end.moved(dx, dy) for end in self.ends),
        )


def box(key: str, title: str, lines: Sequence[str], style: Style, *, mark: str = "") -> Part:
    """A box with a name and lines under it; `mark` stands at the right of the name."""
    rows: list[tuple[str, bool]] = []
    if title:
        rows += [(line, True) for line in wrap(title, NAME_SIZE, _ROOM, bold=True)]
    for line in lines:
        told = wrap(line, NOTE_SIZE, _ROOM, most=6)
        rows += [(each if at == 0 else f"  {each}", False) for at, each in enumerate(told)]
    wide = max(width(row, NAME_SIZE if bold else NOTE_SIZE, bold=bold) for row, bold in rows)
    if mark:
        first = width(rows[0][0], NAME_SIZE, bold=True)
        wide = max(wide, first + 18 + width(mark, NOTE_SIZE))
    wide = max(wide, 40.0)
    names = len([row for row, bold in rows if bold])
    high = names * NAME_SIZE * LINE + (len(rows) - names) * NOTE_SIZE * LINE
    rect = Rect(-wide / 2 - PAD, 0, wide + 2 * PAD, high + 12)
    name = Style.POOL_NAME if style is Style.ADMISSION else Style.NAME
    texts: list[Text] = []
    y = 6.0
    for row, bold in rows:
        size = NAME_SIZE if bold else NOTE_SIZE
        indent = 10.0 if row.startswith("  ") else 0.0
        texts.append(
            Text(rect.x + PAD + indent, y + 0.95 * size, row.strip(), name if bold else Style.NOTE,
                 size, "start", bold)
        )  # fmt: skip
        y += size * LINE
    if mark:
        texts.append(
            Text(rect.right - PAD, 6 + 0.95 * NAME_SIZE, mark, Style.NOTE, NOTE_SIZE, "end")
        )
    node = Node(key, rect, (rect,), (Box(rect, style, 6),), tuple(texts))
    return _single(node, rect.bottom)


def dot(key: str, title: str, *, ring: bool) -> Part:
    """Where the flow begins, ends, or passes in no time; its name stands at the right."""
    radius = 8.0 if ring else 6.0
    outline = Circle(0, radius, radius, Style.STATION if ring else Style.TERMINAL)
    shapes = (outline, Circle(0, radius, 4.0, Style.TERMINAL)) if ring else (outline,)
    texts: tuple[Text, ...] = ()
    wide = 0.0
    if title:
        lines = wrap(title, NAME_SIZE, _ROOM, bold=True, most=1)
        texts = (
            Text(radius + 8, radius + 0.35 * NAME_SIZE, lines[0], Style.NAME, NAME_SIZE, "start",
                 True),
        )  # fmt: skip
        wide = width(lines[0], NAME_SIZE, bold=True) + 8
    rect = Rect(-radius, min(0.0, radius - 8.5), 2 * radius + wide, max(2 * radius, 17.0))
    return _single(Node(key, rect, (outline,), shapes, texts), 2 * radius)


def _single(node: Node, bottom: float) -> Part:
    end = End(node.key, ((0.0, bottom),))
    return Part(
        -node.rect.x, node.rect.right, max(bottom, node.rect.bottom), node.key, 0.0,
        Drawn((node,)), (end,),
    )  # fmt: skip


def below(parts: Sequence[Part]) -> Part | None:
    """Parts one under another, joined; None when there is none."""
    whole: Part | None = None
    for part in parts:
        whole = part if whole is None else _join(whole, part)
    return whole


def _join(upper: Part, lower: Part) -> Part:
    split = len(upper.ends) > 1 or any(end.points[-1][0] != 0.0 for end in upper.ends)
    room = GAP + (_JOIN if split else 0.0)
    down = [end.label for end in upper.ends if end.points[-1][0] == 0.0]
    extra = max((label.rect.height for label in down if label is not None), default=0.0)
    top = upper.height + room + extra
    lower = lower.moved(0, top)
    drawn = Drawn((), arrive(upper.ends, lower, top), (upper.drawn, lower.drawn))
    return Part(
        max(upper.left, lower.left), max(upper.right, lower.right), lower.height,
        upper.entry, upper.entry_y, drawn, lower.ends,
    )  # fmt: skip


def arrive(ends: Sequence[End], part: Part, top: float) -> tuple[Edge, ...]:
    """Edges from ends to a part's entry; those off the axis turn to it above the part's top."""
    edges: list[Edge] = []
    for end in ends:
        x = end.points[-1][0]
        points = end.points
        if x != 0.0:
            turn = top - _JOIN - 4
            points = (*points, (x, turn), (0.0, turn))
        points = (*points, (0.0, part.entry_y))
        line = Line(points, Style.FLOW, radius=8)
        edges.append(Edge(end.source, part.entry, line, end.label))
    return tuple(edges)


def side_label(text: str, x: float, top: float) -> Label:
    """A label right of an x, its first line below `top`."""
    lines = wrap(text, NOTE_SIZE, 190.0, most=4)
    step = NOTE_SIZE * LINE
    texts = tuple(
        Text(x, top + (at + 0.8) * step, line, Style.LABEL) for at, line in enumerate(lines)
    )
    wide = max(width(line, NOTE_SIZE) for line in lines)
    return Label(Rect(x, top, wide, len(lines) * step), texts)


def upper_label(text: str, middle: float, bottom: float) -> Label:
    """A label above a line, centred."""
    lines = wrap(text, NOTE_SIZE, 190.0, most=4)
    step = NOTE_SIZE * LINE
    top = bottom - len(lines) * step
    texts = tuple(
        Text(middle, top + (at + 0.8) * step, line, Style.LABEL, NOTE_SIZE, "middle")
        for at, line in enumerate(lines)
    )
    wide = max(width(line, NOTE_SIZE) for line in lines)
    return Label(Rect(middle - wide / 2, top, wide, len(lines) * step), texts)


def framed(
    key: str, inner: Part, style: Style, *, title: str = "", top: float = 12.0, bottom: float = 14.0
) -> Part:
    """A part in a frame; the flow crosses the frame's border."""
    head = 20.0 if title else 0.0
    inner = inner.moved(0, top + head)
    left, right = inner.left + 14, inner.right + 14
    if title:
        # The title stands left of the axis, where the flow comes in.
        left = max(left, width(title, NAME_SIZE, bold=True) + 24)
    rect = Rect(-left, 0, left + right, inner.height + bottom)
    texts: tuple[Text, ...] = ()
    if title:
        texts = (Text(-left + 10, 16, title, Style.NOTE, NAME_SIZE, "start", True),)
    shapes = (Box(rect, Style.POOL, 10), Box(rect, Style.POOL_EDGE, 10))
    if style is not Style.POOL:
        shapes = (Box(rect, style, 10),)  # type: ignore[assignment]
    node = Node(key, rect, (rect,), shapes, texts, frame=True)
    drawn = Drawn((node,), inner=(inner.drawn,))
    return replace(inner, left=left, right=right, height=rect.bottom, drawn=drawn)
