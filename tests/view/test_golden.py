"""Figures as they were last looked at, those of the pages among them.

`SERQ_BLESS=1` draws them anew; then look at them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import serq
from serq.ir.nodes import Program
from serq.view.deployment import deployment
from serq.view.figure import Figure
from serq.view.session import session
from serq.view.svg import svg
from tests.view.programs import HARD, ROOT, ir

GOLDEN = ROOT / "tests" / "view" / "golden"
PAGES = ROOT / "docs" / "figures"


def example(name: str) -> Program:
    return serq.compile(ROOT / "examples" / name).ir


FIGURES: dict[str, tuple[Callable[[Program], Figure], Program]] = {
    "conversations": (deployment, example("multi-turn/engine.sq")),
    "conversation-session": (session, example("multi-turn/engine.sq")),
    "tiers": (deployment, ir(HARD["tiers of tiers"])),
    "rows": (deployment, ir(HARD["many stations"])),
    "families": (deployment, ir(HARD["a family of two hundred"])),
}


ON_PAGES: dict[str, tuple[Callable[[Program], Figure], Program]] = {
    "first": (deployment, example("first.sq")),
    "first-session": (session, example("first.sq")),
    "disaggregated": (deployment, example("pd-disaggregation/llmd_nixl_pull.sq")),
}


@pytest.mark.parametrize("folder", [GOLDEN, PAGES], ids=["golden", "pages"])
def test_figures_are_as_they_were(folder: Path) -> None:
    figures = FIGURES if folder == GOLDEN else ON_PAGES
    if folder == GOLDEN:
        assert {path.stem for path in folder.iterdir()} <= set(figures), "a figure of nothing"
    for name, (draw, program) in figures.items():
        kept = folder / f"{name}.svg"
        drawn = svg(draw(program))
        if os.environ.get("SERQ_BLESS"):
            kept.write_text(drawn, encoding="utf-8", newline="\n")
        assert drawn == kept.read_text(encoding="utf-8"), f"{name} is another figure now"
