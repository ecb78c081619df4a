"""A file has one concept: 400 lines are much, 500 are a wall."""

from __future__ import annotations

from pathlib import Path

MUCH = 400
WALL = 500
COUNTED = {".py", ".cpp", ".hpp", ".md"}

# Files above 400 lines that nobody has divided yet. A file that shrinks leaves the list.
ABOVE_MUCH = {"src/serq/ir/nodes.py"}


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_passes_the_wall(source_files: list[Path], repository: Path) -> None:
    counted = [path for path in source_files if path.suffix in COUNTED]
    assert len(counted) > 20, "the walk found hardly any file"
    sizes = {str(path.relative_to(repository)): lines(path) for path in counted}
    assert {name: size for name, size in sizes.items() if size > WALL} == {}
    assert {name for name, size in sizes.items() if size > MUCH} == ABOVE_MUCH
