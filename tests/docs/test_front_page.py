"""The front page: its numbers are those its commands print."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import read


def test_numbers_that_are_quoted_are_printed(repository: Path) -> None:
    page = read(repository / "docs" / "README.md")
    printed = "".join(block.text for block in page.blocks("console"))
    quoted = re.findall(r"`(\d[\d.]*)`", page.prose())
    assert len(quoted) >= 3
    lost = [n for n in quoted if not re.search(rf"(?<![\d.]){re.escape(n)}(?![\d.])", printed)]
    assert lost == []


def test_it_has_a_program_its_figure_and_four_doors(repository: Path) -> None:
    page = read(repository / "docs" / "README.md")
    assert page.files()
    assert "](small.svg)" in page.text
    assert page.headings()[1:5] == ["Learn", "Do", "Look up", "Understand"]
