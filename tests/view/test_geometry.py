"""Every program of the repository draws in both views, and nothing in a figure is in the way of
anything else.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import serq
from serq.ir.nodes import Program
from serq.view.deployment import deployment
from serq.view.figure import Figure
from serq.view.session import session
from serq.view.svg import svg
from serq.view.tikz import tikz
from tests.view.geometry import faults
from tests.view.programs import EXAMPLES, HARD, PAGES, cases, ir

DRAWN = [page for page in PAGES if page.parent.name != "errors"]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def both(program: Program) -> list[Figure]:
    return [deployment(program), session(program)]


@pytest.mark.parametrize("page", DRAWN, ids=name)
def test_the_programs_of_the_conformance_suite_draw(page: Path) -> None:
    found = {
        (title, figure.title): wrong
        for title, program in cases(page)
        for figure in both(program)
        if (wrong := faults(figure)) or not svg(figure) or not tikz(figure)
    }
    assert found == {}


def test_there_are_programs_to_draw() -> None:
    assert len(DRAWN) > 80
    assert len(EXAMPLES) > 4


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
def test_the_examples_draw(path: Path) -> None:
    for figure in both(serq.compile(path).ir):
        assert faults(figure) == []
        assert svg(figure).startswith("<svg ")
        assert tikz(figure).endswith("\\end{tikzpicture}\n")


@pytest.mark.parametrize("source", HARD.values(), ids=HARD.keys())
def test_what_is_hard_to_place_is_placed(source: str) -> None:
    for figure in both(ir(source)):
        assert faults(figure) == []


def test_a_figure_is_no_wider_than_a_page() -> None:
    figure = deployment(ir(HARD["many stations"]))
    assert figure.width < 1150
    levels = {node.rect.bottom for node in figure.nodes}
    assert len(levels) > 3, "the stations stand in rows"


def moved(figure: Figure, key: str, dx: float, dy: float) -> Figure:
    nodes = tuple(node.moved(dx, dy) if node.key == key else node for node in figure.nodes)
    return replace(figure, nodes=nodes)


@pytest.mark.parametrize(
    ("key", "dx", "dy", "fault"),
    [
        ("stage a", 60, 0, "overlaps"),
        ("stage a", 7, 0, "does not end on"),
        ("stage a", 0, -900, "outside the canvas"),
        ("sink", -130, 0, "goes through"),
    ],
)
def test_a_fault_is_noticed(key: str, dx: float, dy: float, fault: str) -> None:
    source = "stage a : fifo;\nstage b : delay;\nworkload { arrive poisson (1); }\n"
    source += "session { run a (1); run b (1); }\nrun { horizon 1; }\n"
    figure = deployment(ir(source))
    assert faults(figure) == []
    assert any(fault in wrong for wrong in faults(moved(figure, key, dx, dy)))
