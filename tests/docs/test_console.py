"""What a page says a command prints is what it prints, and the figures it shows are those drawn."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from serq import native
from tests.docs.console import FIRST, NATIVE, commands, matches, output, prepare
from tests.docs.figures import figures, same
from tests.docs.pages import Page, pages, read

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("path", pages(ROOT), ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(path: Path, tmp_path: Path) -> None:
    page = read(path)
    blocks = [block for block in page.blocks("console") if block.text.startswith(FIRST)]
    if not blocks:
        return
    if not native.AVAILABLE and any(NATIVE in block.words for block in blocks):
        pytest.skip("the definition takes too long for these commands")
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
    check_figures(page, folder)


def check_figures(page: Page, folder: Path) -> None:
    """The figures beside the page are those its commands drew in the folder."""
    for name in figures(page):
        drawn, shown = folder / name, page.path.parent / name
        if drawn.exists():
            if os.environ.get("SERQ_BLESS"):
                shutil.copyfile(drawn, shown)
            assert same(drawn, shown), f"{shown.name} is not what the command draws"


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


def test_a_figure_that_changed_is_noticed(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M {x} 2 L 3 4"/><text>{t}</text></svg>'
    drawn = tmp_path / "a.svg"
    drawn.write_text(svg.format(x=1, t="rate"))
    for changed, equal in (
        ({"x": 1, "t": "rate"}, True),
        ({"x": 1.5, "t": "rate"}, True),
        ({"x": 9, "t": "rate"}, False),
        ({"x": 1, "t": "load"}, False),
    ):
        shown = tmp_path / "b.svg"
        shown.write_text(svg.format(**changed))
        assert same(drawn, shown) is equal
    page = Page(tmp_path / "page.md", "![the rate](a.svg)\n\n```text\n![no](c.svg)\n```\n")
    assert figures(page) == ["a.svg"]
