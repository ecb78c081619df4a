"""The files a figure becomes: whole, the same every time, light and dark."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import serq
from serq.diagnostics import SerqError
from serq.view.deployment import deployment
from serq.view.palette import DARK, LIGHT, PAINTS
from serq.view.png import SCALE, png
from serq.view.session import session
from serq.view.svg import svg
from serq.view.tikz import escaped, tikz
from tests.view.programs import HARD, ROOT, WORKLOAD, ir

SPACE = "{http://www.w3.org/2000/svg}"
FIRST = ROOT / "examples" / "first.sq"
ODD = 'pool größe_a { cap 9; }\nstage b_c : fifo;\n' + WORKLOAD + (
    "session { set x = ~exp(1); hold größe_a (x ^ 2 + 1) { run b_c (x); }"
    " branch (x < 3 && x > 1) { run b_c (2); } }"
)  # fmt: skip


def texts(document: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(document).iter(f"{SPACE}text")]


def test_an_svg_has_every_text_of_the_figure() -> None:
    for figure in (deployment(ir(ODD)), session(ir(ODD))):
        assert sorted(texts(svg(figure))) == sorted(each.content for each in figure.texts())
    assert "x < 3 && x > 1" in " ".join(texts(svg(session(ir(ODD)))))


def test_every_element_has_its_light_paint_and_a_class_with_a_rule() -> None:
    document = svg(deployment(serq.compile(FIRST).ir))
    root = ElementTree.fromstring(document)
    sheet = root.findtext(f"{SPACE}style") or ""
    for element in root.iter():
        kind = element.get("class")
        if kind not in (None, "serq"):
            assert f".serq .{kind}{{" in sheet
            assert element.get("fill") is not None
    assert "prefers-color-scheme:dark" in sheet
    for name, light, dark in (("paper", LIGHT.paper, DARK.paper), ("ink", LIGHT.ink, DARK.ink)):
        assert f"var(--serq-{name},{light})" in sheet
        assert f"--serq-{name}:{dark};" in sheet


def test_a_scheme_leaves_out_the_style_sheet() -> None:
    figure = deployment(serq.compile(FIRST).ir)
    dark = svg(figure, DARK)
    assert "<style>" not in dark
    assert DARK.paper in dark
    assert LIGHT.paper not in dark


def test_text_can_be_read_on_its_paper() -> None:
    def light(colour: str) -> float:
        red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
                  for c in (red, green, blue)]  # fmt: skip
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(a: str, b: str) -> float:
        upper, lower = sorted((light(a), light(b)), reverse=True)
        return (upper + 0.05) / (lower + 0.05)

    for scheme in (LIGHT, DARK):
        for text in (scheme.ink, scheme.soft, scheme.pool):
            for paper in (scheme.paper, scheme.card, scheme.tint):
                assert contrast(text, paper) >= 4.2, (text, paper)


def test_the_same_program_gives_the_same_bytes_in_every_process() -> None:
    code = (
        "import serq, sys; p = serq.compile(sys.argv[1]);"
        "[print(serq.draw(p, f, v)) for f in ('svg', 'tikz') for v in ('deployment', 'session')]"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code, str(FIRST)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_an_ir_draws_as_its_program_does() -> None:
    program = serq.compile(FIRST)
    again = serq.Program.from_json(program.to_json())
    for view in ("deployment", "session"):
        assert serq.draw(again, "svg", view) == serq.draw(program, "svg", view)


def test_tikz_is_balanced_and_escapes_what_tex_would_take() -> None:
    for source in (ODD, HARD["tiers of tiers"], HARD["names and expressions of any length"]):
        for figure in (deployment(ir(source)), session(ir(source))):
            document = tikz(figure)
            assert document.count(r"\begin{tikzpicture}") == 1
            assert document.count(r"\end{tikzpicture}") == 1
            bare = re.sub(r"\\[{}]", "", document)
            depth = 0
            for char in bare:
                depth += {"{": 1, "}": -1}.get(char, 0)
                assert depth >= 0
            assert depth == 0
            body = bare.partition("line join=round]\n")[2].rpartition("\\end")[0]
            for line in body.splitlines():
                assert line.endswith((";", "}}")), line
                assert line.count("$") % 2 == 0
                assert re.search(r"(?<!\\)[&#%^~_]", line) is None, line


def test_every_style_of_the_figure_is_defined_in_tikz() -> None:
    document = tikz(session(serq.compile(FIRST).ir))
    assert all(f"serq {style.replace('-', ' ')}/.style" in document for style in PAINTS)
    assert r"a\_b$<$3" in escaped("a_b<3")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX")
def test_tex_takes_it(tmp_path: Path) -> None:
    figures = [draw(ir(ODD)) for draw in (deployment, session)]
    body = "\n".join(tikz(figure, dark=at == 1) for at, figure in enumerate(figures))
    (tmp_path / "figure.tex").write_text(
        "\\documentclass{article}\\usepackage{tikz}\\begin{document}\n"
        f"{body}\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "figure.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


@pytest.mark.parametrize("dark", [False, True])
def test_a_png_is_two_pixels_a_point_and_the_same_every_time(dark: bool) -> None:
    figure = deployment(serq.compile(FIRST).ir)
    drawn = png(figure, dark=dark)
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", drawn[16:24])
    assert abs(wide - SCALE * figure.width) <= 1
    assert abs(high - SCALE * figure.height) <= 1
    assert png(figure, dark=dark) == drawn
    assert png(figure, dark=not dark) != drawn


def test_a_png_has_letters() -> None:
    """The same figure without its texts is another picture: the font was found."""
    figure = deployment(ir("stage a : fifo;\n" + WORKLOAD + "session { run a (1); }"))
    other = deployment(ir("stage b : fifo;\n" + WORKLOAD + "session { run b (1); }"))
    assert (figure.width, figure.height) == (other.width, other.height)
    assert png(figure) != png(other)


@pytest.mark.parametrize("absent", ["resvg_py", "font_source_sans_pro"])
def test_without_its_packages_a_png_says_how_to_get_them(
    absent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(SerqError) as caught:
        serq.draw(serq.compile(FIRST), "png")
    found = caught.value.diagnostics[0]
    assert found.code == "SQ509"
    assert f"`{absent}`" in found.message
    assert found.help == 'pip install "serq[png]"'
