"""The figure of a sweep: the same bytes every time, what stands in it, what is refused."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.sweep.programs import QUEUE

import serq
from serq.sweeps.table import Sweep

pytest.importorskip("matplotlib")

MEAN, P99 = "observes.response.mean", "observes.response.p99"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def swept() -> Sweep:
    return serq.sweep(
        source=QUEUE, sets={"rate": "0.2:0.8:0.2", "servers": [1, 2]}, replications=3,
        horizon=200, warmup=20,
    )  # fmt: skip


def texts(path: Path) -> list[str]:
    found = ElementTree.parse(path).iter(f"{SVG}text")
    return ["".join(element.itertext()).strip() for element in found]


def test_the_same_table_gives_the_same_bytes(swept: Sweep, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "a.png", "b.png", "a.pdf", "b.pdf"):
        swept.plot(tmp_path / name)
    for kind in ("svg", "png", "pdf"):
        first = (tmp_path / f"a.{kind}").read_bytes()
        assert first == (tmp_path / f"b.{kind}").read_bytes()
        assert first.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind])
    assert not list(tmp_path.glob(".serq-*"))


def test_the_user_s_own_settings_change_nothing(swept: Sweep, tmp_path: Path) -> None:
    import matplotlib as mpl

    swept.plot(tmp_path / "a.svg")
    with mpl.rc_context({"font.size": 20, "lines.linewidth": 9, "axes.facecolor": "red"}):
        swept.plot(tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_figure_says_what_it_shows(swept: Sweep, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    swept.plot(path, labels={"rate": "arrivals (1/s)", MEAN: "response, mean (s)"})
    shown = texts(path)
    assert {"arrivals (1/s)", "response, mean (s)", "response, p99", "servers", "1", "2"} <= set(
        shown
    )
    assert "rate" not in shown
    swept.plot(path, metrics=[P99])
    assert "response, mean" not in texts(path)
    assert {"rate", "response, p99"} <= set(texts(path))


def points(path: Path, colour: str) -> list[tuple[float, float]]:
    """Where the line of a colour goes, from left to right."""
    for element in ElementTree.parse(path).iter(f"{SVG}path"):
        style = element.get("style", "")
        if "fill: none" in style and f"stroke: {colour}" in style and "1.6" in style:
            pairs = re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", element.get("d", ""))
            return [(float(x), float(y)) for x, y in pairs]
    raise AssertionError(f"no line is {colour}")


def test_lines_are_where_the_means_are(swept: Sweep, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    swept.plot(path, metrics=[MEAN])
    line = points(path, "#0072b2")
    means = [swept.estimate(MEAN, {"rate": r, "servers": 1}).mean for r in (0.2, 0.4, 0.6, 0.8)]
    # Both axes are linear, so three points and a scale give the fourth.
    (x0, y0), *_, (x3, y3) = line
    for (_, y), mean in zip(line, means, strict=True):
        share = (mean - means[0]) / (means[3] - means[0])
        assert y == pytest.approx(y0 + share * (y3 - y0), abs=1e-3)
    assert line[1][0] == pytest.approx(x0 + (x3 - x0) / 3, abs=1e-3)


def test_logarithmic_scales(swept: Sweep, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    swept.plot(path, metrics=[MEAN], log=["rate", MEAN])
    (x0, _), (x1, _), _, (x3, _) = points(path, "#0072b2")
    assert x1 - x0 == pytest.approx((x3 - x0) / 2, abs=1e-3)  # 0.4 is half way from 0.2 to 0.8
    assert {"0.2", "0.4", "0.6", "0.8"} <= set(texts(path))


def test_values_that_are_no_numbers_stand_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    serq.sweep(source=QUEUE, defs={"need": "1,~exp(1)"}, metrics=[MEAN]).plot(path)
    assert {"1", "~exp(1)", "need"} <= set(texts(path))


def test_a_point_that_failed_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    serq.sweep(source=QUEUE, sets={"rate": [0.2, -1, 0.6]}, metrics=[MEAN]).plot(path)
    assert len(points(path, "#0072b2")) == 2


def test_what_is_refused(swept: Sweep, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="ends in one of"):
        swept.plot(tmp_path / "a.jpg")
    with pytest.raises(ValueError, match="was not read"):
        swept.plot(tmp_path / "a.svg", metrics=["mean_live"])
    with pytest.raises(ValueError, match="nothing varies"):
        serq.sweep(source=QUEUE).plot(tmp_path / "a.svg")
    with pytest.raises(serq.SerqError, match="can not be written"):
        swept.plot(tmp_path / "none" / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_way_out_is_said(
    swept: Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r'pip install "serq\[plot\]"'):
        swept.plot(tmp_path / "a.svg")
