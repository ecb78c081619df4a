"""Copy the pages into one tree that Sphinx can read, with links that fit it.

Files that did not change are not touched, so that Sphinx renders only what did.
"""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

from tools.site import generated, navigation
from tools.site.commands import folded
from tools.site.links import cited, rewrite, shown_code
from tools.site.places import ROOT, Target, page, programs, sources

BELOW = {
    PurePosixPath("cli.md"): (PurePosixPath("cli-help.md"), generated.commands),
    PurePosixPath("ir.md"): (PurePosixPath("ir-schema.md"), generated.schema),
}
"""Generated pages that stand below a written one, and what makes them."""
LISTED_BELOW = {
    "examples": PurePosixPath("examples/index.md"),
    "library": PurePosixPath("vllm.md"),
}
"""Folders all of whose pages stand below one, whether it lists them or not."""

Indexes = dict[PurePosixPath, dict[str, navigation.Labels]]


def stage(tree: Path) -> list[PurePosixPath]:
    """Write the tree; returns its pages. Raises ValueError for a link or a page that is lost."""
    texts, indexes, offered = _written(tree)
    _generate(texts, indexes)
    for place, directives in navigation.place(indexes, texts).items():
        texts[place] += directives
    kept = {tree / place for place in texts} | {tree / aim.path for aim in offered.values()}
    for place, text in texts.items():
        _write(tree / place, text)
    for source, aim in offered.items():
        if (ROOT / source).is_dir():
            _write(tree / aim.path, generated.shown_folder(source))
        else:
            _copy(ROOT / source, tree / aim.path)
    for path in [path for path in tree.rglob("*") if path.is_file() and path not in kept]:
        path.unlink()
    return sorted(texts)


def _written(tree: Path) -> tuple[dict[PurePosixPath, str], Indexes, dict[str, Target]]:
    """The pages that are written by hand, what indexes list, and the files that pages offer."""
    texts: dict[PurePosixPath, str] = {}
    indexes: Indexes = {}
    offered: dict[str, Target] = {}
    for source in sources():
        place = page(source)
        assert place is not None
        written = (ROOT / source).read_text(encoding="utf-8")
        shown = shown_code(written, source, tree / place)
        texts[place], files = rewrite(folded(shown), source, place)
        offered |= files
        if source.startswith("conformance/"):
            texts[place] = cited(texts[place], place)
        if place.name == "index.md":
            indexes[place] = navigation.children(written, source, place)
    return texts, indexes, offered


def _generate(texts: dict[PurePosixPath, str], indexes: Indexes) -> None:
    """Add the pages that are made, below the indexes they belong to."""
    catalogue = generated.errors()
    texts.update(catalogue)
    index, *ranges = catalogue
    indexes[index] = {"": dict.fromkeys(ranges, "")}
    for each in ranges:
        indexes[each] = {"": dict.fromkeys(generated.codes_of(each), "")}
    for source in programs():
        place = page(source)
        assert place is not None
        texts[place] = generated.program(source)
    for top, index in LISTED_BELOW.items():
        below = sorted(place for place in texts if place.is_relative_to(top) and place != index)
        indexes.setdefault(index, {}).setdefault("", {}).update(dict.fromkeys(below, ""))
    for parent, (child, make) in BELOW.items():
        texts[child] = make()
        label = generated.title(texts[child])
        texts[parent] += f"\nOn a page of its own: [{label}]({child.name}).\n"
        indexes.setdefault(parent, {}).setdefault("", {})[child] = label
    for folder in sorted({place.parent for place in texts if place.match("conformance/*/*.md")}):
        index = folder / "index.md"
        inside = {place: text for place, text in texts.items() if place.parent == folder}
        texts[index] = generated.folder(folder.name.replace("_", " ").capitalize(), inside)
        indexes[index] = {"": dict.fromkeys(sorted(inside), "")}
    _list_folders(PurePosixPath("conformance/index.md"), texts, indexes)


def _list_folders(index: PurePosixPath, texts: dict[PurePosixPath, str], indexes: Indexes) -> None:
    """An index lists the indexes of the folders beside it, for its readers and the side bar."""
    below = sorted(place for place in texts if place.match(f"{index.parent}/*/index.md"))
    lines = ["", "## The pages", ""]
    for place in below:
        pages = [each.relative_to(index.parent) for each in indexes[place][""]]
        links = [f"[{generated.title(texts[index.parent / each])}]({each})" for each in pages]
        lines.append(f"- {generated.title(texts[place])}: {', '.join(links)}")
    texts[index] += "\n".join([*lines, ""])
    indexes.setdefault(index, {}).setdefault("", {}).update(dict.fromkeys(below, ""))


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _copy(source: Path, path: Path) -> None:
    if not path.exists() or path.read_bytes() != source.read_bytes():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
