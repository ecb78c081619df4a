"""The pages a person reads: `README.md` and `docs/`, their blocks, headings, tables and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
_HEADING = re.compile(r"^#+ +(.+?) *$", re.M)
_CODE = re.compile(r"`[^`\n]+`")


@dataclass(frozen=True, slots=True)
class Block:
    """A block between fences: its language, what follows the language, its text, its line."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The name the block gives its text, `file=NAME`."""
        return next((w.removeprefix("file=") for w in self.words if w.startswith("file=")), None)


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its text."""

    path: Path
    text: str

    def blocks(self, language: str) -> list[Block]:
        """Its blocks of a language, in order."""
        found = []
        for match in _FENCE.finditer(self.text):
            words = match["info"].split()
            if words and words[0] == language:
                line = self.text.count("\n", 0, match.start()) + 1
                found.append(Block(language, tuple(words[1:]), match["text"], line))
        return found

    def files(self) -> dict[str, str]:
        """The files its blocks give, by name."""
        languages = ("serq", "csv", "python")
        blocks = [block for language in languages for block in self.blocks(language)]
        return {block.file: block.text for block in blocks if block.file is not None}

    def prose(self) -> str:
        """Its text without blocks."""
        return _FENCE.sub("", self.text)

    def headings(self) -> list[str]:
        """Its headings, in order."""
        return _HEADING.findall(self.prose())

    def anchors(self) -> set[str]:
        """What a link may name after `#`."""
        found: set[str] = set()
        for heading in self.headings():
            slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            number = 0
            while (anchor := slug if number == 0 else f"{slug}-{number}") in found:
                number += 1
            found.add(anchor)
        return found

    def section(self, heading: str) -> str:
        """The text below a heading, up to the next one of any level."""
        lines = self.prose().splitlines()
        starts = [at for at, line in enumerate(lines) if line.lstrip("#").strip() == heading]
        assert starts, f"{self.path.name} has no heading {heading!r}"
        below = lines[starts[0] + 1 :]
        end = next((at for at, line in enumerate(below) if line.startswith("#")), len(below))
        return "\n".join(below[:end])

    def rows(self, heading: str) -> list[list[str]]:
        """The rows of the tables below a heading, without header and rule."""
        rows: list[list[str]] = []
        lines = self.section(heading).splitlines()
        for at, line in enumerate(lines):
            starts_table = at + 1 < len(lines) and lines[at + 1].startswith("|---")
            if line.startswith("|") and not line.startswith("|---") and not starts_table:
                cells = re.split(r"(?<!\\)\|", line)[1:-1]
                rows.append([cell.strip() for cell in cells])
        return rows

    def terms(self, heading: str, column: int = 0) -> set[str]:
        """What stands in backticks in a column of the tables below a heading."""
        return {term for row in self.rows(heading) for term in code(row[column])}


def code(text: str) -> list[str]:
    """What stands in backticks."""
    return [piece.strip("`") for piece in _CODE.findall(text)]


def read(path: Path) -> Page:
    """The page at `path`."""
    return Page(path, path.read_text(encoding="utf-8"))


def pages(repository: Path) -> list[Path]:
    """Every page."""
    docs = sorted((repository / "docs").rglob("*.md"))
    return [*sorted(repository.glob("README.md")), *docs]
