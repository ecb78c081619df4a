"""How pools look: the heading of an enclosure, and the card of a pool that encloses nothing.

A heading has the pool's name, its units as slots with the cached part as a strip, and its options
as the language writes them. Depends on the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from serq.view.figure import NAME_SIZE, NOTE_SIZE, Box, Line, Node, Rect, Shape, Style, Text
from serq.view.metrics import LINE, items, width, wrap
from serq.view.network import Network
from serq.view.stations import Glyph, grouped
from serq.view.units import Unit

_MOST_SLOTS: Final = 6
_SLOT: Final = 8.0
_STEP: Final = 10.0
_HIGH: Final = 11.0
_STRIP: Final = 30.0
_NAME_HIGH: Final = 20.0


@dataclass(frozen=True, slots=True)
class Heading:
    """Shapes and texts below and right of the origin, and how much room they take."""

    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]
    width: float
    height: float


def options(net: Network, unit: Unit, sometimes: str = "") -> list[str]:
    """The options of a pool."""
    pool = net.program.pools[unit.base]
    told = [f"cap {grouped(pool.cap)}"]
    if pool.block is not None:
        told.append(f"block {grouped(pool.block)}")
    if unit.key in net.caching:
        told.append(f"evict {'lru' if pool.evict is None else net.words.keys(pool.evict)}")
    if pool.preempt_lifo:
        told.append("preempt lifo")
    if pool.queue is not None:
        told.append(f"queue {net.words.keys(pool.queue)}")
    if pool.admit_via is not None:
        told.append(f"admit via {net.units.stage_at(pool.admit_via).title}")
    if unit.key in net.leases:
        told.append(net.leases[unit.key])
    if pool.spill is not None:
        told.append(f"spill {net.units.pool_at(pool.spill.to).title}")
    if sometimes:
        told.append(sometimes)
    return told


def heading(net: Network, units: tuple[Unit, ...], room: float) -> Heading:
    """The pools of an enclosure one under another, in at most `room`."""
    shapes: list[Shape] = []
    texts: list[Text] = []
    y, wide = 0.0, 0.0
    for at, unit in enumerate(units):
        y += 6.0 if at else 0.0
        name = wrap(unit.title, NAME_SIZE, room, bold=True, most=1)[0]
        texts.append(Text(0, y + NAME_SIZE, name, Style.POOL_NAME, NAME_SIZE, "start", True))
        x = width(name, NAME_SIZE, bold=True) + 9
        bar, end, label = memory(net, unit, x, y + NAME_SIZE - _HIGH + 1)
        shapes += bar
        wide = max(wide, end)
        if label is not None:
            texts.append(label)
            wide = max(wide, label.x + width(label.content, NOTE_SIZE))
        y += _NAME_HIGH
        for line in items(options(net, unit, held_elsewhere(net, unit)), NOTE_SIZE, room, most=6):
            texts.append(Text(0, y + 0.7 * NOTE_SIZE * LINE, line))
            wide = max(wide, width(line, NOTE_SIZE))
            y += NOTE_SIZE * LINE
    return Heading(tuple(shapes), tuple(texts), wide, y)


def held_elsewhere(net: Network, unit: Unit) -> str:
    """Stops at some visits of which the pool is held: an enclosure does not show them."""
    names = [
        " + ".join(each.title for each in stop.units)
        for stop in net.stops.values()
        if unit.key in stop.ever
        and unit.key not in (stop.always or {})
        and any(each.kind == "stage" for each in stop.units)
    ]
    return f"held at {', '.join(names)} on some visits" if names else ""


def memory(net: Network, unit: Unit, x: float, y: float) -> tuple[list[Shape], float, Text | None]:
    """A pool's units: slots, some taken; the cached part a strip; no end without a cap."""
    pool = net.program.pools[unit.base]
    few = pool.cap == int(pool.cap) if pool.cap != float("inf") else False
    count = max(1, min(_MOST_SLOTS, int(pool.cap))) if few else _MOST_SLOTS
    taken = (count + 1) // 2
    shapes: list[Shape] = []
    for at in range(count):
        style = Style.UNITS if at < taken else Style.FREE
        shapes.append(Box(Rect(x + at * _STEP, y, _SLOT, _HIGH), style, 1.5))
    end = x + count * _STEP - (_STEP - _SLOT)
    if unit.key in net.caching:
        strip = Rect(end + 2, y, _STRIP, _HIGH)
        shapes.append(Box(strip, Style.CACHED, 1.5))
        label = Text(strip.right + 5, y + _HIGH - 2, "prefix cache")
        return shapes, strip.right, label
    if pool.cap == float("inf"):
        for at in range(3):
            dot = Rect(end + 4 + at * 4, y + _HIGH / 2 - 0.75, 1.5, 1.5)
            shapes.append(Box(dot, Style.UNITS, 0.75))
        end += 14
    return shapes, end, None


def card(net: Network, unit: Unit, room: float = 190.0) -> Glyph:
    """A pool that encloses nothing, as a box of its own."""
    head = heading(net, (unit,), room)
    pad = 10.0
    rect = Rect(-head.width / 2 - pad, -head.height / 2 - pad + 2, head.width + 2 * pad,
                head.height + 2 * pad - 2)  # fmt: skip
    shapes: list[Shape] = [Box(rect, Style.POOL, 8), Box(rect, Style.POOL_EDGE, 8)]
    dx, dy = rect.x + pad, rect.y + pad - 3
    shapes += [shape.moved(dx, dy) for shape in head.shapes]
    texts = tuple(text.moved(dx, dy) for text in head.texts)
    return Glyph(Node(unit.key, rect, (rect,), tuple(shapes), texts), rect, rect)


def opened(rect: Rect, left: bool, right: bool) -> list[Shape]:
    """The outline of an enclosure that goes on beyond a side: without the line there."""
    corners = [(rect.right, rect.y), (rect.x, rect.y), (rect.x, rect.bottom),
               (rect.right, rect.bottom)]  # fmt: skip
    if left and right:
        return [
            Line(((rect.x, rect.y), (rect.right, rect.y)), Style.POOL_EDGE),
            Line(((rect.x, rect.bottom), (rect.right, rect.bottom)), Style.POOL_EDGE),
        ]
    if left:
        corners = [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom),
                   (rect.x, rect.bottom)]  # fmt: skip
    return [Line(tuple(corners), Style.POOL_EDGE, radius=10)]
