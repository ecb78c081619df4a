"""What an editor makes of a text: a small reader of TextMate grammars.

It knows the parts of the format that ours uses: patterns tried in order at every place of a line,
the earliest match winning, and `begin`/`end` patterns that go over lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Piece = tuple[str, str]
"""A scope, empty where there is none, and the text that has it."""


def pieces(grammar: dict[str, Any], text: str) -> Iterator[Piece]:
    """The text in pieces."""
    rules = [(re.compile(rule.get("match") or rule["begin"]), rule) for rule in grammar["patterns"]]
    inside: dict[str, Any] | None = None
    for line in text.splitlines(keepends=True):
        at = 0
        matches = [pattern.search(line) for pattern, _ in rules]
        while at < len(line):
            if inside is not None:
                end = re.compile(inside["end"]).search(line, at)
                stop = len(line) if end is None else end.end()
                yield inside["name"], line[at:stop]
                inside = inside if end is None else None
                at = stop
                continue
            for number, (pattern, _) in enumerate(rules):
                known = matches[number]
                if known is not None and known.start() < at:
                    matches[number] = pattern.search(line, at)
            starts = [len(line) if match is None else match.start() for match in matches]
            number = starts.index(min(starts))
            found, rule = matches[number], rules[number][1]
            if found is None:
                yield "", line[at:]
                break
            if found.start() > at:
                yield "", line[at : found.start()]
            at = found.end()
            if "begin" in rule:
                inside = rule
                yield rule["name"], found.group()
            else:
                yield from _captured(found, rule)


def _captured(found: re.Match[str], rule: dict[str, Any]) -> Iterator[Piece]:
    if "name" in rule:
        yield rule["name"], found.group()
        return
    for number, text in enumerate(found.groups(), start=1):
        yield rule["captures"].get(str(number), {"name": ""})["name"], text
