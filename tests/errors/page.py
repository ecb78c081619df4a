"""A page that explains a code: its sections, and the files and commands of its two examples."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

SECTIONS = ("What it means", "Why it matters", "Example", "Instead", "Since")
LANGUAGES = ("serq", "json", "csv", "console", "python")

_FENCE = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?$")
_MARK = re.compile(r"\s*//! (?P<code>SQ\d{3})$")


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding the example provokes: its code, the file it is in, its line from 1."""

    code: str
    file: str
    line: int


@dataclass(slots=True)
class Example:
    """One example: the files it consists of, the commands and scripts it shows, its findings.

    The program or IR that has no name of its own is called `program.sq` or `program.json`.
    """

    files: dict[str, str] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    @property
    def main(self) -> str | None:
        """The program to compile and run; None when it shows something else."""
        return next((name for name in self.files if name.startswith("program.")), None)


@dataclass(slots=True)
class Page:
    """A page: its title, and the text of each section by heading."""

    title: str
    sections: dict[str, str]


def read_page(path: Path) -> Page:
    """The page at `path`. Raises ValueError where it has not the form of a page."""
    title, _, rest = path.read_text(encoding="utf-8").partition("\n")
    parts = re.split(r"^## (.+)$", rest, flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"{path.name}: text before the first section")
    return Page(title, dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True)))


def read_example(text: str) -> Example:
    """The blocks of a section. Raises ValueError on a block in no known language."""
    example = Example()
    opened: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.splitlines():
        if opened is not None:
            if line == "```":
                _add(example, opened, lines)
                opened, lines = None, []
            else:
                lines.append(line)
        elif line.startswith("```"):
            opened = _FENCE.match(line)
            if opened is None or opened["language"] not in LANGUAGES:
                raise ValueError(f"no block of an example is called {line!r}")
    if opened is not None:
        raise ValueError("a block is not closed")
    return example


def _add(example: Example, opened: re.Match[str], lines: list[str]) -> None:
    language = opened["language"]
    if language == "console":
        example.commands += [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return
    if language == "python":
        example.scripts.append("\n".join(lines))
        return
    name = opened["file"] or {"serq": "program.sq", "json": "program.json"}[language]
    if name in example.files:
        raise ValueError(f"two blocks are called {name}")
    for number, line in enumerate(lines, 1):
        mark = _MARK.search(line)
        if mark is not None:
            example.marks.append(Mark(mark["code"], name, number))
    # A program may keep its marks, which are comments; JSON and traces have no comments.
    text = "\n".join(line if language == "serq" else _MARK.sub("", line) for line in lines)
    example.files[name] = text + "\n"
