"""`examples/oracle/vllm_request.sq` is the program that the oracle makes of its scenario."""

from __future__ import annotations

from pathlib import Path

import serq
from serq.oracle.files import read_scenarios
from serq.oracle.program import compile_scenario, trace_of
from tests.oracle.recorded import scenario

FOLDER = Path(__file__).parents[2] / "examples" / "oracle"


def test_it_is_the_program_of_the_scenario() -> None:
    recorded = scenario("13_double_preemption")
    made = compile_scenario(recorded).ir
    written = serq.compile(FOLDER / "vllm_request.sq").ir
    assert written.blocks == made.blocks
    assert written.pools == made.pools
    assert written.stages == made.stages
    assert written.hidden == made.hidden
    trace = serq.read_trace(FOLDER / "scenario.csv")
    assert tuple(trace) == trace_of(recorded)


def test_its_numbers_are_vllms() -> None:
    recorded = scenario("13_double_preemption")
    report = serq.run(serq.compile(FOLDER / "vllm_request.sq"))
    order = sorted(range(3), key=lambda at: report.observes["sent"].sessions[at])
    for name in ("sent", "admitted", "first", "last", "cached", "found_again", "preemptions"):
        samples = report.observes[name].samples
        assert [samples[at] for at in order] == [getattr(o, name) for o in recorded.expected]


def test_its_scenario_is_the_recorded_one() -> None:
    (shipped,) = read_scenarios(FOLDER / "double_preemption.json")
    assert shipped == scenario("13_double_preemption")
