"""Where two runs part, and how it is told."""

from __future__ import annotations

from dataclasses import replace

from serq.oracle.difference import Difference, compare, first_step
from serq.oracle.show import MOST_SHOWN, agreement, disagreement
from serq.oracle.simulate import watch
from serq.oracle.steps import Scheduled, Step
from tests.oracle.recorded import scenario

ALONE = scenario("05b_chunk_cap_alone")


def test_a_run_agrees_with_itself() -> None:
    ran = watch(ALONE)
    assert compare(ALONE, ran, ran.outcomes, ran.totals) == []
    assert first_step(ran.steps, ran.steps) is None


def test_the_first_differing_step_of_two_versions() -> None:
    before, since = watch(ALONE, "0.30"), watch(ALONE, "0.31")
    parting = first_step(before.steps, since.steps)
    assert parting is not None
    # The request is alone from the start: 24 of its 300 tokens, or all the budget of 96.
    assert (parting.number, parting.request) == (1, (0, 0))
    assert parting.serq == Step(0.0, 1.0, (Scheduled((0, 0), 0, 24),))
    assert parting.vllm == Step(0.0, 1.0, (Scheduled((0, 0), 0, 96),))
    found = compare(ALONE, before, since.outcomes, since.totals)
    assert Difference((0, 0), "first", 13.0, 4.0) in found
    told = disagreement(ALONE, found, parting)
    assert "step 1 is the first that differs, first in session 0 turn 0" in told
    assert "serQ  [0.0, 1.0]  session 0 turn 0: 0+24\n" in told
    assert "vLLM  [0.0, 1.0]  session 0 turn 0: 0+96\n" in told
    assert f"and {len(found) - MOST_SHOWN} more numbers" in told


def test_a_side_that_stops_early() -> None:
    ran = watch(ALONE)
    parting = first_step(ran.steps[:-1], ran.steps)
    assert parting is not None
    assert (parting.number, parting.request, parting.serq) == (len(ran.steps), (2, 0), None)
    assert "no such step" in disagreement(ALONE, [], parting)
    (found,) = compare(ALONE, ran, ran.outcomes[:-1], None)
    assert (found.request, found.field) == ((2, 0), "its end")


def test_victims_that_differ() -> None:
    one = Step(0.0, 1.0, (), preempted=((3, 1),))
    parting = first_step([one], [replace(one, preempted=((4, 0),))])
    assert parting is not None
    assert parting.request == (3, 1)
    assert "nobody; preempted session 3 turn 1" in disagreement(ALONE, [], parting)


def test_what_one_side_did_not_record_is_not_compared() -> None:
    ran = watch(ALONE)
    bare = [replace(outcome, first_step=None, readmit_cached=None) for outcome in ran.outcomes]
    assert compare(ALONE, ran, bare, None) == []


def test_an_agreement() -> None:
    assert agreement(1234, 1, "vLLM 0.30.0") == (
        "agree on 1,234 requests in 1 scenario, vLLM 0.30.0\n"
    )
