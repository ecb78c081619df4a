"""A figure as PNG, drawn by resvg from the SVG.

The letters are those of Source Sans, which comes with the extra, so that the picture is the same on
every machine; only a name in another script takes a font of the system. Depends on the SVG.
"""

from __future__ import annotations

from typing import Final

from serq.diagnostics import Diagnostic, SerqError
from serq.view.figure import Figure
from serq.view.palette import DARK, LIGHT
from serq.view.svg import svg

SCALE: Final = 2
"""Pixels a point."""
_FAMILY: Final = "Source Sans Pro"
_LAST_KNOWN: Final = 0x24F
"""Up to here (Latin) the font has every letter."""
_OTHERS: Final = frozenset("…∞φ")


def png(figure: Figure, *, dark: bool = False) -> bytes:
    """The PNG of a figure, on light or dark paper.

    Raises `SerqError` (SQ509) without the packages of the extra `png`.
    """
    try:
        import font_source_sans_pro as font
        import resvg_py
    except ImportError as error:
        message = f"a PNG is drawn with `{error.name}`, which is not installed"
        raise SerqError([Diagnostic("SQ509", message, help='pip install "serq[png]"')]) from None
    known = all(
        ord(char) <= _LAST_KNOWN or char in _OTHERS
        for text in figure.texts()
        for char in text.content
    )
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg(figure, DARK if dark else LIGHT),
        zoom=SCALE,
        font_files=[font.SourceSansPro, font.SourceSansProSemibold],
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
        skip_system_fonts=known,
    )
    return bytes(drawn)
