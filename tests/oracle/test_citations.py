"""The table of `docs/vllm.md` cites lines: of the library, and of vLLM where one is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.oracle.recorded import FILES, scenarios

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "src" / "serq" / "lib" / "vllm.sq"
TEXT = (ROOT / "docs" / "vllm.md").read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    section = TEXT.split("## Rule by rule")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def word(cell: str) -> str:
    """The first text of a cell in backticks."""
    found = re.search("`([^`]+)`", cell)
    assert found is not None, cell
    return found[1]


def test_there_are_rules() -> None:
    assert len(rows()) > 20
    assert all(len(row) == 4 for row in rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: word(row[0]))
def test_the_library_says_it_on_the_line(row: list[str]) -> None:
    lines = LIBRARY.read_text(encoding="utf-8").splitlines()
    assert word(row[3]) in lines[int(row[3].split()[0]) - 1]


def cited() -> tuple[Path, int] | None:
    """The core of the installed vLLM, and the column of the table that cites its version."""
    spec = find_spec("vllm")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    version = re.search(r"\b\d+\.\d+\.\d+", (package / "_version.py").read_text(encoding="utf-8"))
    column = {"0.30.0": 1, "0.33.0": 2}.get(version[0] if version is not None else "")
    return None if column is None else (package / "v1" / "core", column)


@pytest.mark.skipif(cited() is None, reason="no vLLM of a cited version is installed")
@pytest.mark.parametrize("row", rows(), ids=lambda row: word(row[0]))
def test_vllm_says_it_on_the_line(row: list[str]) -> None:
    found = cited()
    assert found is not None
    core, column = found
    if ":" not in row[column]:
        return  # the version has no such rule
    name, line = row[column].split(":")
    assert word(row[0]) in (core / name).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def test_the_count_of_recorded_requests_is_told() -> None:
    recorded = [each for name in FILES for each in scenarios(name)]
    requests = sum(len(each.expected) for each in recorded)
    assert f"| {len(recorded)} | {requests:,} | the version each names | 0 |" in TEXT
