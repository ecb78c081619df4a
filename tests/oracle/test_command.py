"""`serq oracle`: what it prints and how it ends."""

from __future__ import annotations

import json
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from serq.cli.main import command_status
from serq.oracle.scenario import Outcome, Scenario
from tests.oracle.recorded import FOLDER


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = command_status(["oracle", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def path(name: str) -> str:
    return str(FOLDER / f"{name}.json")


def test_recorded_scenarios_agree(capsys: pytest.CaptureFixture[str]) -> None:
    files = [path(name) for name in ("01_self_preemption", "05b_chunk_cap_alone_033")]
    status, out, _ = run(capsys, "recorded", *files)
    assert (status, out) == (
        0,
        "agree on 5 requests in 2 scenarios, vLLM 0.30.0, vLLM 0.33.0\n",
    )


def test_a_difference_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = json.loads((FOLDER / "01_self_preemption.json").read_text())
    document["expected"][1]["first"] = 3.0
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(document))
    status, out, _ = run(capsys, "recorded", str(changed), path("14_full_prompt_reservation"))
    assert status == 1
    assert out == (
        "01_self_preemption: serQ and vLLM differ\n"
        "  session 1 turn 0: first is 2.0 in serQ and 3.0 in vLLM\n"
        "1 of 2 scenarios differ\n"
    )


def test_drawn_scenarios_have_no_outcome_yet(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "generate", "--seed", "3", "--count", "2", "--first", "7")
    assert status == 0
    assert [each["name"] for each in json.loads(out)["scenarios"]] == ["g3_7", "g3_8"]
    drawn = tmp_path / "drawn.json"
    drawn.write_text(out)
    status, out, err = run(capsys, "recorded", str(drawn))
    assert (status, out) == (1, "")
    assert "SQ706" in err
    assert "--record" in err


def test_scenarios_are_written_as_they_are_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory holds one at a time, and standard output gets all of them or nothing."""
    from serq.oracle import generate
    from serq.oracle.write import scenarios_text

    draw = generate.generate
    living: list[weakref.ref[Scenario]] = []

    def one_by_one(_seed: int, count: int, _first: int) -> Iterator[Scenario]:
        for each in range(count):
            assert sum(seen() is not None for seen in living) <= 2
            scenario = next(draw(3, 1, each))
            living.append(weakref.ref(scenario))
            yield scenario
            if each == stop:
                raise KeyboardInterrupt

    whole = run(capsys, "generate", "--seed", "3", "--count", "60")
    assert whole == (0, scenarios_text(list(draw(3, 60))), "")
    monkeypatch.setattr(generate, "generate", one_by_one)
    stop = 100
    assert run(capsys, "generate", "--seed", "3", "--count", "60") == whole
    stop = 40
    status, out, _ = run(capsys, "generate", "--seed", "3", "--count", "60")
    assert (status, out) == (130, "")


def test_drawing_many_shows_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for quiet, shown in (((), True), (("--quiet",), False)):
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        status, _, err = run(capsys, "generate", "--count", "20", *quiet)
        assert (status, "scenarios" in err) == (0, shown)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("vlm",), "did you mean `vllm`?"),
        (("recorded",), "SCENARIO"),
        (("generate", "--count", "0"), "`--count` must be a whole number from 1"),
        (("recorded", "x.json", "--engine", "rust"), "one of"),
    ],
)
def test_wrong_arguments(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert says in err


def test_what_is_no_scenario_is_said_before_vllm_is_looked_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[]")
    status, out, err = run(capsys, "vllm", str(broken), path("01_self_preemption"))
    assert (status, out) == (1, "")
    assert "SQ706" in err


def test_the_command_with_a_scheduler(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from serq.oracle import driver, scheduler, simulate

    late = {"shift": 0.0}

    def drive(scenario: object) -> object:
        ran = simulate.watch(scenario, "0.30.0")  # type: ignore[arg-type]
        if late["shift"]:
            first: Outcome = ran.outcomes[0]
            from dataclasses import replace

            outcomes = (replace(first, first=first.first + late["shift"]), *ran.outcomes[1:])
            step = replace(ran.steps[4], batch=ran.steps[4].batch[:1])
            return replace(ran, outcomes=outcomes, steps=[*ran.steps[:4], step, *ran.steps[5:]])
        return ran

    monkeypatch.setattr(scheduler, "vllm_version", lambda: "0.30.0")
    monkeypatch.setattr(driver, "drive", drive)
    target = tmp_path / "recorded.json"
    arguments = ("vllm", path("01_self_preemption"), "--record", str(target))
    assert run(capsys, *arguments)[:2] == (0, "agree on 2 requests in 1 scenario, vLLM 0.30.0\n")
    assert run(capsys, "recorded", str(target))[0] == 0
    late["shift"] = 1.0
    status, out, _ = run(capsys, *arguments)
    assert status == 1
    assert "step 5 is the first that differs, first in session 1 turn 0\n" in out
    assert "session 0 turn 0: first is 1.0 in serQ and 2.0 in vLLM\n" in out
    assert run(capsys, "recorded", str(target))[0] == 1
