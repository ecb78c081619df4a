"""Shrinking: the smallest program that still shows a disagreement.

Works on the text alone, as a tree of tokens in their brackets, so any program can be shrunk.
Whole statements go first, then what is around them, then clauses and operands, then numbers.
Whatever no longer compiles, or no longer disagrees in the same way, is put back.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

TOKEN = re.compile(
    r'"[^"]*"|//[^\n]*|[0-9.][0-9._]*(?:[eE][+-]?[0-9]+)?|[^\W\d]\w*|==|!=|<=|>=|&&|\|\||\S'
)
OPEN = {"(": ")", "{": "}", "[": "]"}
MOST_TOGETHER = 5
"""So many neighbours are taken away at once."""


@dataclass
class Group:
    """What stands in a pair of brackets; the whole program is one without brackets."""

    bracket: str
    items: list[Item] = field(default_factory=list)


Item = str | Group
Disagrees = Callable[[str], bool]


def parse(source: str) -> Group:
    """The tree of a program. Comments are dropped."""
    stack = [Group("")]
    for token in TOKEN.findall(source):
        if token.startswith("//"):
            continue
        if token in OPEN:
            stack.append(Group(token))
            stack[-2].items.append(stack[-1])
        elif token in OPEN.values():
            stack.pop()
        else:
            stack[-1].items.append(token)
    return stack[0]


def write(group: Group) -> str:
    """The text of a tree, a statement a line."""
    lines = [line.strip() for line in _write(group).split("\n")]
    return "\n".join(line for line in lines if line) + "\n"


def _write(group: Group) -> str:
    """The content of a group."""
    pieces: list[str] = []
    for item in group.items:
        if isinstance(item, str):
            pieces.append(item + ("\n" if item == ";" and group.bracket in {"", "{"} else " "))
            continue
        inside = _write(item)
        if item.bracket == "{":
            plain = " ".join(inside.split())
            short = len(plain) < 70 and not any(isinstance(each, Group) and each.bracket == "{"
                                                for each in item.items)  # fmt: skip
            pieces.append(f"{{ {plain} }}\n" if short else f"{{\n{inside}\n}}\n")
        else:
            pieces.append(f"{item.bracket}{inside.strip()}{OPEN[item.bracket]} ")
    return "".join(pieces)


def pretty(source: str) -> str:
    """The program as `serq fmt` writes it."""
    from serq.diagnostics import Source
    from serq.syntax.format import format_source

    text = re.sub(r"\n+(?=(else|cache|lease)\b)", " ", source)
    text = re.sub(r"\s+(?=[;,)\]])", "", text)
    text = re.sub(r"(?<=[(\[~.])\s+", "", text)
    text = re.sub(r"(?<=\w) (?=[\[(.])", _keep_blank, text)
    return format_source(Source("<shrunk>", text)).text or text


def _keep_blank(found: re.Match[str]) -> str:
    return "" if found.string[found.end()] == "[" else " "


class Shrinker:
    """Makes a program smaller while it still disagrees."""

    def __init__(
        self, source: str, disagrees: Disagrees, *, seconds: float = 120.0, most: int = 10**6
    ) -> None:
        self.tree = parse(source)
        self.disagrees = disagrees
        self.until = time.monotonic() + seconds
        self.most = most
        self.tried: set[str] = set()

    def run(self) -> str:
        """The smallest program found in the time, and the number of tries, there are."""
        self.shorten()
        self.statements()
        before = ""
        while before != (now := write(self.tree)):
            before = now
            for work in (self.unwrap, self.statements, self.pieces, self.simpler):
                work()
        return now

    def shorten(self) -> None:
        """End the run as early as can be, so that every further try takes less time."""
        for group in groups(self.tree):
            if "horizon" in group.items:
                at = group.items.index("horizon") + 1
                any(self.replace(group, at, at + 1, [h]) for h in ("1", "2", "3", "5", "8", "15"))

    # Steps. Each changes the tree in place, and back when the disagreement is gone.

    def statements(self) -> None:
        """Take whole statements away, many at once first."""
        for group in groups(self.tree):
            if group.bracket not in {"", "{"}:
                continue
            size = len(spans(group)) // 2 or 1
            while size:
                at = 0
                while at < len(there := spans(group)):
                    start, end = there[at][0], there[min(at + size, len(there)) - 1][1]
                    if not self.replace(group, start, end, []):
                        at += size
                size //= 2

    def unwrap(self) -> None:
        """Put the content of a block in the place of the statement around it."""
        for group in groups(self.tree):
            at = 0
            while group.bracket in {"", "{"} and at < len(there := spans(group)):
                start, end = there[at]
                blocks = [item for item in group.items[start:end] if isinstance(item, Group)
                          and item.bracket == "{"]  # fmt: skip
                if not any(self.replace(group, start, end, block.items) for block in blocks):
                    at += 1

    def pieces(self) -> None:
        """Take neighbouring tokens away: clauses, operands, members of lists."""
        for group in groups(self.tree):
            for size in range(MOST_TOGETHER, 0, -1):
                at = 0
                while at + size <= len(group.items):
                    if not self.replace(group, at, at + size, []):
                        at += 1

    def simpler(self) -> None:
        """Numbers for expressions, operands for calls, and simpler numbers for numbers."""
        for group in groups(self.tree):
            at = 0
            while at < len(group.items):
                item = group.items[at]
                for other in replacements(item):
                    if self.replace(group, at, at + 1, other):
                        break
                    is_call = isinstance(item, Group) and item.bracket == "(" and at
                    if is_call and self.replace(group, at - 1, at + 1, other):
                        at -= 1
                        break
                at += 1

    def replace(self, group: Group, start: int, end: int, items: Sequence[Item]) -> bool:
        """Whether the program still disagrees with these items in place of others."""
        old = group.items[start:end]
        if old == [*items]:
            return False
        group.items[start:end] = items
        text = write(self.tree)
        more = len(self.tried) < self.most and time.monotonic() < self.until
        if more and text not in self.tried:
            self.tried.add(text)
            if self.disagrees(text):
                return True
        group.items[start : start + len(items)] = old
        return False


def groups(group: Group) -> Iterator[Group]:
    """This group and all that are left below it, the outer ones first."""
    level = [group]
    while level:
        yield from level
        level = [item for outer in level for item in outer.items if isinstance(item, Group)]


def spans(group: Group) -> list[tuple[int, int]]:
    """Where the statements of a block begin and end."""
    found, start = [], 0
    for at, item in enumerate(group.items):
        following = group.items[at + 1] if at + 1 < len(group.items) else ""
        ends = item == ";" or (
            isinstance(item, Group)
            and item.bracket == "{"
            and following not in {"else", "cache", "lease", ";"}
        )
        if ends:
            found.append((start, at + 1))
            start = at + 1
    if start < len(group.items):
        found.append((start, len(group.items)))
    return found


def replacements(item: Item) -> Iterator[Sequence[Item]]:
    """Simpler things to put in the place of one, the simplest first."""
    if isinstance(item, Group):
        if item.bracket == "(":
            yield from ([number] for number in ("0", "1", "2"))
            yield item.items
            yield from ([part] for part in item.items if isinstance(part, Group))
            yield from ([Group("(", [number])] for number in ("0", "1", "2", "4"))
        elif item.bracket == "[":
            yield []
            yield from ([Group("[", [number])] for number in ("0", "1"))
    elif re.match(r"[0-9.]", item):
        value = float(item.replace("_", ""))
        smaller = {0.0, 1.0, 2.0, float(int(value / 2)), float(int(value)), value - 1}
        for number in sorted(n for n in smaller if 0 <= n < value):
            yield [f"{number:g}"]
