"""The side bar: an index page lists pages, in rows and list items, and so they stand in the bar.

`docs/README.md` is the front page. A page belongs to the first index that lists it; a page that no
index lists is an error, so none is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from tools.site.links import listed, relative, resolved
from tools.site.places import target

FRONT = PurePosixPath("index.md")


class LostPageError(ValueError):
    """A page that no index lists."""


Labels = dict[PurePosixPath, str]
"""Pages with the names an index gives them; empty for a page's own title."""


def toctree(page: PurePosixPath, pages: Labels, caption: str = "") -> str:
    """The directive that puts pages under a page."""
    lines = ["```{toctree}", ":hidden:", ":titlesonly:"]
    lines += [f":caption: {caption}"] if caption else []
    entries = []
    for each, label in pages.items():
        name = str(PurePosixPath(relative(page, each)).with_suffix(""))
        entries.append(f"{label.replace('`', '')} <{name}>" if label else name)
    return "\n".join([*lines, "", *entries, "```", ""])


def children(text: str, source: str, page: PurePosixPath) -> dict[str, Labels]:
    """The pages an index lists in or below its own folder, by heading."""
    found: dict[str, Labels] = {}
    for heading, label, link in listed(text):
        there = resolved(link, source)
        aim = None if there is None else target(there)
        if aim is None or aim.copied or aim.path == page:
            continue
        if page == FRONT or aim.path.is_relative_to(page.parent):
            found.setdefault(heading, {}).setdefault(aim.path, label)
    return found


def place(
    indexes: Mapping[PurePosixPath, dict[str, Labels]], pages: Iterable[PurePosixPath]
) -> dict[PurePosixPath, str]:
    """The toctrees of every index; raises LostPageError for a page in none."""
    placed = {FRONT}
    found: dict[PurePosixPath, str] = {}
    order = [FRONT]
    for index in order:
        directives = []
        for heading, listed_pages in indexes.get(index, {}).items():
            fresh = {each: name for each, name in listed_pages.items() if each not in placed}
            placed.update(fresh)
            order += fresh
            if fresh:
                directives.append(toctree(index, fresh, heading if index == FRONT else ""))
        if directives:
            found[index] = "\n" + "\n".join(directives)
    lost = sorted(str(page) for page in set(pages) - placed)
    if lost:
        lost = [page for page in lost if page.endswith("index.md")] or lost
        raise LostPageError(f"no index lists {', '.join(lost)}; docs/README.md is the first index")
    return found
