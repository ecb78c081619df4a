"""Costs fitted to logs of engine steps."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from serq.diagnostics import SerqError
from serq.fit import step_fit
from serq.fit.models import linear, roofline
from serq.fit.steps import read_steps

TRUE = {"c": 13.9e-3, "d": 41e-6, "e": 0.138e-6, "a": 51.5e-6, "b": 4.02e-9}
HEADER = "decoders,kv_decode,prefilled,attention,seconds\n"


def test_known_constants_are_recovered_within_2_percent(repository: Path) -> None:
    log = read_steps(str(repository / "examples" / "fit" / "steps.csv"))
    found = step_fit.fit_steps(log, linear(), resamples=40)
    for name, value in TRUE.items():
        assert found.coefficients[name] == pytest.approx(value, rel=0.02), name
        low, high = found.intervals[name]
        assert low <= found.coefficients[name] <= high
    assert found.errors["decode"] < 0.06  # the outliers are in it
    assert np.median(np.abs(found.residuals())) < 0.02


def test_the_file_is_what_its_script_makes(repository: Path, tmp_path: Path) -> None:
    folder = repository / "examples" / "fit"
    made = tmp_path / "steps.csv"
    subprocess.run([sys.executable, str(folder / "make_steps.py"), str(made)], check=True)
    assert made.read_text() == (folder / "steps.csv").read_text()


def write(path: Path, rows: Sequence[tuple[float, ...]], header: str = HEADER) -> str:
    lines = [",".join(f"{value:.9g}" for value in row) for row in rows]
    path.write_text(header + "\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def roofline_rows() -> Sequence[tuple[float, ...]]:
    draw = np.random.default_rng(5)
    rows = []
    for number in range(400):
        decoders = float(draw.integers(1, 128)) if number % 4 else 0.0
        kv = decoders * float(draw.integers(200, 6000))
        prefilled = float(draw.integers(1, 2048)) if number % 2 or not decoders else 0.0
        attention = prefilled * prefilled / 2
        memory = 0.012 + 1e-7 * kv
        compute = 0.002 + 5e-5 * (decoders + prefilled) + 4e-9 * attention
        seconds = max(memory, compute) * float(1 + 0.01 * draw.standard_normal())
        rows.append((decoders, kv, prefilled, attention, seconds))
    return rows


def test_a_roofline_is_recovered_and_recognised(tmp_path: Path) -> None:
    log = read_steps(write(tmp_path / "steps.csv", roofline_rows()))
    found = step_fit.fit_steps(log, roofline(), rival=linear(), resamples=5)
    assert found.better() == "roofline"
    assert found.coefficients["c"] == pytest.approx(0.012, rel=0.03)
    assert found.coefficients["e"] == pytest.approx(1e-7, rel=0.03)
    assert found.coefficients["a"] == pytest.approx(5e-5, rel=0.03)
    assert "roofline explains the data better" in step_fit.text(found)
    document = step_fit.document(found)
    assert document["better"] == "roofline"
    assert document["rival"]["model"] == "linear"


def test_a_sum_of_terms_is_recognised_too(repository: Path) -> None:
    log = read_steps(str(repository / "examples" / "fit" / "steps.csv"))
    found = step_fit.fit_steps(log, roofline(), rival=linear(), resamples=0)
    assert found.better() == "linear"
    assert found.intervals == {}


def test_a_column_whose_term_is_left_out_may_be_missing(tmp_path: Path) -> None:
    rows = [(n % 8, (n % 5) * 1000.0, 0.01 + 1e-3 * (n % 8)) for n in range(40)]
    path = write(tmp_path / "steps.csv", rows, "decoders,kv_decode,seconds\n")
    log = read_steps(path, ("decoders", "kv_decode"))
    found = step_fit.fit_steps(log, linear(("c", "d", "e")), resamples=0)
    assert found.coefficients["c"] == pytest.approx(0.01, rel=1e-3)
    assert found.coefficients["d"] == pytest.approx(1e-3, rel=1e-3)
    assert found.coefficients["a"] == 0.0
    with pytest.raises(SerqError, match="no column `prefilled`, `attention`"):
        read_steps(path)


def test_json_lines_are_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    rows = [
        {"decoders": n, "kv_decode": 0, "prefilled": 0, "attention": 0, "seconds": 0.01, "x": "y"}
        for n in range(12)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    log = read_steps(str(path))
    assert len(log) == 12
    assert set(log.kind) == {0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no column|0 steps"),
        (HEADER + "1,2,3,4,5\n", "1 steps; 10 are needed"),
        (HEADER + "1,2,3,4\n", "line 2 has 4 fields; the header has 5"),
        (HEADER + "# a comment\n\n1,2,x,4,5\n", "line 4 has `x` for `prefilled`"),
        (HEADER + "1,2,3,4,0\n", "line 2 has 0 for `seconds`"),
        (HEADER + "1,2,3,4,inf\n", "line 2 has `inf` for `seconds`"),
        (HEADER + "1,2,3,4,-1\n", "line 2 has `-1` for `seconds`"),
        ("1,2,3,4,5\n", "line 1 is no header"),
        ("a,a,b\n", "line 1 names the column `a` twice"),
        ("decoders,kv_decode,prefilled,atention,seconds\n1,2,3,4,5\n", "no column `attention`"),
        ('{"decoders": 1\n', "line 1 is no JSON"),
        ('{"decoders": 1}\n[1]\n', "no column"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "steps.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SerqError, match=message) as refused:
        read_steps(str(path))
    assert {found.code for found in refused.value.diagnostics} == {"SQ720"}


def test_a_near_column_is_suggested(tmp_path: Path) -> None:
    path = tmp_path / "steps.csv"
    path.write_text("decoders,kv_decode,prefilled,atention,seconds\n1,2,3,4,5\n", encoding="utf-8")
    with pytest.raises(SerqError) as refused:
        read_steps(str(path))
    assert "`atention` meant to be `attention`" in str(refused.value.diagnostics[0].help)


def test_an_interrupt_keeps_the_resamples_done(repository: Path) -> None:
    log = read_steps(str(repository / "examples" / "fit" / "steps.csv"))

    def stop(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = step_fit.fit_steps(log, linear(), progress=stop)
    assert found.partial
    assert found.intervals.keys() == TRUE.keys()


def test_the_same_seed_gives_the_same_fit(repository: Path) -> None:
    log = read_steps(str(repository / "examples" / "fit" / "steps.csv"))
    first, second = (step_fit.fit_steps(log, linear(), resamples=5, seed=4) for _ in range(2))
    assert step_fit.text(first) == step_fit.text(second)
    other = step_fit.fit_steps(log, linear(), resamples=5, seed=5)
    assert other.coefficients == first.coefficients
    assert other.intervals != first.intervals
