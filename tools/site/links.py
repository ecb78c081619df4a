"""Links of a page, outside its blocks and its code, and what becomes of them on the site."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from tools.site.places import ROOT, Target, target

_FENCE = re.compile(r"^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$", re.M | re.S)
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_INLINE = re.compile(r"(?P<before>\]\()(?P<target>[^)\s]+)(?=[)\s])")
_DEFINED = re.compile(r"^(?P<before>\[[^\]]+\]:\s+)(?P<target>\S+)$", re.M)
_LABELLED = re.compile(r"\[(?P<label>[^\]\n]+)\]\((?P<target>[^)\s]+)\)")
_SHOWN = re.compile(r"^\[`(?P<name>[\w.]+)`\]\((?P<target>\S+\.py)\)$", re.M)
_CONTRACT = {"2": "language.md", "3": "semantics.md", "7": "vllm.md"}
"""The pages that are the sections of the contract."""
_ELSEWHERE = re.compile(r"^[a-z]+:|^#")


class LostLinkError(ValueError):
    """A link of a page leads to nothing that the site has."""


def outside_blocks(text: str, change: Callable[[str], str]) -> str:
    """A text with what stands outside its blocks changed; blocks stay as they are."""
    parts: list[str] = []
    at = 0
    for block in _FENCE.finditer(text):
        parts += [change(text[at : block.start()]), block.group()]
        at = block.end()
    return "".join([*parts, change(text[at:])])


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Code in a link's label must not hide the link: code is put aside, and back."""
    pieces: list[str] = []

    def aside(found: re.Match[str]) -> str:
        pieces.append(found.group())
        return f"\x00{len(pieces) - 1}\x00"

    hidden = change(_CODE.sub(aside, text))
    return re.sub("\x00(\\d+)\x00", lambda found: pieces[int(found[1])], hidden)


def rewrite(text: str, source: str, page: PurePosixPath) -> tuple[str, dict[str, Target]]:
    """The text of the file `source` as it stands on `page`, and the files it offers, by source."""
    offered: dict[str, Target] = {}

    def change(found: re.Match[str]) -> str:
        there, anchor = _resolve(found["target"], source)
        if there is None:
            return found.group()
        aim = target(there)
        if aim is None:
            raise LostLinkError(f"{source}: the site has nothing for {found['target']}")
        if aim.copied:
            offered[there] = aim
        return f"{found['before']}{relative(page, aim.path)}{anchor}"

    def prose(piece: str) -> str:
        return _outside_code(piece, lambda part: _DEFINED.sub(change, _INLINE.sub(change, part)))

    return outside_blocks(text, prose), offered


def shown_code(text: str, source: str, staged: Path) -> str:
    """Where a line is but the name of some code and a link to its file, the code is shown."""

    def change(found: re.Match[str]) -> str:
        there = resolved(found["target"], source)
        assert there is not None, found.group()
        path = os.path.relpath(ROOT / there, staged.parent)
        module = there.removeprefix("src/").removesuffix(".py").replace("/", ".")
        options = {"language": "python", "pyobject": found["name"], "caption": module}
        lines = [f":{name}: {value}" for name, value in options.items()]
        return "\n".join([f"```{{literalinclude}} {path}", *lines, "```", ""])

    return _SHOWN.sub(change, text)


def cited(text: str, page: PurePosixPath) -> str:
    """Where a case cites the contract, it leads to the page that is that part of it."""

    def change(found: re.Match[str]) -> str:
        aim = PurePosixPath(_CONTRACT[found["number"]])
        return f"[{found.group()}]({relative(page, aim)})"

    pattern = re.compile(rf"[Cc]ontract §(?P<number>[{''.join(_CONTRACT)}])")
    return outside_blocks(text, lambda part: pattern.sub(change, part))


def listed(text: str) -> Iterator[tuple[str, str, str]]:
    """The heading above, label and target of each link in a table's row or a list's item."""
    heading = ""
    for line in _FENCE.sub("", text).splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ").strip()
        if line.startswith(("|", "- ", "* ")) or re.match(r"\d+\. ", line):
            for found in _LABELLED.finditer(line):
                yield heading, found["label"], found["target"]


def resolved(link: str, source: str) -> str | None:
    """The repository path of a link in the file `source`, without its anchor."""
    return _resolve(link, source)[0]


def _resolve(link: str, source: str) -> tuple[str | None, str]:
    if _ELSEWHERE.match(link):
        return None, ""
    file, mark, anchor = link.partition("#")
    there = os.path.normpath((ROOT / source).parent / file)
    if not there.startswith(str(ROOT)):
        return None, ""
    return os.path.relpath(there, ROOT), f"{mark}{anchor}"


def relative(page: PurePosixPath, aim: PurePosixPath) -> str:
    """The link from one page of a tree to another."""
    return os.path.relpath(aim, page.parent)
