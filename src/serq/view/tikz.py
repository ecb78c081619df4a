r"""A figure as TikZ: a `tikzpicture` to `\input` into a paper that loads the package tikz.

One unit is one point. Colours are defined above the picture, so that a paper can have its own.
Depends on the figure and the palette.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from serq.view.figure import Box, Circle, Edge, Figure, Line, Node, Shape, Style, Text
from serq.view.palette import DARK, LIGHT, PAINTS, Scheme
from serq.view.svg import arrow, rounded

_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"$\sim$",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "*": "$*$",
    "-": "{-}",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "∞": r"$\infty$",
    "φ": r"$\varphi$",
}
_ANCHORS: Final = {"start": "base west", "middle": "base", "end": "base east"}


def tikz(figure: Figure, *, dark: bool = False) -> str:
    """The TikZ picture of a figure."""
    scheme = DARK if dark else LIGHT
    parts = [f"% {figure.title}: needs \\usepackage{{tikz}}", *_colours(scheme)]
    parts.append(r"\begin{tikzpicture}[x=1pt, y=-1pt, line join=round]")
    parts += [f"  \\tikzset{{{_name(style)}/.style={{{_paint(style)}}}}}" for style in PAINTS]
    if dark:
        wide, high = _n(figure.width), _n(figure.height)
        parts.append(f"  \\fill[serqpaper] (0,0) rectangle ({wide},{high});")
    for node in figure.nodes:
        if node.frame:
            parts += _node(node)
    for edge in figure.edges:
        parts += _edge(edge)
    for node in figure.nodes:
        if not node.frame:
            parts += _node(node)
    for edge in figure.edges:
        if edge.label is not None:
            parts += [_text(text) for text in edge.label.texts]
    parts += [_text(text) for text in figure.notes]
    parts.append(r"\end{tikzpicture}")
    return "\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Text with what TeX would take for a command written so that it is shown."""
    return "".join(_ESCAPES.get(char, char) for char in text)


def _colours(scheme: Scheme) -> list[str]:
    return [
        f"\\definecolor{{serq{f.name.replace('_', '')}}}{{HTML}}"
        f"{{{getattr(scheme, f.name).lstrip('#').upper()}}}"
        for f in fields(scheme)
    ]


def _name(style: Style) -> str:
    return f"serq {style.replace('-', ' ')}"


def _paint(style: Style) -> str:
    paint = PAINTS[style]
    told: list[str] = []
    if paint.fill is not None:
        told.append(f"fill=serq{paint.fill.replace('_', '')}")
    if paint.stroke is not None:
        told.append(f"draw=serq{paint.stroke.replace('_', '')}")
        told.append(f"line width={paint.width:g}pt")
    if paint.dash:
        pattern = " ".join(
            f"{'on' if at % 2 == 0 else 'off'} {long:g}pt" for at, long in enumerate(paint.dash)
        )
        told.append(f"dash pattern={pattern}")
    return ", ".join(told)


def _node(node: Node) -> list[str]:
    return [*(_shape(shape) for shape in node.shapes), *(_text(text) for text in node.texts)]


def _edge(edge: Edge) -> list[str]:
    shaft, head = arrow(edge.line)
    colour = f"serq{(PAINTS[edge.line.style].stroke or 'line').replace('_', '')}"
    corners = " -- ".join(f"({_n(x)},{_n(y)})" for x, y in head)
    return [_shape(shaft), f"  \\fill[{colour}] {corners} -- cycle;"]


def _text(text: Text) -> str:
    colour = f"serq{PAINTS[text.style].fill}".replace("_", "")
    font = f"\\fontsize{{{_n(text.size)}}}{{{_n(text.size * 1.2)}}}\\selectfont\\sffamily"
    font += "\\bfseries" if text.bold else ""
    return (
        f"  \\node[anchor={_ANCHORS[text.anchor]}, inner sep=0pt, text={colour}, font={{{font}}}] "
        f"at ({_n(text.x)},{_n(text.y)}) {{{escaped(text.content)}}};"
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Box():
            rect = shape.rect
            style = _name(shape.style)
            if shape.radius:
                style += f", rounded corners={_n(shape.radius)}pt"
            return (
                f"  \\path[{style}] ({_n(rect.x)},{_n(rect.y)}) rectangle "
                f"({_n(rect.right)},{_n(rect.bottom)});"
            )
        case Circle():
            centre = f"({_n(shape.x)},{_n(shape.y)})"
            return f"  \\path[{_name(shape.style)}] {centre} circle[radius={_n(shape.radius)}pt];"
        case Line():
            return f"  \\path[{_name(shape.style)}] {_path(shape)};"


def _path(line: Line) -> str:
    points = line.points
    told = [f"({_n(points[0][0])},{_n(points[0][1])})"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = rounded(before, corner, after, line.radius)
        told.append(f"-- ({_n(start[0])},{_n(start[1])})")
        if start != end:
            middle = f"({_n(corner[0])},{_n(corner[1])})"
            told.append(f".. controls {middle} and {middle} .. ({_n(end[0])},{_n(end[1])})")
    told.append(f"-- ({_n(points[-1][0])},{_n(points[-1][1])})")
    return " ".join(told) + (" -- cycle" if line.closed else "")


def _n(value: float) -> str:
    """A number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"
