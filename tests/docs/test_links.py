"""Links lead somewhere: anchors are headings, references are defined and used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import Page, pages, read

INLINE = re.compile(r"\]\((?P<target>[^)\s]+)\)")
DEFINED = re.compile(r"^\[(?P<name>[^\]]+)\]: (?P<target>\S+)$", re.M)
NAMED = re.compile(r"\[(?P<name>[^\]\n]+)\](?![(:\w])")


def lost(page: Page) -> list[str]:
    """Links of a page that lead nowhere."""
    prose = re.sub(r"`[^`\n]*`", "", page.prose())
    defined = {match["name"]: match["target"] for match in DEFINED.finditer(prose)}
    text = DEFINED.sub("", prose)
    found = []
    for target in [match["target"] for match in INLINE.finditer(text)] + list(defined.values()):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, anchor = target.partition("#")
        aim = (page.path.parent / file).resolve() if file else page.path
        if not aim.exists() or (anchor and anchor not in read(aim).anchors()):
            found.append(target)
    return found + [f"[{name}]: is not used" for name in defined if f"[{name}]" not in text]


def undefined(page: Page) -> list[str]:
    """References of a page of `docs/` that it does not define."""
    prose = re.sub(r"`[^`\n]*`", "", page.prose())
    defined = {match["name"] for match in DEFINED.finditer(prose)}
    if not defined:
        return []
    named = [match["name"] for match in NAMED.finditer(DEFINED.sub("", prose))]
    return [name for name in named if name not in defined and re.fullmatch(r"[a-z _-]+", name)]


def test_every_link_leads_somewhere(repository: Path) -> None:
    others = [repository / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md")]
    conformance = sorted((repository / "conformance").rglob("*.md"))
    every = [read(path) for path in (*pages(repository), *others, *conformance)]
    assert {str(page.path.relative_to(repository)): n for page in every if (n := lost(page))} == {}


def test_every_reference_is_defined(repository: Path) -> None:
    for path in pages(repository):
        assert undefined(read(path)) == [], path.name


def test_the_index_names_every_page(repository: Path) -> None:
    index = read(repository / "docs" / "README.md")
    linked = {match["target"] for match in INLINE.finditer(index.text)}
    assert {path.name for path in (repository / "docs").glob("*.md")} - linked == {"README.md"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n[to](#a)", []),
        ("# A\n[to](#b)", ["#b"]),
        ("# The `x` of Y\n[to](#the-x-of-y)", []),
        ("[there](gone.md)", ["gone.md"]),
        ("see [a]\n\n[a]: gone.md", ["gone.md"]),
        ("[a]: #x\n\n# x", ["[a]: is not used"]),
        ("`[not](a-link)`", []),
    ],
)
def test_a_lost_link_is_noticed(text: str, found: list[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert lost(read(page)) == found
