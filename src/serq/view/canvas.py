"""The canvas of a figure: as large as what is on it, with a margin. Depends on the figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from serq.view.figure import Edge, Figure, Node, Text
from serq.view.metrics import width

MARGIN: Final = 20.0


def crop(
    title: str, nodes: Sequence[Node], edges: Sequence[Edge], notes: Sequence[Text] = ()
) -> Figure:
    """Everything, moved so that its left upper corner is the margin's."""
    xs: list[float] = []
    ys: list[float] = []
    for node in nodes:
        xs += [node.rect.x, node.rect.right]
        ys += [node.rect.y, node.rect.bottom]
    for edge in edges:
        xs += [x for x, _ in edge.line.points]
        ys += [y for _, y in edge.line.points]
        if edge.label is not None:
            xs += [edge.label.rect.x, edge.label.rect.right]
            ys += [edge.label.rect.y, edge.label.rect.bottom]
    for note in notes:
        xs += [note.x, note.x + width(note.content, note.size, bold=note.bold)]
        ys += [note.y - note.size, note.y + 0.3 * note.size]
    left, top = min(xs, default=0.0) - MARGIN, min(ys, default=0.0) - MARGIN
    return Figure(
        title,
        max(xs, default=0.0) + MARGIN - left,
        max(ys, default=0.0) + MARGIN - top,
        tuple(node.moved(-left, -top) for node in nodes),
        tuple(edge.moved(-left, -top) for edge in edges),
        tuple(note.moved(-left, -top) for note in notes),
    )
