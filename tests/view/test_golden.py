"""Six figures as they were last looked at. `SERQ_BLESS=1` draws them anew; then look at them."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

import serq
from serq.ir.nodes import Program
from serq.view.deployment import deployment
from serq.view.figure import Figure
from serq.view.session import session
from serq.view.svg import svg
from tests.view.programs import HARD, ROOT, ir

GOLDEN = ROOT / "tests" / "view" / "golden"
README = ROOT / "docs" / "figures" / "first.svg"


def example(name: str) -> Program:
    return serq.compile(ROOT / "examples" / name).ir


FIGURES: dict[str, tuple[Callable[[Program], Figure], Program]] = {
    "conversations": (deployment, example("multi-turn/engine.sq")),
    "disaggregated": (deployment, example("pd-disaggregation/llmd_nixl_pull.sq")),
    "conversation-session": (session, example("multi-turn/engine.sq")),
    "tiers": (deployment, ir(HARD["tiers of tiers"])),
    "rows": (deployment, ir(HARD["many stations"])),
    "families": (deployment, ir(HARD["a family of two hundred"])),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_as_it_was(name: str) -> None:
    draw, program = FIGURES[name]
    kept = GOLDEN / f"{name}.svg"
    drawn = svg(draw(program))
    if os.environ.get("SERQ_BLESS"):
        kept.write_text(drawn, encoding="utf-8", newline="\n")
    assert drawn == kept.read_text(encoding="utf-8")


def test_the_figure_of_the_first_program_is_current() -> None:
    drawn = svg(deployment(example("first.sq")))
    if os.environ.get("SERQ_BLESS"):
        README.write_text(drawn, encoding="utf-8", newline="\n")
    assert drawn == README.read_text(encoding="utf-8")


def test_there_are_no_others() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(FIGURES)
