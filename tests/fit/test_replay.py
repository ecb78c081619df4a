"""What a program must be to replay a measured run, and what it predicts."""

from __future__ import annotations

import pytest

from serq.api.compile import compile
from serq.diagnostics import SerqError
from serq.fit import outcome
from serq.fit.measured import MeasuredRequest, MeasuredRun
from serq.fit.replay import Replay, step_stage
from serq.fit.search import fit_run, starting_cost
from serq.fit.terms import Cost, read_cost

ENGINE = "stage engine : step { budget 512; cost 0.01 + 1e-3 * prefilled; }"
SESSION = """
session {
  turn;
  set sent = now;
  run engine prefill (new);
  observe ttft = now - sent;
  run engine decode (out - 1);
  observe e2e = now - sent;
  end;
}
run { horizon 10; }
"""
REQUESTS = (MeasuredRequest(0.0, 100, 3, 0.1, 0.2), MeasuredRequest(1.0, 200, 1, 0.1, 0.1))


def program(workload: str, engine: str = ENGINE, session: str = SESSION) -> str:
    return f"{engine} workload {{ {workload} }} {session}"


@pytest.mark.parametrize("engine", ["python", None])
@pytest.mark.parametrize(
    "workload",
    [
        'arrive trace; trace "t.csv";',
        'arrive trace scale (7); trace "t.csv" ordered;',
    ],
)
def test_every_request_is_predicted(workload: str, engine: str | None) -> None:
    replay = Replay(compile(source=program(workload)), REQUESTS, engine=engine)
    found = replay.predict(Cost(0.01, 0.0, 0.0, 1e-3, 0.0))
    # Request 0: one step of 100 tokens, two decodes; request 1: one step of 200 tokens.
    assert found.ttft == pytest.approx([0.11, 0.21])
    assert found.e2e == pytest.approx([0.13, 0.21])
    assert found.tpot[0] == pytest.approx(0.01)
    assert found.tpot[1] != found.tpot[1]  # an answer of one token has none
    assert found.delayed(0.5).ttft == pytest.approx([0.61, 0.71])


def test_sessions_that_wait_for_their_time_replay_as_well() -> None:
    waiting = SESSION.replace("turn;", "turn; run clock (think);", 1)
    text = program(
        'arrive batch (5); trace "t.csv" ordered;', ENGINE + "stage clock : delay;", waiting
    )
    found = Replay(compile(source=text), REQUESTS).predict(Cost(0.01, 0.0, 0.0, 1e-3, 0.0))
    assert found.ttft == pytest.approx([0.11, 0.21])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (program("arrive poisson (1);"), "does not replay"),
        (program('arrive batch (2); trace "t.csv";'), "does not replay"),
        (
            program(
                'arrive trace; trace "t.csv";', session=SESSION.replace("observe ttft", "set x")
            ),
            "observes no `ttft`",
        ),
        (
            program(
                'arrive trace; trace "t.csv";', session=SESSION.replace("observe e2e", "set x")
            ),
            "observes no `e2e` or `response`",
        ),
    ],
)
def test_a_program_that_does_not_replay_is_refused(text: str, message: str) -> None:
    with pytest.raises(SerqError, match=message) as refused:
        Replay(compile(source=text), REQUESTS)
    assert refused.value.diagnostics[0].code == "SQ721"


def test_several_step_stages_need_a_name() -> None:
    two = ENGINE + "stage other[2] : step { cost 0.1; }"
    compiled = compile(source=program('arrive trace; trace "t.csv";', two))
    with pytest.raises(SerqError, match="several step stages: `engine`, `other`"):
        step_stage(compiled)
    assert step_stage(compiled, "other") == [1, 2]
    with pytest.raises(SerqError, match="no step stage `x`"):
        step_stage(compiled, "x")


def test_requests_that_do_not_end_are_counted() -> None:
    small = "pool kv { cap 150; }" + ENGINE
    session = SESSION.replace(
        "run engine prefill (new);", "hold kv (new) { run engine prefill (new); }"
    )
    compiled = compile(source=program('arrive trace; trace "t.csv";', small, session))
    with pytest.raises(SerqError, match="1 of 2 requests of the run observe no `ttft`"):
        Replay(compiled, REQUESTS).predict(Cost(0.01, 0.0, 0.0, 1e-3, 0.0))


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        ("0.01", Cost(0.01, 0, 0, 0, 0)),
        ("2 * (0.01 + 3e-5 * decoders) + kv_decode / 4", Cost(0.02, 6e-5, 0.25, 0, 0)),
        ("0.01 + prefilled * 5e-5 - -1e-9 * attention", Cost(0.01, 0, 0, 5e-5, 1e-9)),
        ("max(0.01, 1e-5 * prefilled)", None),
        ("0.01 - 1e-5 * prefilled", None),
        ("0.01 + 1e-5 * tokens", None),
        ("decoders * prefilled", None),
        ("1 / decoders", None),
    ],
)
def test_a_cost_is_read_as_five_terms_or_not_at_all(cost: str, expected: Cost | None) -> None:
    text = program('arrive trace; trace "t.csv";', f"stage engine : step {{ cost {cost}; }}")
    replay = Replay(compile(source=text), REQUESTS)
    assert read_cost(replay.cost()) == expected
    start = starting_cost(replay)
    assert all(value > 0.0 for value in start.values())


def test_a_cost_links_to_its_expression() -> None:
    cost = Cost(0.0139, 4.1e-5, 0.0, 5.15e-5, 4.02e-9)
    text = program('arrive trace; trace "t.csv";', f"stage engine : step {{ cost {cost.text()}; }}")
    assert Replay(compile(source=text), REQUESTS).cost() == cost.expression()
    assert Cost(0, 0, 0, 0, 0).text() == "0"


def test_answers_of_one_token_have_no_tpot_to_fit() -> None:
    requests = tuple(MeasuredRequest(2.0 * n, 100 + n, 1, 0.11, 0.11) for n in range(20))
    replay = Replay(compile(source=program('arrive trace; trace "t.csv";')), requests)
    found = fit_run(replay, MeasuredRun("ones", requests), train=12, restarts=1)
    assert {cell.metric for cell in outcome.cells(found)} == {"ttft", "e2e"}
    assert all(abs(cell.error) < 0.15 for cell in outcome.cells(found))


def test_too_few_requests_are_refused() -> None:
    replay = Replay(compile(source=program('arrive trace; trace "t.csv";')), REQUESTS)
    with pytest.raises(SerqError, match="has 2 requests; 2 of them can not train"):
        fit_run(replay, MeasuredRun("two", REQUESTS))
