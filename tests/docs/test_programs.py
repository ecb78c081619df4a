"""Every program of a page compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

import serq
from serq.diagnostics import Diagnostic, Source
from serq.syntax.lexer import scan
from tests.docs.pages import Block, pages, read

ROOT = Path(__file__).parents[2]
PROGRAMS = [(path, block) for path in pages(ROOT) for block in read(path).blocks("serq")]


def name(value: object) -> str:
    return f"{value.line}" if isinstance(value, Block) else Path(str(value)).name


def test_pages_have_programs() -> None:
    assert len(PROGRAMS) >= 7


@pytest.mark.parametrize(("path", "block"), PROGRAMS, ids=name)
def test_a_program_compiles(path: Path, block: Block, tmp_path: Path) -> None:
    if "fragment" in block.words:
        found: list[Diagnostic] = []
        tokens = list(scan(Source("fragment", block.text), found.append))
        assert found == []
        assert len(tokens) > 1
        return
    for file, text in read(path).files().items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    program = tmp_path / "program_of_the_page.sq"
    program.write_text(block.text, encoding="utf-8")
    compiled = serq.compile(program)
    assert compiled.warnings == ()
    assert compiled.ir.blocks[compiled.ir.session]
