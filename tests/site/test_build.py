"""The site builds without a warning, is whole, has a search, and loads nothing from elsewhere."""

from __future__ import annotations

import html
import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from tools.site.__main__ import build

MISSING = [name for name in ("sphinx", "myst_parser", "furo") if find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"the site needs serq[docs]: {', '.join(MISSING)}"),
]

# What a browser loads by itself; a link that a reader may follow is none of it.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object|image)\b[^>]*?
        \s(?:src|srcset|data|href|xlink:href)\s*=\s*["']?(?P<target>[^"'\s>]+)""",
    re.X | re.I,
)
STYLED = re.compile(r"<link\b(?P<attributes>[^>]*)>", re.I)
CSS = re.compile(r"""(?:url\(|@import\s+(?!url\())\s*["']?(?P<target>[^"')\s;]+)""")
ELSEWHERE = re.compile(r"^(?:https?:)?//", re.I)
NOT_LOADED = {"canonical", "author", "index", "search", "next", "prev", "genindex"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built; its tree lies beside it."""
    folder = tmp_path_factory.mktemp("site")
    assert build(folder / "tree", folder / "html", quiet=True, jobs="1") == 0
    return folder / "html"


def loaded(page: str) -> list[str]:
    """What a page loads."""
    found = [match["target"] for match in LOADED.finditer(page)]
    for link in STYLED.finditer(page):
        attributes = dict(re.findall(r"""(\w+)=["']([^"']*)["']""", link["attributes"]))
        if not set(attributes.get("rel", "").split()) & NOT_LOADED:
            found.append(attributes["href"])
    return found + [match["target"] for match in CSS.finditer(page)]


def test_every_page_is_there(site: Path) -> None:
    tree = site.parent / "tree"
    pages = {path.relative_to(tree).with_suffix("") for path in tree.rglob("*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    assert len(pages) > 250
    assert pages - built == set()


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    remote = {
        (path.name, aim)
        for path in site.rglob("*")
        if path.suffix in {".html", ".css", ".svg"}
        for aim in loaded(path.read_text(encoding="utf-8"))
        if ELSEWHERE.match(aim)
    }
    assert remote == set()
    scripts = [path.read_text(encoding="utf-8") for path in site.rglob("*.js")]
    assert scripts
    for text in scripts:
        assert not re.search(r"""(?:fetch|import|open|src\s*=)\s*\(?\s*["'](?:https?:)?//""", text)


def test_what_is_loaded_is_there(site: Path) -> None:
    lost = set()
    for path in site.rglob("*.html"):
        for aim in loaded(path.read_text(encoding="utf-8")):
            file = html.unescape(aim).partition("?")[0].partition("#")[0]
            if file and not file.startswith("data:") and not (path.parent / file).exists():
                lost.add((str(path.relative_to(site)), aim))
    assert lost == set()


def test_links_within_the_site_lead_somewhere(site: Path) -> None:
    """Pages and their anchors, as a browser finds them."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = {
        path.resolve(): set(re.findall(r"""\sid=["']([^"']+)["']""", text))
        for path, text in texts.items()
    }
    lost = set()
    for path, text in texts.items():
        for aim in re.findall(r"""<a\b[^>]*\shref=["']([^"']+)["']""", text):
            file, _, anchor = html.unescape(aim).partition("#")
            if ":" in file:
                continue
            there = (path.parent / file).resolve() if file else path.resolve()
            if not there.exists() or (anchor and anchor not in anchors.get(there, {anchor})):
                lost.add((str(path.relative_to(site)), aim))
    assert lost == set()


def test_search_finds_words_of_the_language_and_names_of_python(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    names = index["docnames"]

    def pages(stem: str) -> set[str]:
        found = [index[kind].get(stem, []) for kind in ("terms", "titleterms")]
        numbers = [n for each in found for n in (each if isinstance(each, list) else [each])]
        return {names[number] for number in numbers}

    assert "reference/preempt" in pages("preempt")
    assert "errors/SQ301" in pages("sq301")
    assert "glossary" in pages("ttft")
    assert "reference/at-admission" in pages("admiss")
    assert "compile" in json.dumps(index["objects"])


def test_programs_are_coloured(site: Path) -> None:
    page = (site / "reference" / "hold.html").read_text(encoding="utf-8")
    (program,) = re.findall(r'<div class="highlight-serq.*?</pre>', page, re.S)
    assert '<span class="k">hold</span>' in program
    assert '<span class="kd">pool</span>' in program


def test_the_definition_shows_code(site: Path) -> None:
    page = (site / "definition.html").read_text(encoding="utf-8")
    assert page.count("highlight-python") > 40
    assert "settle_stages" in page


@pytest.mark.parametrize(
    ("page", "aim"),
    [
        ('<script src="https://a.org/x.js"></script>', "https://a.org/x.js"),
        ('<img alt="" src="//a.org/x.png">', "//a.org/x.png"),
        ('<link rel="stylesheet" href="https://a.org/x.css">', "https://a.org/x.css"),
        ("@import url('https://a.org/x.css')", "https://a.org/x.css"),
        ("src: url(https://a.org/x.woff2)", "https://a.org/x.woff2"),
    ],
)
def test_a_load_from_elsewhere_is_noticed(page: str, aim: str) -> None:
    assert [target for target in loaded(page) if ELSEWHERE.match(target)] == [aim]
    assert loaded('<a href="https://a.org">x</a><link rel="next" href="b.html">') == []
