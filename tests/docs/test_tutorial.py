"""The tutorial: its programs are the examples, its numbers are printed, its formulas hold."""

from __future__ import annotations

import re
from math import factorial
from pathlib import Path

import pytest

import serq
from tests.docs.figures import figures
from tests.docs.pages import Page, read

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "tutorial"
CHAPTERS = [read(path) for path in sorted(FOLDER.glob("0*.md"))]
NUMBER = re.compile(r"`(-?\d[\d,]*\.?\d*)`")


def console(page: Page) -> str:
    return "".join(block.text for block in page.blocks("console"))


def test_there_are_six_chapters() -> None:
    assert [page.path.stem for page in CHAPTERS] == [
        "01-queue", "02-memory", "03-sessions", "04-prefix-cache", "05-engine", "06-cliff",
    ]  # fmt: skip
    index = read(FOLDER / "README.md").text
    assert all(f"({page.path.name})" in index for page in CHAPTERS)


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.path.stem)
def test_a_chapter_is_about_its_program(page: Page) -> None:
    name = f"examples/tutorial/{page.path.stem}.sq"
    assert page.files()[name] == (ROOT / name).read_text(encoding="utf-8")
    assert f"$ serq run {name} --quiet" in console(page)
    assert f"$ serq sweep {name} " in console(page)


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.path.stem)
def test_a_chapter_ends_with_a_figure_that_its_commands_draw(page: Page) -> None:
    assert figures(page) == [f"{page.path.stem}.svg"]
    assert f"--plot {page.path.stem}.svg" in console(page)


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.path.stem)
def test_numbers_that_are_quoted_are_printed(page: Page) -> None:
    shown = console(page)
    unread = [
        number
        for number in NUMBER.findall(page.prose())
        if not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", shown)
    ]
    assert unread == []


def means(page: Page, heading: str) -> dict[tuple[str, ...], tuple[float, float]]:
    """Mean and half interval of the first metric of the sweep whose table has this heading."""
    block = next(b for b in page.blocks("console") if heading in b.text.splitlines()[1:2][0])
    found = {}
    for line in block.text.splitlines()[3:]:
        cells = re.split(r" {2,}", line.strip())
        point = cells[: 2 if len(cells) > 3 else 1]
        found[tuple(point)] = float(cells[3]), float(cells[4].strip("±"))
    return found


def test_the_waits_of_chapter_one_are_those_of_pollaczek_and_khinchine() -> None:
    page = CHAPTERS[0]
    ran = means(page, "wait.mean")
    laws = {"service": 0.0, "~exp(service)": 1.0, "~h2(service, 4)": 4.0}
    rows = page.rows("Sweep it")
    assert len(rows) == 5
    for rate, *cells in rows:
        load = float(rate)
        for (law, variation), cell in zip(laws.items(), cells, strict=True):
            exact = load / (1 - load) * (1 + variation) / 2
            assert cell == f"{exact:.4f}"
            mean, half = ran[rate, law]
            assert abs(mean - exact) <= half, (rate, law)


def erlang(servers: int, load: float) -> float:
    """The mean wait of M/M/c with a mean work of 1."""
    terms = [load**k / factorial(k) for k in range(servers)]
    last = load**servers / factorial(servers) * servers / (servers - load)
    total = last
    for term in terms:
        total += term
    return last / total / (servers - load)


def test_the_waits_of_chapter_two_are_those_of_erlang() -> None:
    page = CHAPTERS[1]
    ran = means(page, "wait.mean")
    rows = page.rows("What it must be")
    assert len(rows) == 5
    for memory, places, wait in rows:
        exact = erlang(int(places), 3.0)
        assert int(memory) == 2000 * int(places)
        assert wait == f"{exact:.4f}"
        mean, half = ran[memory, "length"]
        assert abs(mean - exact) <= half, memory


def test_chapter_five_is_the_engine_of_the_examples() -> None:
    chapter = serq.compile(ROOT / "examples" / "tutorial" / "05-engine.sq")
    example = serq.compile(ROOT / "examples" / "multi-turn" / "engine.sq")
    assert chapter.to_json() == example.to_json()


def test_chapter_six_adds_observations_and_load_to_chapter_five() -> None:
    at = {"sessions_per_second": 0.5}
    five = serq.compile(ROOT / "examples/tutorial/05-engine.sq", horizon=20, warmup=0)
    six = serq.compile(ROOT / "examples/tutorial/06-cliff.sq", sets=at, horizon=20, warmup=0)
    first, second = serq.run(five), serq.run(six)
    assert first.events == second.events
    assert set(second.observes) - set(first.observes) == {"missed"}
    for name, observe in first.observes.items():
        assert observe.samples.tolist() == second.observes[name].samples.tolist()
