"""vLLM's own scheduler, driven. Only where vLLM is installed."""

from __future__ import annotations

import pytest

from serq import SerqError
from serq.oracle.difference import compare, first_step
from serq.oracle.driver import drive
from serq.oracle.generate import generate
from serq.oracle.scheduler import vllm_version
from serq.oracle.simulate import watch
from tests.oracle.recorded import scenario

try:
    VERSION = vllm_version()
except SerqError as missing:
    VERSION = ""
    WHY = str(missing)
else:
    WHY = ""

needs_vllm = pytest.mark.skipif(not VERSION, reason=f"no vLLM to drive: {WHY}")


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
