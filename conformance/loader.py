"""A page of the conformance suite, read into cases.

A page is Markdown: a concept as its title, one claim a heading, under it the derivation by hand,
the program and what it must answer. `conformance/README.md` is the format in one page. The loader
knows no engine and no front end: it depends on the standard library alone, so that whoever writes
another engine can take it as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LEVELS = ("exact", "draws", "law")
LEAST_WORDS = 5
"""A derivation is a sentence at the least: a number without a reason is a photograph of a bug."""

_FENCE = re.compile(r"^```\s*(?P<kind>[a-z]*)(?:\s+file=(?P<file>\S+))?\s*$")
_DIFFERS = re.compile(r"^reference: differs — (?P<why>\S.*)$")
_MARKER = re.compile(r'//!\s*(?P<code>SQ\d{3})(?:\s+"(?P<part>[^"]*)")?')
_LEVEL = re.compile(r"^level:\s*(?P<level>\w+)\s*$")
_ASSIGNMENT = re.compile(r'^(?P<key>[A-Za-z_"][^=]*?)\s*=')


class PageError(ValueError):
    """A page breaks the format; the message starts with `path:line:`."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A diagnostic the case demands: its code, its line, and a part of its message if named."""

    file: str | None
    """Name of the library that is refused; None for the program itself."""
    line: int
    """Line of that text, from 1."""
    code: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One claim: the program that shows it and the answer every engine must give."""

    page: Path
    concept: str
    title: str
    line: int
    """Line of the heading in the page, from 1."""
    level: str
    derivation: str
    program: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Libraries and traces that lie next to the program, by name."""
    expect: Mapping[str, Any] | None = None
    """What the report must say, as nested tables; None when the program is refused."""
    expect_lines: tuple[int, int] = (0, 0)
    """First and last line of the expect block's content in the page, from 1."""
    refusals: tuple[Refusal, ...] = ()
    differs: str | None = None
    """Why pyserq, the reference, answers otherwise; None when it agrees."""

    @property
    def name(self) -> str:
        """`folder/page: claim`, unique in the suite."""
        return f"{self.page_name}: {self.title}"

    @property
    def page_name(self) -> str:
        """`folder/page`."""
        return f"{self.page.parent.name}/{self.page.stem}"


@dataclass(slots=True)
class _Block:
    kind: str
    file: str | None
    first: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)


@dataclass(slots=True)
class _Section:
    """The raw parts under one `##` heading."""

    title: str
    line: int
    prose: list[str] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)
    differs: str | None = None


def find_pages(root: Path) -> list[Path]:
    """Every page under `root`, by walking the tree, in the order of their paths."""
    return sorted(path for path in root.rglob("*.md") if path.name != "README.md")


def load_suite(root: Path) -> list[Case]:
    """Every case under `root`. Raises `PageError` on a malformed page or a claim made twice."""
    cases: list[Case] = []
    seen: dict[str, Case] = {}
    for page in find_pages(root):
        for case in load_page(page):
            first = seen.setdefault(case.title.casefold(), case)
            if first is not case:
                where = f"{first.page.parent.name}/{first.page.name}:{first.line}"
                raise PageError(page, case.line, f"the claim {case.title!r} is made at {where} too")
            cases.append(case)
    return cases


def load_page(path: Path) -> list[Case]:
    """The cases of one page, in its order. Raises `PageError` where it breaks the format."""
    return parse_page(path, path.read_text(encoding="utf-8"))


def parse_page(path: Path, text: str) -> list[Case]:
    """The cases of a page whose text is given; `path` names it in messages."""
    lines = text.splitlines()
    level, start = _front_matter(path, lines)
    concept, sections = _sections(path, lines, start)
    if not sections:
        raise PageError(path, 1, "the page makes no claim (no `##` heading)")
    return [_case(path, concept, level, section) for section in sections]


def _front_matter(path: Path, lines: list[str]) -> tuple[str, int]:
    """The level, and the index of the first line behind the front matter."""
    if not lines or lines[0].strip() != "---":
        return "exact", 0
    level = "exact"
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == "---":
            return level, number
        found = _LEVEL.match(line)
        if found is None or found["level"] not in LEVELS:
            raise PageError(path, number, f"front matter is `level:` and one of {LEVELS}")
        level = found["level"]
    raise PageError(path, 1, "the front matter is not closed")


def _sections(path: Path, lines: list[str], start: int) -> tuple[str, list[_Section]]:
    concept = ""
    sections: list[_Section] = []
    scan = _scan(path, lines, start)
    for number, line, block in scan:
        if block is not None:
            if not sections:
                raise PageError(path, number, "a block stands before the first claim")
            sections[-1].blocks.append(block)
        elif line.startswith("## "):
            sections.append(_Section(line[3:].strip(), number))
        elif line.startswith("# "):
            if concept:
                raise PageError(path, number, "a page has one concept, so one `#` title")
            concept = line[2:].strip()
        elif sections:
            _prose(path, number, line, sections[-1])
    if not concept:
        raise PageError(path, 1, "the page has no `# Concept` title")
    return concept, sections


