"""How wide text is: a table of character widths, so that a figure needs no font to be laid out.

The widths are Helvetica's (Adobe's font metrics of the core fonts, in thousandths of the size),
which Arial and Liberation Sans share; a margin covers the other fonts a viewer may choose. The
same text is as wide on every machine. Depends on nothing of ours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

MARGIN: Final = 1.05
"""Room for a font somewhat wider than Helvetica."""

LINE: Final = 1.32
"""From one baseline to the next, in sizes."""

_FIRST: Final = 32
_REGULAR: Final = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_BOLD: Final = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
)  # fmt: skip
_OTHERS: Final = {"·": 330, "…": 1000, "∞": 840, "φ": 680}
_BINDING: Final = frozenset("* / ^ = == != < <= > >=".split())
_LEADING: Final = frozenset("+ - ? : && || w.p. and or".split())
_READ: Final = 500
"""Characters of a text at most; no label has room for more."""
_WIDE: Final = 1000
_LETTER: Final = 760


def width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line of text, in the unit of `size`, margin included."""
    table = _BOLD if bold else _REGULAR
    total = 0
    for char in text:
        at = ord(char) - _FIRST
        total += table[at] if 0 <= at < len(table) else _other(char)
    return total * size * MARGIN / 1000


def _other(char: str) -> int:
    if char in _OTHERS:
        return _OTHERS[char]
    if unicodedata.combining(char):
        return 0
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _LETTER


def wrap(text: str, size: float, room: float, *, bold: bool = False, most: int = 6) -> list[str]:
    """Lines of at most `room`, about equally long, broken at blanks, and inside a word only when it
    is wider alone. What does not fit into `most` lines ends in an ellipsis.
    """
    if len(text) > _READ:
        text = text[:_READ] + "…"
    chunks = [
        part
        for chunk in _chunks(text, size, room, bold)
        for part in _fitting(chunk, size, room, bold)
    ]
    widest = max((width(chunk, size, bold=bold) for chunk in chunks), default=0.0)
    lines = _filled(chunks, size, room, bold)
    if len(lines) > most:
        return [*lines[: most - 1], _shortened(lines[most - 1] + "…", size, room, bold)]
    for share in (0.6, 0.7, 0.8, 0.9) if len(lines) > 1 else ():
        if widest <= room * share:
            narrower = _filled(chunks, size, room * share, bold)
            if len(narrower) == len(lines):
                return narrower
    return lines


def _filled(chunks: list[str], size: float, room: float, bold: bool) -> list[str]:
    """Lines as full as they can be."""
    lines: list[str] = []
    line = ""
    for chunk in chunks:
        longer = f"{line} {chunk}" if line else chunk
        if line and width(longer, size, bold=bold) > room:
            lines.append(line)
            line = chunk
        else:
            line = longer
    return [*lines, line]


def _chunks(text: str, size: float, room: float, bold: bool) -> list[str]:
    """Words, with what belongs together in one: arguments, products and comparisons whole, where
    they fit, and a sign at the beginning of its line.
    """
    found: list[str] = []
    words = _closed(text.split(), size, room, bold)
    at = 0
    while at < len(words):
        sign = words[at] in _BINDING or words[at] in _LEADING
        part = " ".join(words[at : at + 2]) if sign else words[at]
        at += 2 if sign else 1
        joined = f"{found[-1]} {part}" if found else part
        binds = part.split(" ", 1)[0] in _BINDING
        if found and binds and width(joined, size, bold=bold) <= room:
            found[-1] = joined
        else:
            found.append(part)
    return found


def _closed(words: list[str], size: float, room: float, bold: bool) -> list[str]:
    """Words, those from an open parenthesis to its end in one where that fits."""
    found: list[str] = []
    at = 0
    while at < len(words):
        end, depth = at, _depth(words[at])
        while depth > 0 and end + 1 < len(words):
            end += 1
            depth += _depth(words[end])
        whole = " ".join(words[at : end + 1])
        if end > at and width(whole, size, bold=bold) <= room:
            found.append(whole)
            at = end + 1
        else:
            found.append(words[at])
            at += 1
    return found


def _depth(word: str) -> int:
    return word.count("(") - word.count(")")


def items(parts: Sequence[str], size: float, room: float, *, most: int) -> list[str]:
    """Lines of parts with points between them; a part is broken only when it is wider alone."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines += wrap(part, size, room, most=3)
    return lines if len(lines) <= most else [*lines[: most - 1], "…"]


def _fitting(word: str, size: float, room: float, bold: bool) -> list[str]:
    """The word, or its pieces when it alone is wider than the room."""
    pieces: list[str] = []
    while len(word) > 1 and width(word, size, bold=bold) > room:
        end = _break(word, size, room, bold)
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _break(word: str, size: float, room: float, bold: bool) -> int:
    """Where to break a word: the longest beginning that fits, behind a sign when there is one."""
    end = len(word) - 1
    while end > 1 and width(word[:end], size, bold=bold) > room:
        end -= 1
    for at in range(end, end // 2, -1):
        if word[at - 1] in ".,_()[]/*+-":
            return at
    return end


def _shortened(line: str, size: float, room: float, bold: bool) -> str:
    while len(line) > 2 and width(line, size, bold=bold) > room:
        line = line[:-2] + "…"
    return line
