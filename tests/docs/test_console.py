"""What a page says a command prints is what it prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.console import FIRST, commands, matches, output, prepare
from tests.docs.pages import Page, pages, read

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("path", pages(ROOT), ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(path: Path, tmp_path: Path) -> None:
    page = read(path)
    blocks = [block for block in page.blocks("console") if block.text.startswith(FIRST)]
    if not blocks:
        return
    folder = tmp_path / "folder"
    environment = prepare(folder, page, ROOT)
    text = page.text
    for block in blocks:
        lines: list[str] = []
        for command in commands(block.text):
            printed = output(command.line, folder, environment)
            kept = command.shown if matches(command.shown, printed) else printed
            lines += [f"$ {command.line}", *kept]
        now = "".join(f"{line}\n" for line in lines)
        if os.environ.get("SERQ_BLESS"):
            text = text.replace(block.text, now)
        else:
            assert now == block.text, f"{path.name}:{block.line}"
    if text != page.text:
        path.write_text(text, encoding="utf-8")


def test_a_page_may_leave_lines_out() -> None:
    assert matches(("a", "…", "d"), ("a", "b", "c", "d"))
    assert matches(("…",), ())
    assert not matches(("a", "…", "d"), ("a", "b", "c"))
    assert not matches((), ("a",))


def test_a_block_is_taken_apart() -> None:
    first, second = commands("$ serq check a.sq\nOK\n$ serq run a.sq\n")
    assert (first.line, first.shown) == ("serq check a.sq", ("OK",))
    assert (second.line, second.shown) == ("serq run a.sq", ())


def test_a_failing_command_shows_its_errors(tmp_path: Path) -> None:
    page = Page(Path("page.md"), "```serq file=a.sq\nstage s : fif;\n```\n")
    folder = tmp_path / "folder"
    environment = prepare(folder, page, ROOT)
    printed = output("serq check a.sq", folder, environment)
    assert printed[0].startswith("error[SQ111]")
