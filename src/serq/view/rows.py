"""Where stops stand: in rows from left to right, enclosures around those that hold a pool.

A row is broken where few enclosures are open; one that goes on in the next row is drawn open at
that side. All is measured from the texts' widths. Depends on the looks of stops and pools.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from serq.view.figure import NOTE_SIZE, Box, Label, Node, Rect, Shape, Style, Text
from serq.view.metrics import LINE, width, wrap
from serq.view.network import Enclosure, Network
from serq.view.pools import Heading, heading, opened
from serq.view.stations import Glyph, glyph

ROOM: Final = 1000.0
"""How wide a row may be."""
_INSET: Final = 15.0
_OUTSET: Final = 12.0
_ARROW: Final = 34.0
_LABEL_ROOM: Final = 120.0
_HEADING_ROOM: Final = 205.0
_PAD: Final = 11.0


@dataclass(slots=True)
class Piece:
    """The part of an enclosure in one row: stops `first` to `last` of the order."""

    enclosure: Enclosure
    first: int
    last: int
    named: bool
    """Whether the heading stands here; later pieces have the names alone."""
    open_left: bool = False
    open_right: bool = False
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    head: Heading | None = None

    @property
    def key(self) -> str:
        """The key of its node."""
        return self.enclosure.key if self.named else f"{self.enclosure.key} from {self.first}"

    def over(self, other: Piece) -> bool:
        """Whether the two share a stop."""
        return self.first <= other.last and other.first <= self.last


@dataclass(slots=True)
class Row:
    """Stops `first` to `last` of the order side by side; `level` is the line they stand on."""

    first: int
    last: int
    pieces: list[Piece]
    level: float = 0.0
    left: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


@dataclass(slots=True)
class Widening:
    """What stands apart from its neighbours for the sake of an enclosure's heading: room before
    and after each stop.
    """

    before: list[float]
    after: list[float]


@dataclass(slots=True)
class Rows:
    """Rows of stops; x positions are final, levels are set row by row."""

    net: Network
    glyphs: list[Glyph]
    labels: dict[int, list[str]]
    """The lines at the edge from a stop to its right neighbour, by the stop's place."""
    x: list[float] = field(default_factory=list)
    zones: dict[int, tuple[float, float]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def ascent(self, row: Row) -> float:
        """How far a row reaches above its line."""
        highest = max(self.glyphs[at].ascent for at in range(row.first, row.last + 1))
        return max(
            [highest, self._label_ascent(row.first, row.last), *(-p.top for p in row.pieces)]
        )

    def _label_ascent(self, first: int, last: int) -> float:
        highs = [len(self.labels.get(at, ())) for at in range(first, last)]
        return max(highs, default=0) * NOTE_SIZE * LINE + 8


def rows(net: Network) -> Rows:
    """Stops in rows, with enclosures; levels and bottoms are left to the routing of edges."""
    glyphs = [glyph(net, net.stops[key]) for key in net.order]
    placed = Rows(net, glyphs, _labels(net))
    whole = _pieces(net, 0, len(glyphs) - 1)
    _spread(placed, Row(0, len(glyphs) - 1, whole))
    named: set[str] = set()
    for first, last in _breaks(placed, whole):
        pieces = _pieces(net, first, last, named)
        named |= {piece.enclosure.key for piece in pieces}
        row = Row(first, last, pieces)
        _spread(placed, row)
        _tops(placed, row)
        row.left = min([placed.x[first] - glyphs[first].left, *(p.left for p in pieces)])
        row.right = max([placed.x[last] + glyphs[last].right, *(p.right for p in pieces)])
        _to_the_edge(row)
        placed.rows.append(row)
    for row in placed.rows:
        _move(placed, row, -row.left)
    return placed


def _labels(net: Network) -> dict[int, list[str]]:
    place = {key: at for at, key in enumerate(net.order)}
    return {
        place[link.source]: wrap(link.label, NOTE_SIZE, _LABEL_ROOM, most=4)
        for link in net.links
        if link.label and place[link.target] == place[link.source] + 1
    }


def _pieces(net: Network, first: int, last: int, named: set[str] | None = None) -> list[Piece]:
    """The parts of enclosures within a stretch of the order."""
    known = set() if named is None else set(named)
    pieces: list[Piece] = []
    for enclosure in net.enclosures:
        inside = [net.order[at] in enclosure.members for at in range(len(net.order))]
        at = first
        while at <= last:
            if not inside[at]:
                at += 1
                continue
            end = at
            while end < last and inside[end + 1]:
                end += 1
            piece = Piece(enclosure, at, end, enclosure.key not in known)
            piece.open_left = at == first > 0 and inside[at - 1]
            piece.open_right = end == last < len(inside) - 1 and inside[end + 1]
            known.add(enclosure.key)
            pieces.append(piece)
            at = end + 1
    return pieces


def _nested(pieces: list[Piece]) -> list[Piece]:
    """Smaller ones first; of two that cross, the one that begins first; of two that go on side by
    side from another row, the one that is smaller there.
    """

    def size(piece: Piece) -> tuple[int, int, int]:
        return piece.last - piece.first, piece.first, len(piece.enclosure.members)

    return sorted(pieces, key=size)


def _spread(placed: Rows, row: Row) -> None:
    """Give stops their x, and enclosures their sides, wide enough for the headings."""
    wide = Widening([0.0] * len(placed.glyphs), [0.0] * len(placed.glyphs))
    placed.x = placed.x or [0.0] * len(placed.glyphs)
    _place(placed, row, wide)
    for piece in _nested(row.pieces):
        _give_heading(placed.net, piece)
    # Widening one narrows none, so that this comes to an end.
    growing = True
    while growing:
        growing = False
        for piece in _nested(row.pieces):
            assert piece.head is not None
            lacking = piece.head.width + 2 * _PAD - (piece.right - piece.left)
            if lacking > 0.01:
                wide.before[piece.first] += lacking / 2
                wide.after[piece.last] += lacking / 2
                _place(placed, row, wide)
                growing = True


def _give_heading(net: Network, piece: Piece) -> None:
    """The heading, wrapped to what the enclosure spans."""
    if not piece.named:
        names = ", ".join(pool.title for pool in piece.enclosure.pools)
        text = Text(0, 13, names, Style.POOL_NAME, 13, "start", True)
        piece.head = Heading((), (text,), width(names, 13, bold=True), 18)
        return
    room = max(piece.right - piece.left - 2 * _PAD, _HEADING_ROOM)
    piece.head = heading(net, piece.enclosure.pools, min(room, 420.0))


def _place(placed: Rows, row: Row, wide: Widening) -> None:
    x = 0.0
    for at in range(row.first, row.last + 1):
        glyph = placed.glyphs[at]
        opening = [p for p in row.pieces if p.first == at and not p.open_left]
        closing = [p for p in row.pieces if p.last == at and not p.open_right]
        x += wide.before[at] + _INSET * len(opening)
        x += _OUTSET * bool(opening)
        placed.x[at] = x + glyph.left
        x += glyph.left + glyph.right
        x += wide.after[at] + _INSET * len(closing) + _OUTSET * bool(closing)
        if at < row.last:
            lines = placed.labels.get(at, [])
            zone = max([_ARROW, *(width(line, NOTE_SIZE) + 16 for line in lines)])
            placed.zones[at] = (x, x + zone)
            x += zone
    for piece in row.pieces:
        _sides(placed, piece, row.pieces, wide)


def _sides(placed: Rows, piece: Piece, pieces: list[Piece], wide: Widening) -> None:
    """Left and right of a piece; those that begin or end at the same stop are inset."""
    nested = _nested(pieces)
    inner_left = [p for p in nested if p.first == piece.first and not p.open_left]
    inner_right = [p for p in nested if p.last == piece.last and not p.open_right]
    left = placed.x[piece.first] - placed.glyphs[piece.first].left
    right = placed.x[piece.last] + placed.glyphs[piece.last].right
    if piece.open_left:
        piece.left = left - 8
    else:
        rank = inner_left.index(piece)
        share = (rank + 1) / len(inner_left)
        piece.left = left - wide.before[piece.first] * share - _INSET * (rank + 1)
    if piece.open_right:
        piece.right = right + 8
    else:
        rank = inner_right.index(piece)
        share = (rank + 1) / len(inner_right)
        piece.right = right + wide.after[piece.last] * share + _INSET * (rank + 1)


def _breaks(placed: Rows, pieces: list[Piece]) -> list[tuple[int, int]]:
    """The stretches of the order that make a row each."""
    last = len(placed.glyphs) - 1
    found: list[tuple[int, int]] = []
    first = 0
    while True:
        start = placed.x[first] - placed.glyphs[first].left
        fitting = [
            at
            for at in range(first, last + 1)
            if placed.x[at] + placed.glyphs[at].right - start <= ROOM
        ]
        if not fitting:
            fitting = [first]
        if fitting[-1] == last:
            found.append((first, last))
            return found
        late = [at for at in fitting if placed.x[at] - start > 0.5 * ROOM] or fitting[-1:]
        best = min(late, key=lambda at: (_open(pieces, at), -at))
        found.append((first, best))
        first = best + 1


def _open(pieces: list[Piece], at: int) -> int:
    """How many enclosures a break behind a stop would cut."""
    return sum(1 for piece in pieces if piece.first <= at < piece.last)


def _tops(placed: Rows, row: Row) -> None:
    """How far up each enclosure reaches, relative to the row's line."""
    done: list[Piece] = []
    for piece in _nested(row.pieces):
        assert piece.head is not None
        inside = range(piece.first, piece.last + 1)
        highest = max(placed.glyphs[at].ascent for at in inside)
        labels = [len(placed.labels.get(at, ())) for at in range(piece.first, piece.last)]
        highest = max(highest, max(labels, default=0) * NOTE_SIZE * LINE + 8)
        highest = max([highest, *(-other.top for other in done if other.over(piece))])
        piece.top = -(highest + _PAD + piece.head.height + 6)
        done.append(piece)


def _to_the_edge(row: Row) -> None:
    """What goes on in the row before or after begins left of, or ends right of, the others."""
    left, right = row.left, row.right
    for piece in row.pieces:
        if piece.open_left and any(other.first == row.first for other in row.pieces):
            piece.left = min(piece.left, left - 10)
        if piece.open_right:
            piece.right = max(piece.right, right + 6)
        row.left, row.right = min(row.left, piece.left), max(row.right, piece.right)


def _move(placed: Rows, row: Row, dx: float) -> None:
    for at in range(row.first, row.last + 1):
        placed.x[at] += dx
        if at in placed.zones:
            left, right = placed.zones[at]
            placed.zones[at] = (left + dx, right + dx)
    for piece in row.pieces:
        piece.left += dx
        piece.right += dx
    row.left += dx
    row.right += dx


def frame(piece: Piece, level: float) -> Node:
    """An enclosure as a node."""
    assert piece.head is not None
    top = level + piece.top
    rect = Rect(piece.left, top, piece.right - piece.left, piece.bottom - top)
    shapes: list[Shape] = [Box(rect, Style.POOL, 10)]
    if piece.open_left or piece.open_right:
        shapes += opened(rect, piece.open_left, piece.open_right)
    else:
        shapes.append(Box(rect, Style.POOL_EDGE, 10))
    dx, dy = rect.x + _PAD, rect.y + 5
    shapes += [shape.moved(dx, dy) for shape in piece.head.shapes]
    texts = tuple(text.moved(dx, dy) for text in piece.head.texts)
    return Node(piece.key, rect, (rect,), tuple(shapes), texts, frame=True)


def between(lines: list[str], zone: tuple[float, float], level: float) -> Label:
    """The label at an edge between neighbours: above the line, in the gap."""
    middle = (zone[0] + zone[1]) / 2 - 3
    return label(lines, middle, level - 5)


def label(lines: list[str], middle: float, bottom: float) -> Label:
    """Lines of text above `bottom`, centred."""
    step = NOTE_SIZE * LINE
    texts = tuple(
        Text(middle, bottom - (len(lines) - 1 - at) * step - 3, line, Style.LABEL, NOTE_SIZE,
             "middle")
        for at, line in enumerate(lines)
    )  # fmt: skip
    wide = max(width(line, NOTE_SIZE) for line in lines)
    return Label(
        Rect(middle - wide / 2, bottom - len(lines) * step, wide, len(lines) * step), texts
    )
