"""Every path that a Markdown file names exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# The map of the repository: here every path counts, wherever it begins.
STRICT = {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
MADE_BY_A_BUILD = {"build", "dist"}

CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)\s#]+)(?:#[^)\s]*)?\)")
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*/?")


def named(text: str) -> Iterator[str]:
    """What looks like a path with a slash, in code and in blocks."""
    blocks = FENCE.findall(text)
    for piece in [*blocks, *CODE.findall(FENCE.sub("", text))]:
        for word in piece.split():
            token = word.strip("\"'(),;:")
            if "/" in token and PATH.fullmatch(token):
                yield token


def exists(root: Path, token: str) -> bool:
    return any(root.glob(token.rstrip("/"))) if "*" in token else (root / token).exists()


def missing(text: str, path: Path, root: Path) -> list[str]:
    """The names in the text of a file that lead nowhere."""
    known = {entry.name for entry in root.iterdir()} - MADE_BY_A_BUILD
    lost: list[str] = []
    for token in named(text):
        first = token.split("/", 1)[0]
        strict = str(path.relative_to(root)) in STRICT
        looks_like_ours = strict and re.search(r"/$|\.\w+$", token)
        counts = first in known or (looks_like_ours and first not in MADE_BY_A_BUILD)
        if counts and not exists(root, token):
            lost.append(token)
    for match in LINK.finditer(FENCE.sub("", text)):
        target = match["target"]
        if "://" not in target and not target.startswith("mailto:"):
            lost += [] if (path.parent / target).exists() else [target]
    return lost


def test_every_named_path_exists(source_files: list[Path], repository: Path) -> None:
    pages = [path for path in source_files if path.suffix == ".md"]
    assert {str(path.relative_to(repository)) for path in pages} >= STRICT
    lost = {
        str(path.relative_to(repository)): names
        for path in pages
        if (names := missing(path.read_text(encoding="utf-8"), path, repository))
    }
    assert lost == {}


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("see `src/serq/gone.py`", ["src/serq/gone.py"]),
        ("see `cpp/rng.*` and `src/serq`", []),
        ("```sh\nserq run src/gone.sq\n```", ["src/gone.sq"]),
        ("[the map](GONE.md#top)", ["GONE.md"]),
        ("`semantics/gone.py`", ["semantics/gone.py"]),
        ("`tokens/s`, `a / b`", []),
    ],
)
def test_a_lost_path_is_noticed(repository: Path, text: str, lost: list[str]) -> None:
    assert missing(text, repository / "ARCHITECTURE.md", repository) == lost
