"""A figure as SVG: one file that needs nothing else, light or dark as its reader's screen is.

Every element has its light paint as attributes, for readers that know no style sheets, and a
class; the style sheet gives the classes their paint from variables that a page can set. Depends
on the figure and the palette.
"""

from __future__ import annotations

from dataclasses import fields
from html import escape
from math import hypot

from serq.view.figure import Box, Circle, Edge, Figure, Label, Line, Node, Point, Shape, Style, Text
from serq.view.palette import DARK, FONTS, LIGHT, PAINTS, Scheme

_HEAD_LONG = 8.0
_HEAD_WIDE = 3.6


def svg(figure: Figure, scheme: Scheme | None = None) -> str:
    """The SVG of a figure; with a scheme, in its colours alone and without a style sheet."""
    writer = _Writer(scheme)
    wide, high = _n(figure.width), _n(figure.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" role="img" class="serq">',
        f"<title>{escape(figure.title)}</title>",
    ]
    if scheme is None:
        parts.append(f"<style>{_style_sheet()}</style>")
    paper = (scheme or LIGHT).paper
    parts.append(f'<rect class="paper" width="{wide}" height="{high}" rx="6" fill="{paper}"/>')
    parts.append(f'<g font-family="{escape(FONTS, quote=False)}">')
    parts += [writer.node(node) for node in figure.nodes if node.frame]
    parts += [writer.edge(edge) for edge in figure.edges]
    parts += [writer.node(node) for node in figure.nodes if not node.frame]
    parts += [writer.label(edge.label) for edge in figure.edges if edge.label is not None]
    parts += [writer.text(text) for text in figure.notes]
    parts += ["</g>", "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def _style_sheet() -> str:
    """The classes, in colours that are variables, and the variables on dark paper."""
    rules = [f".serq .paper{{fill:{_variable('paper')}}}"]
    for style, paint in PAINTS.items():
        told = []
        if paint.fill is not None:
            told.append(f"fill:{_variable(paint.fill)}")
        if paint.stroke is not None:
            told.append(f"stroke:{_variable(paint.stroke)}")
        rules.append(f".serq .{style}{{{';'.join(told)}}}")
        if paint.fill is None:
            rules.append(f".serq .{style}-head{{fill:{_variable(paint.stroke or 'line')}}}")
    dark = "".join(f"--serq-{_css(f.name)}:{getattr(DARK, f.name)};" for f in fields(DARK))
    rules.append(f"@media (prefers-color-scheme:dark){{.serq{{{dark}}}}}")
    # Readers without variables (resvg, and what is built on it) do not know `@supports` either.
    return "\n@supports (fill:var(--serq-ink)){\n" + "\n".join(rules) + "\n}\n"


def _variable(name: str) -> str:
    return f"var(--serq-{_css(name)},{getattr(LIGHT, name)})"


def _css(name: str) -> str:
    return name.replace("_", "-")


class _Writer:
    def __init__(self, scheme: Scheme | None) -> None:
        self._scheme = scheme or LIGHT
        self._classes = scheme is None

    def node(self, node: Node) -> str:
        parts = [self.shape(shape) for shape in node.shapes]
        parts += [self.text(text) for text in node.texts]
        return f"<g><title>{escape(node.key)}</title>\n" + "\n".join(parts) + "\n</g>"

    def edge(self, edge: Edge) -> str:
        if not edge.head:
            return self.shape(edge.line)
        shaft, head = arrow(edge.line)
        paint = PAINTS[edge.line.style]
        fill = getattr(self._scheme, paint.stroke or "line")
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in head)
        css = f' class="{edge.line.style}-head"' if self._classes else ""
        return f'{self.shape(shaft)}\n<polygon{css} points="{points}" fill="{fill}"/>'

    def label(self, label: Label) -> str:
        return "\n".join(self.text(text) for text in label.texts)

    def text(self, text: Text) -> str:
        anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
        weight = ' font-weight="600"' if text.bold else ""
        return (
            f'<text{self._paint(text.style)} x="{_n(text.x)}" y="{_n(text.y)}" '
            f'font-size="{_n(text.size)}"{anchor}{weight}>{escape(text.content, quote=False)}'
            "</text>"
        )

    def shape(self, shape: Shape) -> str:
        match shape:
            case Box():
                rect = shape.rect
                rounded = f' rx="{_n(shape.radius)}"' if shape.radius else ""
                return (
                    f'<rect{self._paint(shape.style)} x="{_n(rect.x)}" y="{_n(rect.y)}" '
                    f'width="{_n(rect.width)}" height="{_n(rect.height)}"{rounded}/>'
                )
            case Circle():
                return (
                    f'<circle{self._paint(shape.style)} cx="{_n(shape.x)}" cy="{_n(shape.y)}" '
                    f'r="{_n(shape.radius)}"/>'
                )
            case Line():
                return f'<path{self._paint(shape.style)} d="{path(shape)}"/>'

    def _paint(self, style: Style) -> str:
        paint = PAINTS[style]
        told = f' class="{style}"' if self._classes else ""
        fill = "none" if paint.fill is None else getattr(self._scheme, paint.fill)
        told += f' fill="{fill}"'
        if paint.stroke is not None:
            told += (
                f' stroke="{getattr(self._scheme, paint.stroke)}" stroke-width="{paint.width:g}"'
            )
        if paint.dash:
            told += f' stroke-dasharray="{" ".join(f"{d:g}" for d in paint.dash)}"'
        return told


def arrow(line: Line) -> tuple[Line, tuple[Point, Point, Point]]:
    """A line that stops short of its end, and the arrow's head from there to the end."""
    (ax, ay), (bx, by) = line.points[-2:]
    length = hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / length, (by - ay) / length
    neck = (bx - ux * _HEAD_LONG * 0.8, by - uy * _HEAD_LONG * 0.8)
    base = (bx - ux * _HEAD_LONG, by - uy * _HEAD_LONG)
    left = (base[0] - uy * _HEAD_WIDE, base[1] + ux * _HEAD_WIDE)
    right = (base[0] + uy * _HEAD_WIDE, base[1] - ux * _HEAD_WIDE)
    shaft = Line((*line.points[:-1], neck), line.style, radius=line.radius)
    return shaft, ((bx, by), left, right)


def path(line: Line) -> str:
    """The path of a line: straight, with corners rounded."""
    points = line.points
    told = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = rounded(before, corner, after, line.radius)
        told.append(f"L{_n(start[0])} {_n(start[1])}")
        if start != end:
            told.append(f"Q{_n(corner[0])} {_n(corner[1])} {_n(end[0])} {_n(end[1])}")
    told.append(f"L{_n(points[-1][0])} {_n(points[-1][1])}")
    return "".join(told) + ("Z" if line.closed else "")


def rounded(before: Point, corner: Point, after: Point, radius: float) -> tuple[Point, Point]:
    """Where the rounding of a corner begins and ends."""
    if not radius:
        return corner, corner
    into, out = _towards(corner, before, radius), _towards(corner, after, radius)
    return into, out


def _towards(start: Point, end: Point, by: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length == 0:
        return start
    by = min(by, length / 2)
    return (
        start[0] + (end[0] - start[0]) * by / length,
        start[1] + (end[1] - start[1]) * by / length,
    )


def _n(value: float) -> str:
    """A number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"
