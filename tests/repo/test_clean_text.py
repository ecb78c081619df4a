"""The text of the repository speaks of the project alone, in characters one can see."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

READ = {".py", ".pyi", ".cpp", ".hpp", ".md", ".toml", ".sq", ".txt", ".yaml", ".yml", ".json", ""}

# An absolute path holds on one machine only, and an address of a package registry is for the
# client's settings.
MACHINE_PATH = re.compile(r"(?<![\w.:/~$}*)])/(?:work|tmp|root|home|Users|mnt|opt|srv)/\w+")
REGISTRY = re.compile(r"\b(?:pypi|pythonhosted|npmjs|crates|debian|anaconda)\.(?:org|io|com)\b")


def unseen(text: str) -> list[str]:
    """Control, formatting and unassigned characters, odd blanks and lost ones, by code point."""
    return [
        f"U+{ord(char):04X}"
        for char in text
        if char not in "\n\t "
        and (
            unicodedata.category(char) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}
            or char == "\ufffd"
        )
    ]


def faults(text: str) -> list[str]:
    return MACHINE_PATH.findall(text) + REGISTRY.findall(text) + unseen(text)


def test_the_text_is_clean(source_files: list[Path], repository: Path) -> None:
    found = {
        str(path.relative_to(repository)): kinds
        for path in source_files
        if path.suffix in READ and (kinds := faults(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text", ["see /" + "home/me", "a\u200bb", "\ufeffa", "a\u00a0b", "https://" + "pypi" + ".org"]
)
def test_a_fault_is_noticed(text: str) -> None:
    assert faults(text)
