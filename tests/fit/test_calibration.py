"""Two overheads from light-load runs: found where the runs tell them, a ridge where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from serq.api.compile import compile
from serq.api.program import Program
from serq.api.run import run
from serq.diagnostics import SerqError
from serq.fit.calibration import GRID, calibrate, document, sentence, text
from serq.fit.light_runs import LightRun, read_light_runs

PROGRAM = """
let step_overhead = 0;
let request_overhead = 0;
let gap = 2;
stage engine : step { budget 100; cost step_overhead + 0.01; }
stage network : delay;
workload { arrive renewal (gap); turn { set prompt = turns; set turns = turns + 100; } }
session {
  set turns = 50 + 100 * (serial - 3 * floor(serial / 3));
  turn;
  set sent = now;
  run network (request_overhead);
  run engine prefill (prompt);
  observe ttft = now - sent;
  run engine decode (10);
  observe e2e = now - sent;
  end;
}
run { horizon 1000; arrivals 12; }
"""
NAMES = ("step_overhead", "request_overhead")
TRUE = (0.004, 0.04)


def make(constants: Mapping[str, str]) -> Program:
    return compile(source=PROGRAM, sets=dict(constants))


def measured(*observations: str) -> list[LightRun]:
    """Runs of the program itself with the true overheads."""
    runs = []
    for name, fitted, gap in (("slow", True, 2.0), ("fast", False, 0.5)):
        report = run(make({**dict(zip(NAMES, map(repr, TRUE), strict=True)), "gap": repr(gap)}))
        values = {(each, "mean"): report.observes[each].mean for each in observations}
        runs.append(LightRun(name, fitted, {"gap": repr(gap)}, values))
    return runs


def test_overheads_that_the_runs_tell_are_found() -> None:
    found = calibrate(make, measured("ttft", "e2e"), names=NAMES)
    assert found.step == pytest.approx(TRUE[0], abs=3e-4)
    assert found.request == pytest.approx(TRUE[1], abs=2e-3)
    assert found.identified
    assert "identify both" in sentence(found)
    held_out = [each for each in found.compared if not each.fitted]
    assert [each.run for each in held_out] == ["fast", "fast"]
    for each in held_out:
        assert each.predicted == pytest.approx(each.measured, rel=0.02)


def test_a_ridge_is_reported() -> None:
    """The TTFT is request + k steps: any pair on a line explains its mean."""
    found = calibrate(make, measured("ttft"), names=NAMES)
    assert not found.identified
    assert len(found.valley()) >= 4
    assert "do not tell the constants apart" in sentence(found)
    steps = [step for step, _, _ in found.ridge]
    requests = [request for _, request, _ in found.valley()]
    assert steps == found.per_step
    assert requests == sorted(requests, reverse=True)
    assert [len(row) for row in found.surface] == [GRID] * GRID


def test_threads_and_seed_decide_nothing_and_all() -> None:
    runs = measured("ttft", "e2e")
    one = calibrate(make, runs, names=NAMES, threads=1)
    two = calibrate(make, runs, names=NAMES, threads=2)
    assert text(one) == text(two)
    assert document(one) == document(two)
    assert calibrate(make, runs, names=NAMES, seed=2).surface == one.surface


def test_what_the_program_does_not_observe_is_refused() -> None:
    runs = [LightRun("x", True, {}, {("tpot", "mean"): 1.0})]
    with pytest.raises(SerqError, match="measures `tpot`, which the program does not"):
        calibrate(make, runs, names=NAMES)


def test_a_program_without_the_constants_is_refused() -> None:
    with pytest.raises(SerqError, match="no constant `c_it`"):
        calibrate(make, measured("ttft"), names=("c_it", "c0"))


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "runs.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_runs_are_read(tmp_path: Path) -> None:
    name = write(tmp_path, "run,use,gap,ttft.mean,e2e.p99\na,fit,2,0.1,\nb,held_out,1,0.2,3\n")
    first, second = read_light_runs(name)
    assert first == LightRun("a", True, {"gap": "2.0"}, {("ttft", "mean"): 0.1})
    assert second.measured == {("ttft", "mean"): 0.2, ("e2e", "p99"): 3.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run,gap\na,1\n", "no column `use`"),
        ("run,use,ttft.mean\na,train,1\n", "line 2 has `train` for `use`"),
        ("run,use,ttft.mean\na,held_out,1\n", "has no run to fit"),
        ("run,use,ttft.median\na,fit,1\n", "line 2 has a column `ttft.median`"),
        ("run,use,gap\na,fit,1\n", "line 2 has no measured value"),
        ("run,use,gap,ttft.mean\na,fit,x,1\n", "line 2 has `x` for `gap`"),
    ],
)
def test_wrong_runs_are_refused_with_their_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SerqError, match=message):
        read_light_runs(write(tmp_path, text))
