"""The page about Python documents every public name, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import serq
from tests.docs.pages import read

CONSTANTS = {"__version__", "IR_VERSION", "REPORT_VERSION"}


def test_every_public_name_is_documented(repository: Path) -> None:
    page = read(repository / "docs" / "python.md")
    directives = [block.text for block in page.blocks("{eval-rst}")]
    documented = re.findall(r"^\.\. auto\w+:: serq\.(\w+)$", "".join(directives), re.M)
    assert len(set(documented)) == len(documented)
    assert set(documented) == set(serq.__all__) - CONSTANTS
    assert {name for name in CONSTANTS if f"`serq.{name}`" not in page.text} == set()
