"""The chapter that shows the definition: the code it names is there, and no module is left out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.docs.pages import read

SHOWN = re.compile(r"^\[`(?P<name>[\w.]+)`\]\(\.\./(?P<file>src/serq/semantics/\S+\.py)\)$", re.M)

NO_RULE = {
    "__init__", "errors", "functions", "measure", "scope", "watch",
    "stages/__init__", "stages/composition", "stages/stage",
}  # fmt: skip
"""Modules that carry data or sentences and have no rule of their own."""


def names(path: Path) -> set[str]:
    """Functions, classes and methods of a module."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{m.name}" for m in node.body if isinstance(m, ast.FunctionDef)}
    return found


def test_the_code_it_shows_is_there(repository: Path) -> None:
    shown = SHOWN.findall(read(repository / "docs" / "definition.md").text)
    assert len(shown) > 40
    assert len(set(shown)) == len(shown)
    for name, file in shown:
        assert name in names(repository / file), f"{file} has no {name}"


def test_every_module_with_a_rule_is_shown(repository: Path) -> None:
    folder = repository / "src" / "serq" / "semantics"
    modules = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.py")}
    text = read(repository / "docs" / "definition.md").text
    shown = {file for _, file in SHOWN.findall(text)}
    left_out = {m for m in modules if f"src/serq/semantics/{m}.py" not in shown}
    assert left_out == NO_RULE


def test_every_link_to_the_code_stands_alone(repository: Path) -> None:
    """A name within a sentence would not be shown."""
    text = read(repository / "docs" / "definition.md").text
    assert len(re.findall(r"\]\(\.\./src/", text)) == len(SHOWN.findall(text))
