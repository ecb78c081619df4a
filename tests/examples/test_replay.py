"""`examples/replay/vllm_replay.sq` does what vLLM's own scheduler did with the same trace on the
same clock: every send time, first-token time and count of cached tokens of 1,447 requests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import serq
from serq.engines.registry import available
from tests.oracle.recorded import scenario

PROGRAM = Path(__file__).parents[2] / "examples" / "replay" / "vllm_replay.sq"


@pytest.mark.parametrize("engine", available())
def test_the_replay_is_vllms(engine: str) -> None:
    recorded = scenario("15_conversations")
    report = serq.run(serq.compile(PROGRAM), engine=engine)
    ttft, cached = report.observes["ttft"], report.observes["cached_tokens"]
    e2e = report.observes["e2e"]
    keys = sorted(zip(ttft.sessions, ttft.turns, range(ttft.count), strict=True))
    assert len(keys) == len(recorded.turns) == 1447
    for (_, _, at), theirs in zip(keys, recorded.expected, strict=True):
        assert ttft.samples[at] == theirs.first - theirs.sent
        assert e2e.samples[at] == theirs.last - theirs.sent
        assert e2e.times[at] == theirs.last
        assert cached.samples[at] == theirs.cached


def test_the_trace_is_the_recorded_one() -> None:
    recorded = scenario("15_conversations")
    trace = serq.read_trace(PROGRAM.parent / "conversations.csv")
    turns = [turn for session in trace for turn in session]
    assert [(t.new, t.out, t.forced) for t in turns] == [
        (t.new, t.out, t.forced) for t in recorded.turns
    ]
    for ours, theirs in zip(turns, recorded.turns, strict=True):
        start = theirs.session * 2.5 if theirs.turn == 0 else 0.0
        assert ours.think + start == theirs.think


def test_what_serving_adds_is_added() -> None:
    plain = serq.run(serq.compile(PROGRAM, horizon=100))
    sets = {"per_step": 0.004, "per_request": 0.04}
    served = serq.run(serq.compile(PROGRAM, horizon=100, sets=sets))
    assert served.observes["ttft"].mean > plain.observes["ttft"].mean + 0.04
    assert served.observes["tpot"].mean > plain.observes["tpot"].mean + 0.0039
