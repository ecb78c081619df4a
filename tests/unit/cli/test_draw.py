import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.api.programs import MM1
from tests.unit.cli.command import Command

import serq as package

UNIX = pytest.mark.skipif(os.name != "posix", reason="terminals of Unix")


def test_draw_prints_an_svg_of_the_deployment(serq: Command) -> None:
    outcome = serq("draw", serq.write("p.sq", MM1))
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == package.draw(package.compile(source=MM1))


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.svg", "svg"), ("a.SVG", "svg"), ("a.tikz", "tikz"), ("a.tex", "tikz"), ("a.png", "png")],
)
def test_the_suffix_says_the_format(serq: Command, name: str, format: str) -> None:
    outcome = serq("draw", serq.write("p.sq", MM1), "--out", name, "--view", "session")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    drawn = package.draw(package.compile(source=MM1), format, "session")
    expected = drawn if isinstance(drawn, bytes) else drawn.encode()
    assert (serq.folder / name).read_bytes() == expected


def test_the_format_wins_over_the_suffix_and_dark_is_dark(serq: Command) -> None:
    file = serq.write("p.sq", MM1)
    assert serq("draw", file, "--out", "a.png", "--format", "svg", "--dark").status == 0
    written = (serq.folder / "a.png").read_text(encoding="utf-8")
    assert written == package.draw(package.compile(source=MM1), dark=True)


def test_constants_of_the_figure_can_be_given(serq: Command) -> None:
    outcome = serq("draw", serq.write("p.sq", MM1), "--set", "lam=0.125")
    assert "poisson (0.125)" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "error", "help"),
    [
        (["--out", "a.gif"], "the suffix of `a.gif` names no format",
         "let its name end in .svg, .tikz, .tex or .png, or give `--format`"),
        (["--out", ""], "`--out` must be the name of a file, not ``", None),
        (["--format", "tizk"], "`--format` must be one of svg, tikz, png, not `tizk`",
         "did you mean `tikz`?"),
        (["--view", "sesion"], "`--view` must be one of deployment, session, not `sesion`",
         "did you mean `session`?"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_found_before_the_program_is_read(
    serq: Command, arguments: list[str], error: str, help: str | None
) -> None:
    outcome = serq("draw", "nowhere.sq", *arguments)
    assert outcome.status == 2
    lines = [f"error: {error}", *([f"help: {help}"] if help else [])]
    assert outcome.err.splitlines() == [*lines, "usage: serq draw [OPTIONS] FILE"]


def test_a_program_that_is_refused_leaves_the_figure_as_it_was(serq: Command) -> None:
    (serq.folder / "a.svg").write_text("as it was")
    outcome = serq("draw", serq.write("p.sq", "stage a : fifo (slot);"), "--out", "a.svg")
    assert outcome.status == 1
    assert "SQ201" in outcome.err
    assert [path.name for path in serq.folder.iterdir()].count("a.svg") == 1
    assert (serq.folder / "a.svg").read_text() == "as it was"


def test_a_place_that_can_not_be_written_is_named(serq: Command) -> None:
    outcome = serq("draw", serq.write("p.sq", MM1), "--out", "no/folder/a.svg")
    assert outcome.status == 1
    assert outcome.err.startswith("error[SQ704]: `no/folder/a.svg` can not be written: ")


def test_a_dash_is_standard_output(serq: Command) -> None:
    file = serq.write("p.sq", MM1)
    assert serq("draw", file, "--out", "-") == serq("draw", file)
    assert [path.name for path in serq.folder.iterdir()] == ["p.sq"]


def draw_to(stdout: int, folder: Path) -> subprocess.CompletedProcess[bytes]:
    (folder / "p.sq").write_text(MM1)
    return subprocess.run(
        [sys.executable, "-m", "serq", "draw", "p.sq", "--format", "png"],
        cwd=folder, stdout=stdout, stderr=subprocess.PIPE, check=False, timeout=60,
    )  # fmt: skip


@UNIX
def test_a_png_goes_into_a_pipe_and_not_to_a_terminal(tmp_path: Path) -> None:
    outcome = draw_to(subprocess.PIPE, tmp_path)
    assert outcome.stdout == package.draw(package.compile(source=MM1), "png")
    ours, theirs = os.openpty()
    try:
        outcome = draw_to(theirs, tmp_path)
    finally:
        os.close(ours)
        os.close(theirs)
    assert outcome.returncode == 2
    assert outcome.stderr.decode().splitlines()[:2] == [
        "error: a PNG is not for a terminal",
        "help: write it to a file: `--out figure.png`",
    ]
