"""The page of a code: what it means, why it matters, a bad program and a good one.

Pages are Markdown files in `pages/`, one a code. Depends on the catalogue.
"""

from __future__ import annotations

from serq.diagnostics.catalogue import CATALOGUE, Code
from serq.diagnostics.suggest import nearest


def find_code(asked: str) -> Code | None:
    """The code a reader means: `SQ301`, `sq301`, `301` or `read-at-wrong-moment`."""
    wanted = asked.strip().lower()
    for code in CATALOGUE.values():
        if wanted in (code.code.lower(), code.code[2:], code.name):
            return code
    return None


def suggest(asked: str) -> str | None:
    """The one code or name nearest to what was asked for, if there is one."""
    names = [word for code in CATALOGUE.values() for word in (code.code, code.name)]
    upper = asked.strip().upper()
    return nearest(upper if upper.startswith("SQ") else asked.strip().lower(), names)


def containing(asked: str) -> list[Code]:
    """The codes that begin with what was asked for, or whose names contain it."""
    wanted = asked.strip().lower()
    if not wanted:
        return []
    return [
        code
        for code in CATALOGUE.values()
        if code.code.lower().startswith(wanted) or wanted in code.name
    ]


def page(code: Code) -> str:
    """The Markdown page of a code."""
    from importlib.resources import files

    return files("serq.diagnostics").joinpath("pages", f"{code.code}.md").read_text("utf-8")


def listing() -> str:
    """All codes with their names, one a line."""
    return "".join(f"{code.code}  {code.name}\n" for code in CATALOGUE.values())