def _prose(path: Path, number: int, line: str, section: _Section) -> None:
    if line.startswith("reference:"):
        found = _DIFFERS.match(line)
        if found is None or section.differs is not None:
            raise PageError(path, number, "write `reference: differs — why`, once in a case")
        section.differs = found["why"]
    elif line.strip():
        section.prose.append(line.strip())


def _scan(path: Path, lines: list[str], start: int) -> Iterator[tuple[int, str, _Block | None]]:
    """Lines outside fences one by one, a fenced block as one piece at its opening line."""
    block: _Block | None = None
    for number, line in enumerate(lines[start:], start + 1):
        if block is not None:
            if line.rstrip() == "```":
                yield block.first - 1, "", block
                block = None
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            found = _FENCE.match(line)
            if found is None or found["kind"] not in ("serq", "csv", "expect", "text"):
                raise PageError(path, number, f"no block is called {line.strip('`')!r} here")
            block = _Block(found["kind"], found["file"], number + 1)
        else:
            yield number, line, None
    if block is not None:
        raise PageError(path, block.first - 1, "the block is not closed")


def _case(path: Path, concept: str, level: str, section: _Section) -> Case:
    programs = [b for b in section.blocks if b.kind == "serq" and b.file is None]
    expects = [b for b in section.blocks if b.kind == "expect"]
    beside = [b for b in section.blocks if b.kind in ("serq", "csv") and b.file is not None]
    nameless = [b for b in section.blocks if b.kind == "csv" and b.file is None]

    def refuse(message: str) -> PageError:
        return PageError(path, section.line, f"{section.title!r}: {message}")

    if len(programs) != 1:
        raise refuse(f"a case has one program, this one has {len(programs)}")
    if nameless:
        raise refuse("a `csv` block needs `file=NAME`")
    if len(" ".join(section.prose).split()) < LEAST_WORDS:
        raise refuse("the derivation is missing")
    refusals = tuple(_refusals(None, programs[0])) + tuple(
        refusal for b in beside if b.kind == "serq" for refusal in _refusals(b.file, b)
    )
    if len(expects) + bool(refusals) != 1:
        raise refuse("a case has either one `expect` block or lines marked `//! SQ…`")
    expect, expect_lines = None, (0, 0)
    if expects:
        expect = _expectation(path, expects[0])
        expect_lines = (expects[0].first, expects[0].first + len(expects[0].lines) - 1)
    return Case(
        page=path,
        concept=concept,
        title=section.title,
        line=section.line,
        level=level,
        derivation="\n".join(section.prose),
        program=programs[0].text,
        files={b.file: b.text for b in beside if b.file is not None},
        expect=expect,
        expect_lines=expect_lines,
        refusals=refusals,
        differs=section.differs,
    )


def _refusals(file: str | None, block: _Block) -> Iterator[Refusal]:
    for number, line in enumerate(block.lines, 1):
        markers = list(_MARKER.finditer(line))
        if "//!" in line and len(markers) != line.count("//!"):
            raise PageError(Path(file or "program"), number, 'write `//! SQ301 "part"`')
        for found in markers:
            yield Refusal(file, number, found["code"], found["part"] or "")


def _expectation(path: Path, block: _Block) -> dict[str, Any]:
    if not any(line.strip() for line in block.lines):
        raise PageError(path, block.first, "an empty `expect` block expects nothing")
    for number, chunk in split_assignments(path, block.lines, block.first):
        if chunk and _ASSIGNMENT.match(chunk[0]) is None:
            raise PageError(path, number, "an expectation is `name.field = value`")
    return tomllib.loads(block.text)


def split_assignments(path: Path, lines: list[str], first: int) -> Iterator[tuple[int, list[str]]]:
    """The assignments of an expect block, each with the number of its first line.

    A value may run over several lines. Blank lines and comments are chunks of no assignment and
    come with an empty list.
    """
    chunk: list[str] = []
    start = first
    for number, line in enumerate(lines, first):
        if not chunk:
            start = number
            if not line.strip() or line.lstrip().startswith("#"):
                yield number, []
                continue
        chunk.append(line)
        try:
            tomllib.loads("\n".join(chunk))
        except tomllib.TOMLDecodeError as error:
            last = number == first + len(lines) - 1
            if last or "=" not in chunk[0]:
                raise PageError(path, start, f"not TOML: {error}") from None
            continue
        yield start, chunk
        chunk = []
