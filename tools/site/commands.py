"""Commands on a page: one that is longer than the page is wide goes on in the next line."""

from __future__ import annotations

import re

WIDTH = 100
"""Characters of a line of code that the site shows without scrolling."""

_CONSOLE = re.compile(r"^```console[^\n]*\n.*?^```$", re.M | re.S)
_COMMAND = re.compile(r"^\$ .*$", re.M)


def folded(text: str) -> str:
    r"""A page whose long commands are broken before options, with a `\`, as a shell reads them."""
    return _CONSOLE.sub(
        lambda block: _COMMAND.sub(lambda line: _fold(line.group()), block.group()), text
    )


def _fold(command: str) -> str:
    lines = [""]
    for part in re.split(r"(?= --)", command):
        if lines[-1] and len(lines[-1]) + len(part) > WIDTH - 2:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += part
    return "\n".join(lines)
