"""How stops look: each a node around the origin, which lies on the line sessions travel along.

FIFO and processor sharing are circles, the first with its queue ahead; a delay is a circle of
infinitely many servers; an engine is a box with the budget of an iteration; a router is a
diamond. Names and notes stand above, so that edges may leave below. Depends on the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from serq.ir.nodes import Closed, Delay, ExclusivePrefill, Fifo, Number, Ps, Step
from serq.view.arrivals import arrival_groups, arrival_title
from serq.view.figure import (
    NAME_SIZE,
    NOTE_SIZE,
    Border,
    Box,
    Circle,
    Line,
    Node,
    Rect,
    Shape,
    Style,
    Text,
)
from serq.view.flow import Kind, Stop
from serq.view.metrics import LINE, width, wrap
from serq.view.network import Network, engine_of
from serq.view.units import Unit

_RADIUS: Final = 19.0
_NOTE_ROOM: Final = 150.0
_SOURCE_ROOM: Final = 165.0
_ENGINE: Final = 178.0
_PAD: Final = 11.0
_CELL: Final = 11.0
_QUEUE: Final = 24.0
_DECK: Final = 4.0


@dataclass(frozen=True, slots=True)
class Glyph:
    """A node at the origin, and the shapes at which edges come in and go out."""

    node: Node
    inlet: Border
    outlet: Border

    @property
    def left(self) -> float:
        """How far it reaches to the left of the origin."""
        return -self.node.rect.x

    @property
    def right(self) -> float:
        """How far it reaches to the right."""
        return self.node.rect.right

    @property
    def ascent(self) -> float:
        """How far it reaches above the line."""
        return -self.node.rect.y

    @property
    def descent(self) -> float:
        """How far it reaches below."""
        return self.node.rect.bottom

    def moved(self, dx: float, dy: float) -> Glyph:
        """The glyph elsewhere."""
        return Glyph(self.node.moved(dx, dy), self.inlet.moved(dx, dy), self.outlet.moved(dx, dy))


def glyph(net: Network, stop: Stop) -> Glyph:
    """The look of a stop."""
    match stop.kind:
        case Kind.SOURCE:
            return _source(net)
        case Kind.SINK:
            return _sink(net, stop)
        case Kind.GATE:
            return _gate(net, stop)
        case Kind.ROUTER:
            return _router(stop)
        case Kind.FLOW:
            return _flow(net, stop)
        case Kind.PASS:
            return _pass(stop)
        case Kind.JUNCTION:
            return _junction(stop)
        case _:
            return station(net, stop.units[0], stop.lines, stop.key)


def station(net: Network, unit: Unit, lines: Sequence[str], key: str) -> Glyph:
    """The look of one stage, or of a family."""
    kind = net.program.stages[unit.base].kind
    works = visits(lines)
    if engine_of(net.program, unit) is not None:
        assert isinstance(kind, Step)
        return _engine(net, unit, kind, works, key)
    match kind:
        case Fifo():
            servers = f"{kind.servers}"
            note = "FIFO" if kind.servers == 1 else f"FIFO, {kind.servers} servers"
            return _circle(unit, key, servers, [note, *works], queue=True)
        case Ps():
            note = f"φ = {net.words.expression(kind.capacity)}"
            return _circle(unit, key, "PS", [note, *works])
        case _:
            assert isinstance(kind, Delay)
            return _circle(unit, key, "∞", ["delay", *works])


def visits(lines: Sequence[str], most: int = 4) -> list[str]:
    """What is done at a stage, each once; numbered when there are several plain works."""
    told = list(dict.fromkeys(lines))
    if len(told) > 1 and any(line.startswith("(") for line in told):
        told = [f"{at}: {line}" for at, line in enumerate(told, 1)]
    if len(told) > most:
        told = [*told[: most - 1], f"and {len(told) - most + 1} more"]
    return told


def stack(
    title: str, notes: Sequence[str], bottom: float, *, room: float = _NOTE_ROOM
) -> tuple[list[Text], float, float]:
    """A name with notes under it, centred, the last line ending at `bottom`: the texts, and how
    wide and how high they are.
    """
    rows: list[tuple[str, bool]] = []
    if title:
        rows += [(line, True) for line in wrap(title, NAME_SIZE, room, bold=True)]
    for note in notes:
        rows += [(line, False) for line in wrap(note, NOTE_SIZE, room, most=4)]
    texts: list[Text] = []
    y = bottom
    widest = 0.0
    for line, bold in reversed(rows):
        size = NAME_SIZE if bold else NOTE_SIZE
        style = Style.NAME if bold else Style.NOTE
        texts.insert(0, Text(0, y - 0.25 * size, line, style, size, "middle", bold))
        y -= size * LINE
        widest = max(widest, width(line, size, bold=bold))
    return texts, widest, bottom - y


def _glyph(
    key: str,
    rect: Rect,
    shapes: Sequence[Shape],
    texts: Sequence[Text],
    borders: tuple[Border, Border],
) -> Glyph:
    """A glyph; `borders` are the shapes at which edges come in and go out."""
    inlet, outlet = borders
    node = Node(key, rect, tuple(dict.fromkeys(borders)), tuple(shapes), tuple(texts))
    return Glyph(node, inlet, outlet)


def _spanning(left: float, right: float, top: float, bottom: float, wide: float) -> Rect:
    """The rectangle of a shape and a centred stack of texts above it."""
    left, right = min(left, -wide / 2), max(right, wide / 2)
    return Rect(left, top, right - left, bottom - top)


def slots(left: float, level: float, count: int, filled: int) -> list[Shape]:
    """A queue: places in a row, the first ones to be served at the right, open at the left."""
    high = _QUEUE
    shapes: list[Shape] = []
    right = left + count * _CELL
    for at in range(filled):
        x = right - (at + 1) * _CELL
        rect = Rect(x + 2.5, level - high / 2 + 4, _CELL - 5, high - 8)
        shapes.append(Box(rect, Style.SLOT, 1.5))
    top, bottom = level - high / 2, level + high / 2
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    shapes.append(Line(outline, Style.QUEUE))
    for at in range(1, count):
        x = left + at * _CELL
        shapes.append(Line(((x, top), (x, bottom)), Style.QUEUE))
    return shapes


def _circle(unit: Unit, key: str, mark: str, notes: list[str], *, queue: bool = False) -> Glyph:
    """A server with what it is written in it; a family is a stack of them."""
    ahead = 4 * _CELL if queue else 0.0
    shift = ahead / 2
    decks = 2 if unit.count > 1 else 0
    circle = Circle(shift, 0, _RADIUS, Style.STATION)
    shapes: list[Shape] = [
        Circle(shift + _DECK * at, -_DECK * at, _RADIUS, Style.STACK) for at in range(decks, 0, -1)
    ]
    inlet: Rect | Circle = circle
    if queue:
        left = shift - _RADIUS - ahead
        shapes += slots(left, 0, 4, 2)
        inlet = Rect(left, -_QUEUE / 2, ahead, _QUEUE)
    shapes.append(circle)
    size = NAME_SIZE if len(mark) < 4 else NOTE_SIZE
    texts = [Text(shift, size * 0.35, mark, Style.MARK, size, "middle")]
    top = -_RADIUS - _DECK * decks - 5
    above, wide, high = stack(unit.title, notes, top)
    left = circle.x - _RADIUS - ahead
    rect = _spanning(left, circle.x + _RADIUS + _DECK * decks, top - high, _RADIUS, wide)
    return _glyph(key, rect, shapes, [*above, *texts], (inlet, circle))


def _engine(net: Network, unit: Unit, kind: Step, works: list[str], key: str) -> Glyph:
    """A step engine: its iteration as a bar of the budget, and what an iteration costs."""
    room = _ENGINE - 2 * _PAD
    rows: list[str] = []
    endless = isinstance(kind.budget, Number) and kind.budget.value == float("inf")
    budget = "budget inf" if endless else f"budget {net.words.expression(kind.budget)}"
    rows += wrap(budget, NOTE_SIZE, room, most=3)
    if not (isinstance(kind.chunk, Number) and kind.chunk.value <= 0):
        rows += wrap(f"chunk {net.words.expression(kind.chunk)}", NOTE_SIZE, room, most=2)
    if isinstance(kind.serve, ExclusivePrefill):
        rows.append("serve exclusive prefill")
    elif kind.serve.keys:
        rows += wrap(f"serve {net.words.keys(kind.serve.keys)}", NOTE_SIZE, room, most=3)
    rows += wrap(f"cost {net.words.expression(kind.cost)}", NOTE_SIZE, room, most=5)
    if kind.memory is not None:
        rows += wrap(f"memory {net.units.pool_at(kind.memory).title}", NOTE_SIZE, room, most=1)
    title_high, bar_high, gap = NAME_SIZE * LINE, 12.0, 6.0
    high = _PAD + title_high + gap + bar_high + gap + len(rows) * NOTE_SIZE * LINE + _PAD - 4
    left, top = -_ENGINE / 2, -high / 2
    frame = Rect(left, top, _ENGINE, high)
    decks = 2 if unit.count > 1 else 0
    shapes: list[Shape] = [
        Box(frame.moved(_DECK * at, -_DECK * at), Style.STACK, 8) for at in range(decks, 0, -1)
    ]
    shapes.append(Box(frame, Style.STATION, 8))
    y = top + _PAD
    name = wrap(unit.title, NAME_SIZE, room - 30, bold=True, most=1)[0]
    texts = [
        Text(left + _PAD, y + NAME_SIZE * 0.85, name, Style.NAME, NAME_SIZE, "start", True),
        Text(-left - _PAD, y + NAME_SIZE * 0.85, "step", Style.NOTE, NOTE_SIZE, "end"),
    ]
    y += title_high + gap - 2
    shapes += _budget_bar(left + _PAD, y, room, bar_high, endless=endless)
    y += bar_high + gap
    for at, row in enumerate(rows):
        texts.append(Text(left + _PAD, y + (at + 0.8) * NOTE_SIZE * LINE, row))
    above, wide, stacked = stack("", works, top - _DECK * decks - 5, room=_ENGINE + 36)
    rect = _spanning(left, -left + _DECK * decks, top - _DECK * decks - 5 - stacked, -top, wide)
    return _glyph(key, rect, shapes, [*above, *texts], (frame, frame))


def _budget_bar(x: float, y: float, wide: float, high: float, *, endless: bool) -> list[Shape]:
    """The tokens of an iteration: one for each decode, a chunk of a prefill, the rest free."""
    shapes: list[Shape] = [Box(Rect(x, y, wide, high), Style.BUDGET, 3)]
    at = x + 2
    for _ in range(6):
        shapes.append(Box(Rect(at, y + 2, 5, high - 4), Style.DECODE, 1))
        at += 7
    reach = (wide - 4) * (0.95 if endless else 0.72)
    shapes.append(Box(Rect(at, y + 2, x + 2 + reach - at, high - 4), Style.PREFILL, 1))
    return shapes


def _flow(net: Network, stop: Stop) -> Glyph:
    """Stages that one job holds at once: their circles in one box."""
    radius, row = 14.0, 40.0
    share = net.program.share or ""
    names = [unit.title for unit in stop.units]
    notes: list[str] = []
    for unit in stop.units:
        kind = net.program.stages[unit.base].kind
        assert isinstance(kind, Ps)
        notes.append(f"φ = {net.words.expression(kind.capacity)}")
    shown = [wrap(name, NAME_SIZE, 150, bold=True, most=1)[0] for name in names]
    told = [wrap(note, NOTE_SIZE, 150, most=1)[0] for note in notes]
    texts_wide = max(
        *(width(each, NAME_SIZE, bold=True) for each in shown),
        *(width(each, NOTE_SIZE) for each in told),
    )
    wide = _PAD + 2 * radius + 9 + texts_wide + _PAD + _DECK
    high = row * len(names) + 12
    frame = Rect(-wide / 2, -high / 2, wide, high)
    shapes: list[Shape] = [Box(frame, Style.STATION, 8)]
    texts: list[Text] = []
    x = frame.x + _PAD + radius
    for at, unit in enumerate(stop.units):
        y = frame.y + 6 + row * (at + 0.5)
        if unit.count > 1:
            shapes.append(Circle(x + 3, y - 3, radius, Style.STACK))
        shapes.append(Circle(x, y, radius, Style.STATION))
        texts.append(Text(x, y + NOTE_SIZE * 0.35, "PS", Style.MARK, NOTE_SIZE, "middle"))
        right = x + radius + 9
        texts.append(Text(right, y - 2, shown[at], Style.NAME, NAME_SIZE, "start", True))
        texts.append(Text(right, y + NOTE_SIZE + 1, told[at]))
    how = f"at once, share {share}" if share else "at once"
    above, stacked_wide, stacked = stack(
        "", [how, *visits(stop.lines)], frame.y - 5, room=max(wide + 20, _NOTE_ROOM)
    )
    rect = _spanning(frame.x, frame.right, frame.y - 5 - stacked, frame.bottom, stacked_wide)
    return _glyph(stop.key, rect, shapes, [*above, *texts], (frame, frame))


def _gate(net: Network, stop: Stop) -> Glyph:
    """The queue in front of a pool."""
    pool = net.program.pools[stop.units[0].base]
    notes = [] if pool.queue is None else [f"queue {net.words.keys(pool.queue)}"]
    if stop.units[0] not in {unit for each in net.enclosures for unit in each.pools}:
        notes += [] if pool.cap == float("inf") else [f"cap {grouped(pool.cap)}"]
        notes += (
            []
            if pool.admit_via is None
            else [f"admit via {net.units.stage_at(pool.admit_via).title}"]
        )
    wide = 4 * _CELL
    frame = Rect(-wide / 2, -_QUEUE / 2, wide, _QUEUE)
    shapes = slots(frame.x, 0, 4, 2)
    texts, text_wide, high = stack("", [stop.units[0].title, *notes], frame.y - 4, room=120)
    named = len(wrap(stop.units[0].title, NOTE_SIZE, 120, most=4))
    texts = [
        replace(text, style=Style.POOL_NAME) if at < named else text
        for at, text in enumerate(texts)
    ]
    rect = _spanning(frame.x, frame.right, frame.y - 4 - high, frame.bottom, text_wide)
    return _glyph(stop.key, rect, shapes, texts, (frame, frame))


def grouped(value: float) -> str:
    """A count of units with its thousands apart."""
    whole = value == int(value) if value not in (float("inf"), float("-inf")) else False
    return f"{int(value):,}" if whole and abs(value) < 1e15 else f"{value:g}"


def _router(stop: Stop) -> Glyph:
    size = 15.0
    diamond = Line(((-size, 0), (0, -size), (size, 0), (0, size)), Style.ROUTER, closed=True)
    lines = [f"choose {line}" for line in visits(stop.lines)]
    texts, wide, high = stack("", lines, -size - 5, room=165)
    rect = _spanning(-size, size, -size - 5 - high, size, wide)
    return _glyph(stop.key, rect, [diamond], texts, (diamond, diamond))


def _pass(stop: Stop) -> Glyph:
    radius = 5.0
    dot = Circle(0, 0, radius, Style.ROUTER)
    texts, wide, high = stack("", visits(stop.lines) or ["no time passes"], -radius - 5)
    rect = _spanning(-radius, radius, -radius - 5 - high, radius, wide)
    return _glyph(stop.key, rect, [dot], texts, (dot, dot))


def _junction(stop: Stop) -> Glyph:
    dot = Circle(0, 0, 4.0, Style.TERMINAL)
    return _glyph(stop.key, Rect(-4, -4, 8, 8), [dot], [], (dot, dot))


def _source(net: Network) -> Glyph:
    radius = 6.0
    dot = Circle(0, 0, radius, Style.TERMINAL)
    rows: list[tuple[str, Style, float]] = []
    for name, lines in arrival_groups(net.program, net.words):
        rows.append((name, Style.LABEL, 0.0))
        for line in lines:
            told = wrap(line, NOTE_SIZE, _SOURCE_ROOM, most=4)
            rows += [(each, Style.NOTE, 8.0 + 8.0 * bool(at)) for at, each in enumerate(told)]
    step = NOTE_SIZE * LINE
    bottom = -radius - 8
    top = bottom - len(rows) * step
    title, wide, high = stack(arrival_title(net.program, net.words), [], top - 3 * bool(rows))
    wide = max([wide, *(indent + width(row, NOTE_SIZE) for row, _, indent in rows)])
    notes = [
        Text(indent - wide / 2, top + (at + 0.8) * step, row, style)
        for at, (row, style, indent) in enumerate(rows)
    ]
    if rows:
        title = [replace(text, x=-wide / 2, anchor="start") for text in title]
    rect = _spanning(-radius, radius, top - 3 * bool(rows) - high, radius, wide)
    return _glyph("source", rect, [dot], [*title, *notes], (dot, dot))


def _sink(net: Network, stop: Stop) -> Glyph:
    ring = Circle(0, 0, 8.0, Style.STATION)
    notes = ["replaced at once"] if isinstance(net.program.arrival, Closed) else []
    texts, wide, high = stack("ends", notes, -13)
    rect = _spanning(-8, 8, -13 - high, 8, wide)
    shapes: list[Shape] = [ring, Circle(0, 0, 4.0, Style.TERMINAL)]
    return _glyph(stop.key, rect, shapes, texts, (ring, ring))
