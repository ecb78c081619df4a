"""The loop that drives a scheduler: a stand-in everywhere, vLLM's own where it is installed."""

from __future__ import annotations

import pytest

from serq import SerqError
from serq.oracle import driver
from serq.oracle.difference import compare, first_step
from serq.oracle.driver import drive
from serq.oracle.generate import generate
from serq.oracle.scheduler import vllm_version
from serq.oracle.simulate import watch
from tests.oracle.recorded import FILES, scenario, scenarios
from tests.oracle.stand_in import StandIn

try:
    VERSION = vllm_version()
except SerqError as missing:
    VERSION = ""
    WHY = str(missing)
else:
    WHY = ""

needs_vllm = pytest.mark.skipif(not VERSION, reason=f"no vLLM to drive: {WHY}")


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler that is there without vLLM."""
    monkeypatch.setattr(driver, "VllmScheduler", StandIn)
    monkeypatch.setattr(driver, "vllm_version", lambda: "0.30.0")


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("name", [name for name in FILES if name[:2] not in ("07", "10", "15")])
def test_the_rules_written_by_hand_are_vllms(name: str) -> None:
    for recorded in scenarios(name)[:30]:
        ran = drive(recorded)
        assert compare(recorded, ran, recorded.expected, recorded.totals) == [], recorded.name


@pytest.mark.usefixtures("stand_in")
def test_drawn_scenarios_agree_step_by_step() -> None:
    for drawn in generate(seed=9, count=40):
        theirs, ours = drive(drawn), watch(drawn)
        assert compare(drawn, ours, theirs.outcomes, theirs.totals) == [], drawn.name
        assert first_step(ours.steps, theirs.steps) is None, drawn.name


@needs_vllm
@pytest.mark.parametrize("name", ["01_self_preemption", "09_forced_miss", "13_double_preemption"])
def test_it_does_again_what_was_recorded(name: str) -> None:
    recorded = scenario(name)
    ran = drive(recorded)
    assert compare(recorded, ran, recorded.expected, recorded.totals) == []


@needs_vllm
@pytest.mark.slow
def test_it_agrees_with_serq_on_drawn_scenarios() -> None:
    compared = 0
    for drawn in generate(seed=5, count=40):
        theirs = drive(drawn)
        ours = watch(drawn, f"vllm {VERSION}")
        assert compare(drawn, ours, theirs.outcomes, theirs.totals) == [], drawn.name
        assert first_step(ours.steps, theirs.steps) is None, drawn.name
        compared += len(drawn.turns)
    print(f"{compared} requests compared with vLLM {VERSION}")


@pytest.mark.skipif(bool(VERSION), reason="vLLM is installed")
def test_without_vllm_it_says_what_to_install() -> None:
    with pytest.raises(SerqError) as refused:
        drive(scenario("01_self_preemption"))
    (found,) = refused.value.diagnostics
    assert found.code == "SQ509"
    assert 'pip install "serq[vllm]"' in (found.help or "")
