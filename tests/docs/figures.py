"""Figures that a page shows and one of its commands draws.

`![what it shows](01-queue.svg)` is the file beside the page; when a command of the page writes a
file of that name, the two must show the same. The bytes are the same where the same matplotlib
drew them; another version may lay things out a little differently, so texts and lines count.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from tests.docs.pages import Page

IMAGE = re.compile(r"!\[[^\]]*\]\(([\w.-]+\.svg)\)")
SVG = "{http://www.w3.org/2000/svg}"
CLOSE = 1.0
"""Points by which a line may be off."""


def figures(page: Page) -> list[str]:
    """The names of the figures beside the page that it shows."""
    return IMAGE.findall(page.prose())


def texts(path: Path) -> list[str]:
    """The texts of a figure, in order."""
    found = ElementTree.parse(path).iter(f"{SVG}text")
    return ["".join(element.itertext()).strip() for element in found]


def lines(path: Path) -> list[list[float]]:
    """The numbers of every path, in order."""
    found = ElementTree.parse(path).iter(f"{SVG}path")
    return [[float(n) for n in re.findall(r"-?\d+\.?\d*", e.get("d", ""))] for e in found]


def same(one: Path, other: Path) -> bool:
    """Whether two figures show the same."""
    if one.read_bytes() == other.read_bytes():
        return True
    if texts(one) != texts(other):
        return False
    first, second = lines(one), lines(other)
    return len(first) == len(second) and all(
        len(a) == len(b) and all(abs(x - y) <= CLOSE for x, y in zip(a, b, strict=True))
        for a, b in zip(first, second, strict=True)
    )
