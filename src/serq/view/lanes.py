"""Edges: straight between neighbours, all others in lanes below their row.

An edge leaves its stop below, runs along a lane and enters the other from below; between rows it
goes by a channel left of them. Lanes within an enclosure stay in it. Shorter edges lie nearer to
the stops. Depends on the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from serq.view.borders import below, port, side
from serq.view.figure import (
    NOTE_SIZE,
    Edge,
    Line,
    Point,
    Style,
)
from serq.view.lane import Lane, lane_label, upright_stretches
from serq.view.metrics import wrap
from serq.view.network import Link
from serq.view.rows import Piece, Row, Rows, between

_GAP: Final = 18.0
_CLEAR: Final = 8.0
_CORNER: Final = 8.0
_CHANNEL: Final = 12.0
_FRAME_PAD: Final = 12.0
_LABEL_ROOM: Final = 200.0
_ROW_GAP: Final = 34.0


@dataclass(slots=True)
class Wire:
    """An edge that is not straight: its places in the order, and its lanes."""

    link: Link
    source: int
    target: int
    style: Style
    lanes: list[Lane] = field(default_factory=list)
    out: float = 0.0
    into: float = 0.0
    channel: float = 0.0
    from_side: bool = False
    to_side: bool = False


class Wiring:
    """The edges of some rows."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._place = {key: at for at, key in enumerate(rows.net.order)}
        self._straight: list[tuple[Link, int]] = []
        self._wires: list[Wire] = []
        self._channels = 0
        for link in rows.net.links:
            source, target = self._place[link.source], self._place[link.target]
            if target == source + 1 and self._row(source) == self._row(target):
                self._straight.append((link, source))
            else:
                style = Style.FLOW if target > source else Style.BACK
                self._wires.append(Wire(link, source, target, style))
        for link in rows.net.admissions:
            source, target = self._place[link.source], self._place[link.target]
            self._wires.append(Wire(link, source, target, Style.ADMIT))
        self._ports()
        for wire in self._wires:
            self._lay(wire)

    def _row(self, place: int) -> int:
        return next(at for at, row in enumerate(self._rows.rows) if row.first <= place <= row.last)

    def settle(self) -> float:
        """Give every row its level and every lane its y; where all of it ends."""
        y = 0.0
        for at, row in enumerate(self._rows.rows):
            row.level = y + self._rows.ascent(row)
            y = self._settle_row(at, row) + _ROW_GAP
        return y - _ROW_GAP

    def edges(self) -> list[Edge]:
        """The edges, when all is settled."""
        drawn: list[Edge] = []
        for link, at in self._straight:
            glyphs, level = self._rows.glyphs, self._rows.rows[self._row(at)].level
            start = self._rows.x[at] + side(glyphs[at].outlet, 1)
            end = self._rows.x[at + 1] + side(glyphs[at + 1].inlet, -1)
            text = self._rows.labels.get(at)
            told = None if text is None else between(text, self._rows.zones[at], level)
            line = Line(((start, level), (end, level)), Style.FLOW)
            drawn.append(Edge(link.source, link.target, line, told))
        drawn += [self._edge(wire) for wire in self._wires]
        upright = [pair for edge in drawn for pair in upright_stretches(edge.line.points)]
        upright += [
            (x, piece.top + row.level, piece.bottom)
            for row in self._rows.rows
            for piece in row.pieces
            for x in (piece.left, piece.right)
        ]
        labels = {id(wire): lane_label(wire.lanes[0], upright) for wire in self._wires}
        straight = len(self._straight)
        return drawn[:straight] + [
            replace(edge, label=labels[id(wire)])
            for edge, wire in zip(drawn[straight:], self._wires, strict=True)
        ]

    # Where edges leave and enter.

    def _ports(self) -> None:
        """Places below a stop for its edges, those to the left at the left."""
        rows = self._rows
        outs: dict[int, list[Wire]] = {}
        ins: dict[int, list[Wire]] = {}
        for wire in self._wires:
            source, target = self._row(wire.source), self._row(wire.target)
            wire.from_side = target != source and wire.source == rows.rows[source].last
            wire.to_side = target == source + 1 and wire.target == rows.rows[target].first
            wire.to_side = wire.to_side and wire.from_side
            wire.from_side = wire.to_side
            if wire.from_side:
                continue
            outs.setdefault(wire.source, []).append(wire)
            ins.setdefault(wire.target, []).append(wire)
        for at in range(len(rows.glyphs)):
            glyph = rows.glyphs[at]
            if glyph.inlet == glyph.outlet:
                both = [(wire, True) for wire in outs.get(at, [])]
                both += [(wire, False) for wire in ins.get(at, [])]
                both.sort(key=lambda pair: self._bearing(*pair))
                for rank, (wire, out) in enumerate(both):
                    loop = both[0][0].source == both[0][0].target
                    x = rows.x[at] + port(glyph.inlet, rank, len(both), loop=loop)
                    if out:
                        wire.out = x
                    else:
                        wire.into = x
                continue
            leaving = sorted(outs.get(at, []), key=lambda wire: self._bearing(wire, True))
            coming = sorted(ins.get(at, []), key=lambda wire: self._bearing(wire, False))
            for rank, wire in enumerate(leaving):
                wire.out = rows.x[at] + port(glyph.outlet, rank, len(leaving))
            for rank, wire in enumerate(coming):
                wire.into = rows.x[at] + port(glyph.inlet, rank, len(coming))

    def _bearing(self, wire: Wire, leaving: bool) -> tuple[int, int, int]:
        """Edges to far left stops first, then near ones, then to the right, near ones first."""
        here, there = (wire.source, wire.target) if leaving else (wire.target, wire.source)
        if self._row(here) != self._row(there):
            return (-1, -1000, wire.target)
        if here == there:
            return (-1, -2000, int(leaving))
        return (-1, there - here, 0) if there < here else (1, here - there, 0)

    def _lay(self, wire: Wire) -> None:
        """The lanes of a wire."""
        source, target = self._row(wire.source), self._row(wire.target)
        room = _LABEL_ROOM
        if wire.source == wire.target:
            # It stands left of the loop, below its stop.
            room = max(wire.out, wire.into) - self._rows.x[wire.source]
            room = max(room + self._rows.glyphs[wire.source].left - 4, 64.0)
        lines = wrap(wire.link.label, NOTE_SIZE, room, most=4) if wire.link.label else []
        if source == target:
            home = self._home(wire, self._rows.rows[source])
            wire.lanes = [Lane(source, wire.out, wire.into, home, lines)]
            return
        self._channels += 1
        wire.channel = -_CHANNEL * self._channels - 6
        start = wire.out
        if wire.from_side:
            start = self._rows.rows[source].right + _CHANNEL
        wire.lanes = [Lane(source, start, wire.channel, None, lines)]
        if not wire.to_side:
            wire.lanes.append(Lane(target, wire.channel, wire.into, None, []))

    def _home(self, wire: Wire, row: Row) -> Piece | None:
        """The smallest enclosure with both ends; an engine's admission starts in its own."""
        ends = {wire.source} if wire.style is Style.ADMIT else {wire.source, wire.target}
        inside = [
            piece for piece in row.pieces if all(piece.first <= at <= piece.last for at in ends)
        ]
        return min(inside, key=lambda piece: piece.last - piece.first, default=None)

    # How deep lanes lie.

    def _settle_row(self, at: int, row: Row) -> float:
        """The y of a row's lanes and the bottoms of its enclosures; where the row ends."""
        done: list[Lane] = []
        closed: list[Piece] = []
        lanes = [lane for wire in self._wires for lane in wire.lanes if lane.row == at]
        lanes.sort(key=lambda lane: lane.right - lane.left)
        order = sorted(
            row.pieces,
            key=lambda p: (p.last - p.first, -p.first, len(p.enclosure.members)),
        )
        for piece in [*order, None]:
            for lane in lanes:
                if lane.home is piece:
                    self._sink(lane, row, done, closed)
                    done.append(lane)
            if piece is not None:
                piece.bottom = self._floor(row, piece, done, closed) + _FRAME_PAD
                closed.append(piece)
        bottoms = [row.level + self._rows.glyphs[each].descent
                   for each in range(row.first, row.last + 1)]  # fmt: skip
        bottoms += [piece.bottom for piece in row.pieces]
        bottoms += [lane.bottom + 4 for lane in done]
        row.bottom = max(bottoms)
        return row.bottom

    def _sink(self, lane: Lane, row: Row, done: Sequence[Lane], closed: Sequence[Piece]) -> None:
        """Let a lane sink below what lies over it."""
        rows = self._rows
        floor = row.level
        for at in range(row.first, row.last + 1):
            glyph, x = rows.glyphs[at], rows.x[at]
            if x - glyph.left < lane.right and lane.left < x + glyph.right:
                floor = max(floor, row.level + glyph.descent)
        for piece in closed:
            inner = lane.home is not None and not piece.over(lane.home)
            if piece.left < lane.right and lane.left < piece.right and not inner:
                floor = max(floor, piece.bottom)
        lane.y = floor + _GAP + (lane.high if lane.above else 0.0)
        near = [
            other
            for other in done
            if other.left <= lane.right + _CLEAR and lane.left <= other.right + _CLEAR
        ]
        for other in sorted(near, key=lambda other: other.y):
            if lane.top - _CLEAR < other.bottom and other.top - _CLEAR < lane.bottom:
                lane.y = other.bottom + _CLEAR + (lane.y - lane.top)

    def _floor(
        self, row: Row, piece: Piece, done: Sequence[Lane], closed: Sequence[Piece]
    ) -> float:
        rows = self._rows
        deep = [row.level + rows.glyphs[at].descent for at in range(piece.first, piece.last + 1)]
        deep += [other.bottom for other in closed if other.over(piece)]
        deep += [
            lane.bottom
            for lane in done
            if lane.home is not None and lane.left < piece.right and piece.left < lane.right
        ]
        return max(deep)

    # Lines.

    def _edge(self, wire: Wire) -> Edge:
        rows = self._rows
        points: list[Point] = []
        level = rows.rows[self._row(wire.source)].level
        first = wire.lanes[0]
        if wire.from_side:
            start = rows.x[wire.source] + side(rows.glyphs[wire.source].outlet, 1)
            points += [(start, level), (first.start, level)]
        else:
            glyph = rows.glyphs[wire.source]
            points.append((wire.out, level + below(glyph.outlet, wire.out - rows.x[wire.source])))
        points.append((first.start, first.y))
        points.append((first.end, first.y))
        level = rows.rows[self._row(wire.target)].level
        glyph = rows.glyphs[wire.target]
        if wire.to_side:
            end = rows.x[wire.target] + side(glyph.inlet, -1)
            points += [(wire.channel, level), (end, level)]
        else:
            if len(wire.lanes) > 1:
                points += [(wire.channel, wire.lanes[1].y), (wire.into, wire.lanes[1].y)]
            points.append((wire.into, level + below(glyph.inlet, wire.into - rows.x[wire.target])))
        line = Line(tuple(points), wire.style, radius=_CORNER)
        return Edge(wire.link.source, wire.link.target, line)
