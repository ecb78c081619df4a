"""Every section of the contract that code or a test page cites is a section of the reference."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import Page, code, read

READ = ("src", "conformance", "cpp")
SUFFIXES = {".py", ".md", ".cpp", ".hpp"}
PAGES = {"2": ("language", "queues", "grammar", "expressions"), "3": ("semantics",), "7": ("vllm",)}

CITED = re.compile(
    r"(?:[Cc]ontract,?|;)\s+§(?P<number>\d)"
    r"(?P<names>(?:(?:,| and|:)?\s+\*[^*\n]+(?:\n[^*\n]+)?\*)+)"
)
NAME = re.compile(r"\*([^*]+)\*")


def citations(repository: Path) -> dict[tuple[str, str], str]:
    """Number and name of every cited section, with a file that cites it."""
    found: dict[tuple[str, str], str] = {}
    for folder in READ:
        for path in sorted((repository / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                for match in CITED.finditer(path.read_text(encoding="utf-8")):
                    for name in NAME.findall(match["names"]):
                        words = " ".join(name.split())
                        where = str(path.relative_to(repository))
                        found.setdefault((match["number"], words), where)
    return found


def named(page: Page) -> set[str]:
    """What a page gives a name to: headings, terms in bold, productions, words of the language."""
    bold = {term.rstrip(".") for term in re.findall(r"\*\*([^*]+)\*\*", page.prose())}
    grammar = "".join(block.text for block in page.blocks("ebnf"))
    productions = set(re.findall(r"^(\w+) *=", grammar, re.M))
    headings = {heading.partition(" (")[0] for heading in page.headings()}
    words = {term.partition("(")[0] for term in code(page.prose())}
    return headings | bold | productions | words


def test_cited_sections_are_there(repository: Path) -> None:
    names = {
        number: set().union(*(named(read(repository / "docs" / f"{page}.md")) for page in stems))
        for number, stems in PAGES.items()
    }
    cited = citations(repository)
    assert len(cited) > 15
    assert {
        f"§{number} {name}": where
        for (number, name), where in cited.items()
        if name not in names[number]
    } == {}
