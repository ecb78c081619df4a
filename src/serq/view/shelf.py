"""Below the path: the tiers that evicted units go to, and what no session visits.

Depends on the network and the looks of stops and pools.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from serq.view.figure import (
    NAME_SIZE,
    NOTE_SIZE,
    Box,
    Edge,
    Line,
    Node,
    Point,
    Rect,
    Style,
    Text,
)
from serq.view.metrics import width, wrap
from serq.view.network import Network, Tier
from serq.view.pools import card
from serq.view.rows import ROOM, Piece, Row, label
from serq.view.stations import Glyph, station
from serq.view.units import Unit

_GAP: Final = 34.0
_ROW_GAP: Final = 26.0
_STUB: Final = 24.0
_LABEL_ROOM: Final = 190.0


@dataclass(slots=True)
class Shelf:
    """Nodes and edges below the rows; `y` is where the next line of them begins."""

    net: Network
    rows: list[Row]
    y: float
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)
    placed: set[Unit] = field(default_factory=set)


def shelf(net: Network, rows: list[Row], y: float) -> Shelf:
    """The tiers, each on a line of its own, and under them what is not on the path."""
    made = Shelf(net, rows, y + _ROW_GAP)
    reached = {tier.to for tier in net.tiers}
    for tier in net.tiers:
        if tier.pool not in reached or tier.pool not in net.loose:
            _tier_line(made, tier)
    rest = [unit for unit in net.loose if unit not in made.placed]
    if rest:
        _loose_lines(made, rest)
    return made


def _tier_line(made: Shelf, tier: Tier) -> None:
    """A pool's tier, the tier's own tier, and so on, from left to right."""
    net = made.net
    chain = [tier]
    while True:
        following = [t for t in net.tiers if t.pool == chain[-1].to and t not in chain]
        if not following or chain[-1].to not in net.loose:
            break
        chain.append(following[0])
    start = _start(made, tier.pool)
    glyphs: list[Glyph] = []
    labels: list[list[str]] = []
    if start is None:
        glyphs.append(card(net, tier.pool))
        made.placed.add(tier.pool)
    for each in chain:
        labels.append(wrap(each.label, NOTE_SIZE, _LABEL_ROOM, most=4))
        glyphs += [_stage(made, each.via), _pool(made, each.to)]
    ascent = max(shown.ascent for shown in glyphs)
    level = made.y + ascent
    x = 0.0 if start is None else start[0]
    previous: Glyph | None = None
    for at, shown in enumerate(glyphs):
        into_stage = at % 2 == (0 if start is not None else 1)
        lines = labels[at // 2] if into_stage else []
        gap = max([_GAP, *(width(line, NOTE_SIZE) + 24 for line in lines)])
        x = x + gap + shown.left if at or start is not None else shown.left
        glyph = shown.moved(x, level)
        if previous is not None or start is not None:
            made.edges.append(_edge(previous, start, glyph, lines, level))
        made.nodes.append(glyph.node)
        x += shown.right
        previous = glyph
    made.y = level + max(shown.descent for shown in glyphs) + _ROW_GAP


def _edge(
    previous: Glyph | None,
    start: tuple[float, float, str] | None,
    glyph: Glyph,
    lines: list[str],
    level: float,
) -> Edge:
    """From the glyph to the left, or down from an enclosure, into a glyph."""
    end = _left(glyph)
    points: tuple[Point, ...]
    if previous is None:
        assert start is not None
        x, y, source = start
        points = ((x, y), (x, level), (end, level))
        begin = x
    else:
        begin, source = previous.node.rect.right, previous.node.key
        outlet = previous.outlet
        begin = outlet.right if isinstance(outlet, Rect) else _right(previous)
        points = ((begin, level), (end, level))
    told = label(lines, (begin + glyph.node.rect.x) / 2, level - 4) if lines else None
    line = Line(points, Style.TIER, radius=8)
    return Edge(source, glyph.node.key, line, told)


def _left(glyph: Glyph) -> float:
    inlet = glyph.inlet
    if isinstance(inlet, Rect):
        return inlet.x
    return inlet.x - inlet.radius if not isinstance(inlet, Line) else inlet.points[0][0]


def _right(glyph: Glyph) -> float:
    outlet = glyph.outlet
    if isinstance(outlet, Rect):
        return outlet.right
    return outlet.x + outlet.radius if not isinstance(outlet, Line) else outlet.points[2][0]


def _start(made: Shelf, pool: Unit) -> tuple[float, float, str] | None:
    """Where a tier's edge leaves the enclosure of a pool: x, y, and the enclosure's key."""
    found: list[tuple[Row, Piece]] = [
        (row, piece) for row in made.rows for piece in row.pieces if pool in piece.enclosure.pools
    ]
    if not found:
        return None
    _, piece = found[-1]
    taken = sum(1 for edge in made.edges if edge.source == piece.key)
    return piece.left + _STUB + 14 * taken, piece.bottom, piece.key


def _stage(made: Shelf, unit: Unit) -> Glyph:
    if unit in made.net.loose and unit not in made.placed:
        made.placed.add(unit)
        return station(made.net, unit, [], unit.key)
    return _mention(made, unit)


def _pool(made: Shelf, unit: Unit) -> Glyph:
    if unit in made.net.loose and unit not in made.placed:
        made.placed.add(unit)
        return card(made.net, unit)
    return _mention(made, unit)


def _mention(made: Shelf, unit: Unit) -> Glyph:
    """A box that names what is drawn elsewhere."""
    name, note = unit.title, "drawn above"
    wide = max(width(name, NAME_SIZE, bold=True), width(note, NOTE_SIZE)) + 20
    rect = Rect(-wide / 2, -20, wide, 40)
    texts = (
        Text(0, -2, name, Style.NAME, NAME_SIZE, "middle", True),
        Text(0, 12, note, Style.NOTE, NOTE_SIZE, "middle"),
    )
    key = f"{unit.key} again {len(made.nodes)}"
    return Glyph(Node(key, rect, (rect,), (Box(rect, Style.PLAIN, 8),), texts), rect, rect)


def _loose_lines(made: Shelf, units: list[Unit]) -> None:
    """Stages and pools in lines, under a heading."""
    made.notes.append(Text(0, made.y + NOTE_SIZE, "beside the path"))
    made.y += 2 * NOTE_SIZE
    line: list[Glyph] = []
    x = 0.0
    for unit in units:
        glyph = card(made.net, unit) if unit.kind == "pool" else station(
            made.net, unit, [], unit.key
        )  # fmt: skip
        if line and x + glyph.left + glyph.right > ROOM:
            _finish(made, line)
            line, x = [], 0.0
        x += glyph.left
        line.append(glyph.moved(x, 0))
        x += glyph.right + _GAP
    _finish(made, line)


def _finish(made: Shelf, line: list[Glyph]) -> None:
    top = max(-glyph.node.rect.y for glyph in line)
    made.nodes += [glyph.moved(0, made.y + top).node for glyph in line]
    made.y += top + max(glyph.node.rect.bottom for glyph in line) + _ROW_GAP
