"""What must hold of every figure, whatever it shows. Each function tells what does not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from serq.view.figure import Circle, Edge, Figure, Line, Node, Point, Rect, Text
from serq.view.metrics import width

SLACK = 0.02


def faults(figure: Figure) -> list[str]:
    """Everything that is wrong with a figure's geometry."""
    return [
        *outside_the_canvas(figure),
        *texts_outside_their_nodes(figure),
        *overlapping_nodes(figure),
        *loose_ends(figure),
        *overlapping_texts(figure),
        *edges_through_nodes(figure),
    ]


def text_rect(text: Text) -> Rect:
    """The room of a text: its line, not its tallest imaginable letters."""
    wide = width(text.content, text.size, bold=text.bold)
    shift = {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    return Rect(text.x - shift, text.y - 0.75 * text.size, wide, 0.95 * text.size)


def holds(outer: Rect, inner: Rect) -> bool:
    return (
        outer.x <= inner.x + SLACK
        and outer.y <= inner.y + SLACK
        and inner.right <= outer.right + SLACK
        and inner.bottom <= outer.bottom + SLACK
    )


def meet(a: Rect, b: Rect) -> bool:
    """Whether two rectangles share more than a border."""
    return (
        a.x < b.right - SLACK
        and b.x < a.right - SLACK
        and a.y < b.bottom - SLACK
        and b.y < a.bottom - SLACK
    )


def outside_the_canvas(figure: Figure) -> Iterator[str]:
    canvas = Rect(0, 0, figure.width, figure.height)
    for node in figure.nodes:
        if not holds(canvas, node.rect):
            yield f"{node.key} is outside the canvas"
    for text in figure.texts():
        if not holds(canvas, text_rect(text)):
            yield f"`{text.content}` is outside the canvas"
    for edge in figure.edges:
        if not all(holds(canvas, Rect(x, y, 0, 0)) for x, y in edge.line.points):
            yield f"{edge.source} -> {edge.target} is outside the canvas"


def texts_outside_their_nodes(figure: Figure) -> Iterator[str]:
    for node in figure.nodes:
        for text in node.texts:
            if not holds(node.rect, text_rect(text)):
                yield f"`{text.content}` is outside {node.key}"
        for edge in figure.edges:
            if edge.label is not None:
                for text in edge.label.texts:
                    if not holds(edge.label.rect, text_rect(text)):
                        yield f"`{text.content}` is outside its label"


def overlapping_nodes(figure: Figure) -> Iterator[str]:
    keys = [node.key for node in figure.nodes]
    if len(set(keys)) < len(keys):
        yield f"two nodes have one key: {sorted(keys)}"
    for a, b in combinations(figure.nodes, 2):
        if not meet(a.rect, b.rect) or (a.frame and b.frame):
            continue
        if a.frame != b.frame:
            outer, inner = (a, b) if a.frame else (b, a)
            if holds(outer.rect, inner.rect):
                continue
        yield f"{a.key} overlaps {b.key}"


def loose_ends(figure: Figure) -> Iterator[str]:
    nodes = {node.key: node for node in figure.nodes}
    for edge in figure.edges:
        for key, point in ((edge.source, edge.line.points[0]), (edge.target, edge.line.points[-1])):
            if key not in nodes:
                yield f"an edge names {key}, which is not there"
            elif not any(on_border(border, point) for border in nodes[key].borders):
                yield f"{edge.source} -> {edge.target} does not end on {key}"


def on_border(border: Rect | Circle | Line, point: Point) -> bool:
    x, y = point
    match border:
        case Rect():
            inside = holds(border, Rect(x, y, 0, 0))
            sides = (x - border.x, x - border.right, y - border.y, y - border.bottom)
            return inside and any(abs(side) <= SLACK for side in sides)
        case Circle():
            away = ((x - border.x) ** 2 + (y - border.y) ** 2) ** 0.5
            return bool(abs(away - border.radius) <= SLACK)
        case Line():
            corners = [*border.points, border.points[0]]
            return any(on_stretch(a, b, point) for a, b in pairwise(corners))


def on_stretch(a: Point, b: Point, point: Point) -> bool:
    long = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    to_a = ((point[0] - a[0]) ** 2 + (point[1] - a[1]) ** 2) ** 0.5
    to_b = ((point[0] - b[0]) ** 2 + (point[1] - b[1]) ** 2) ** 0.5
    return bool(abs(to_a + to_b - long) <= SLACK)


def overlapping_texts(figure: Figure) -> Iterator[str]:
    rects = [(text, text_rect(text)) for text in figure.texts()]
    for (a, a_rect), (b, b_rect) in combinations(rects, 2):
        if meet(a_rect, b_rect):
            yield f"`{a.content}` overlaps `{b.content}`"
    labels = [edge.label for edge in figure.edges if edge.label is not None]
    for node in figure.nodes:
        if node.frame:
            continue
        for label in labels:
            if any(meet(node.rect, text_rect(text)) for text in label.texts):
                yield f"the label `{label.texts[0].content}` overlaps {node.key}"
        for frame in figure.nodes:
            if frame.frame and any(meet(node.rect, text_rect(text)) for text in frame.texts):
                yield f"the heading of {frame.key} overlaps {node.key}"


def edges_through_nodes(figure: Figure) -> Iterator[str]:
    for edge in figure.edges:
        for node in figure.nodes:
            if not node.frame and crosses(edge, node):
                yield f"{edge.source} -> {edge.target} goes through {node.key}"


def crosses(edge: Edge, node: Node) -> bool:
    """Whether a line goes through the shape of a node, its own ends' borders apart."""
    stretches = list(pairwise(edge.line.points))
    if node.key == edge.source:
        stretches = stretches[1:]
    if node.key == edge.target:
        stretches = stretches[:-1]
    for (ax, ay), (bx, by) in stretches:
        stretch = Rect(min(ax, bx), min(ay, by), abs(bx - ax), abs(by - ay))
        if meet(node.rect, Rect(stretch.x - 0.1, stretch.y - 0.1, stretch.width + 0.2,
                                stretch.height + 0.2)):  # fmt: skip
            return True
    return False
