"""Engines that sleep while all their requests are counted: the answer is the general path's.

`SERQ_EXAMPLES=5000 pytest tests/native/test_sleeping.py --hypothesis-seed=7` tries so many random
fleets instead of the usual ones.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import serq
from serq.native._engine import run_program
from serq.report.options import RunOptions
from tests.native.both import check_same
from tests.native.test_fast_path import check_paths
from tests.native.test_same_answer import examples

FLEET = """
{pools}
pool reqs[{engines}] {{ cap {seats}; {admit} }}
pool line {{ cap 3; }}
stage engine[{engines}] : step {{ budget {budget}; chunk {chunk}; cost {cost}; memory {memory}; }}
stage idle : delay;
stage desk : {desk};
workload {{ arrive {arrive}; init {{ set K = 0; }}
  turn {{ set n = {prompt}; set o = {answer}; }} }}
session {{
  turn;
  {visitor}
  loop {{
    set p = K + n;
    choose j in {engines} by ({route});
    {before}
    hold reqs[j] (1), {kv} ({units})
         at admission (known = computed < p ? p : computed + 1, hit = min(cachedin({kv}), p)) {{
      set c = min(cached, known - 1);
      run engine[j] prefill (known - c) growing {kv};
      observe first = now;
      {between}
      run engine[{decodes}] decode (max(o - 1 - (known - p), 0)) {growing};
    }} {cache}
    observe left = {seen};
    set K = turn_no < 4 ? p + o : 0;
    branch with (0.6) {{ run idle ({think}); turn; }} else {{ {last} end; }}
  }}
}}
{gauge}
run {{ horizon {horizon}; warmup {warmup}; seed {seed}; }}"""


def fleet(own: bool, evict: str, preempt: str, cap: int, block: float, **parts: Any) -> str:
    """The program of a fleet whose engines have memory of their own, or share it."""
    engines = parts["engines"]
    array = f"[{engines}]" if own else ""
    kv = "kv[j]" if own else "kv"
    names = {"kv": kv, "memory": "kv", "j": "j", "other": f"({engines} - 1 - j)"}
    pools = f"pool kv{array} {{ cap {cap}; block {block}; {evict} {preempt} }}"
    told = {
        name: part.format(**names) if isinstance(part, str) else part
        for name, part in parts.items()
    }
    return FLEET.format(pools=pools, **(told | names))


fleets = st.builds(
    fleet,
    own=st.sampled_from([True, True, True, False]),
    cap=st.sampled_from([60, 200, 600, 5000]),
    block=st.sampled_from([1, 3, 16, 2.5]),
    evict=st.sampled_from(["evict lru;", "evict lru;", "evict by (size, age);"]),
    preempt=st.sampled_from(["preempt lifo;", "preempt lifo;", ""]),
    engines=st.sampled_from([2, 2, 3, 5]),
    seats=st.sampled_from([1, 4, 30]),
    admit=st.sampled_from(["admit via engine;", "admit via engine;", ""]),
    budget=st.sampled_from([2, 9, 40, 2048]),
    chunk=st.sampled_from([0, 7, 2.5]),
    cost=st.sampled_from(
        [
            "0.02 + 1e-4 * kv_decode + 1e-3 * prefilled",
            "0.007 + 1e-5 * kv_decode",
            "0.0625",
            "0.125 + 0.0078125 * kv_decode",
            "kv_decode > 40 ? 0 : 0.25",
            "0.125 * tokens",
            "tokens > 1 ? 0.05 : 0",
            "max(0.01 * tokens, 0.03) + ~exp(0.001)",
            "0.01 + decoders * 0.003 + now * 1e-5",
        ]
    ),
    desk=st.sampled_from(["fifo(1)", "ps(1)", "ps(min(present, 2))"]),
    arrive=st.sampled_from(
        ["poisson(0.5)", "poisson(2)", "closed(7)", "batch(30)", "renewal(1)", "renewal(~exp(1))"]
    ),
    visitor=st.sampled_from(
        ["", "", "branch with (0.5) {{ run desk (~exp(0.3)); observe seen = {seen}; }}"]
    ).map(lambda part: part.replace("{seen}", "now")),
    prompt=st.sampled_from(["floor(~uniform(1, 40)) + 1", "~exp(20) + 1", "12", "0.3"]),
    answer=st.sampled_from(["floor(~exp(40)) + 1", "~exp(60) + 0.25", "50", "17.5", "200"]),
    route=st.sampled_from(
        [
            "queue(engine[j])",
            "work(engine[j]), j",
            "budget_left(engine[j]), busy(engine[j])",
            "holders(reqs[j]) + queued(reqs[j])",
            "used({kv})",
            "0 - cachedin({kv}), free({kv})",
        ]
    ),
    before=st.sampled_from(
        [
            "",
            "",
            "hold {kv} (5) {{ run desk (0.2); }}",
            "hold {kv} (5) {{ run desk (0.25); grow {kv} (7); run idle (0.5); }}",
            "hold {kv} (2) {{ run idle (0.25); }} lease {kv} (0.5)",
            "hold line (~uniform(1, 2)) {{ run desk (0.25); }}",
            "drop {kv};",
        ]
    ),
    units=st.sampled_from(["known", "min(known, hit + budget_left(engine[j]))", "p + o", "1"]),
    between=st.sampled_from(["", "", "", "run idle (0.05);", "grow {kv} (2);"]),
    decodes=st.sampled_from(["j", "j", "j", "{other}"]),
    growing=st.sampled_from(["growing {kv}", "growing {kv}", ""]),
    cache=st.sampled_from(["cache (p + o)", "cache (p + o)", "cache (p)"]),
    seen=st.sampled_from(
        [
            "0",
            "work(engine[j])",
            "used({kv}) + 1e6 * free({kv})",
            "work(engine[{other}])",
            "busy(engine[{other}])",
        ]
    ),
    think=st.sampled_from(["~exp(1)", "0.5"]),
    last=st.sampled_from(["", "drop {kv};"]),
    gauge=st.sampled_from(["", "", "", "gauge g = used(reqs[0]);"]),
    horizon=st.sampled_from([20, 60]),
    warmup=st.sampled_from([0, 5, 7.1]),
    seed=st.integers(0, 99),
)
"""Engines that sleep, and what may concern them: routing, tools, memory, ties of times."""


@examples(150)
@given(fleets)
def test_the_fast_path_is_the_general_path(source: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_paths(serq.compile(source=source), patch)


@examples(30)
@given(fleets)
def test_both_engines_agree(source: str) -> None:
    check_same(source)


def answer_of(source: str) -> dict[str, Any]:
    """What the engine answers, with how it got there."""
    program = serq.compile(source=source)
    limits = RunOptions()
    return run_program(
        program.ir,
        [],
        limit_statements=limits.limit_statements,
        limit_events=limits.limit_events,
        limit_sessions=limits.limit_sessions,
        ask=lambda *_: None,
        samples=True,
        fast_path=True,
    )


TWO = """
pool reqs[2] {{ cap 30; admit via engine; }}
stage engine[2] : step {{ budget 100; cost {cost}; }}
workload {{ arrive {arrive}; }}
session {{
  set j = serial - 2 * floor(serial / 2);
  hold reqs[j] (1) {{ run engine[j] prefill (10); run engine[j] decode (200); }}
  observe done = now;
  end;
}}
run {{ horizon 100; seed 1; }}"""


def test_engines_sleep_through_most_iterations() -> None:
    source = TWO.format(cost="0.01 + 0.001 * decoders", arrive="poisson(1)")
    answer = answer_of(source)
    assert not answer["restarted"]
    iterations = sum(answer["measured"]["stages"]["iterations"])
    assert answer["slept"] > 0.8 * iterations
    check_same(source)


def test_a_tie_that_matters_has_the_run_made_again() -> None:
    source = TWO.format(cost="0.25", arrive="renewal(0.5)")
    answer = answer_of(source)
    assert answer["restarted"]
    assert answer["slept"] == 0
    check_same(source)


def test_ties_of_engines_that_nothing_concerns_do_not_matter() -> None:
    source = TWO.format(cost="0.25 + 0.5 * serial", arrive="batch(2)").replace(
        " + 0.5 * serial", ""
    )
    answer = answer_of(source.replace("decode (200)", "decode (200 + 150 * serial)"))
    assert not answer["restarted"]
    assert answer["slept"] > 300


SLEEPER = """
{share}
pool reqs[2] {{ cap 30; admit via engine; }}
{pools}
stage engine[2] : step {{ budget 100; cost {cost}; {memory} }}
stage idle : delay;
stage desk : ps(1);
stage link : ps(5);
stage gate : fifo(1);
workload {{ arrive renewal({gap}); }}
session {{
  branch (serial == 0) {{
    hold reqs[1] (1) {{ run engine[1] prefill (10); run engine[1] decode (100); }}
  }} else {{ {others} }}
  observe done = now + 1000 * serial;
}}
run {{ horizon {horizon}; arrivals {arrivals}; seed 1; }}"""


def sleeper(others: str, **parts: Any) -> str:
    """One session decodes on an engine that sleeps; the others may concern it."""
    usual = {"share": "", "pools": "", "memory": "", "cost": 0.5, "gap": 1, "arrivals": 3}
    return SLEEPER.format(**(usual | {"horizon": 200} | parts), others=others)


FIRST_ENGINE = "hold reqs[0] (1) { run engine[0] prefill (10); }"
TWO_AT_THE_DESK = """run desk{also} (serial == 1 ? 3 : 1);
    branch (serial == 2) {{ {engine} }} else {{ }}
    run gate (0.1);"""
"""A run at the desk ends as an iteration of the sleeper does, before it, and its session goes to
the other engine. The other run there and that engine's iteration end at the same time later."""

IN_TIES = {
    "busy": sleeper("observe b = busy(engine[1]);", gap=0.25, arrivals=9),
    "rates": sleeper(
        TWO_AT_THE_DESK.format(also="", engine=FIRST_ENGINE), cost="tokens > 5 ? 1 : 0.5"
    ),
    "flows": sleeper(
        TWO_AT_THE_DESK.format(also=", link", engine=FIRST_ENGINE),
        cost="tokens > 5 ? 1 : 0.5",
        share="share maxmin;",
    ),
    "draws of those who wait": sleeper(
        """branch (serial == 1) { run idle (0.75); hold q (2) { run idle (0.25); } }
        else { hold q (~uniform(1, 2)) { observe x = ~uniform(0, 1); } }""",
        pools="pool q { cap 2; }",
    ),
}


@pytest.mark.parametrize("case", IN_TIES)
def test_what_shows_whether_a_sleeper_s_iteration_has_ended(case: str) -> None:
    assert answer_of(IN_TIES[case])["restarted"]
    check_same(IN_TIES[case])


@pytest.mark.parametrize("limit", range(3, 9))
def test_the_end_of_a_sleeper_s_iteration_is_an_event_of_its_instant(limit: int) -> None:
    steps = "run idle (0.25); run idle (0); run idle (0); run idle (0);"
    check_same(sleeper(steps, gap=0.75, arrivals=20), limit_events=limit)


@pytest.mark.parametrize("memory", ["", "memory kv;"])
def test_a_sleeper_s_resident_is_preempted(memory: str) -> None:
    source = sleeper(
        """branch (serial == 1) { run idle (2.9); hold reqs[0] (1), kv (60) {
          run engine[0] prefill (10); run engine[0] decode (50); } }
        else { hold kv (1) { run idle (3.3); grow kv (50); } }""",
        cost="0.27 + 0.001 * decoders",
        pools="pool kv { cap 100; block 1; preempt lifo; }",
        memory=memory,
        gap=1.7,
    )
    assert answer_of(source)["slept"] > 50
    seen = check_same(source)
    assert sum(pool["preemptions"] for pool in seen["pools"]) == 1


@pytest.mark.parametrize(
    "cost",
    [
        "kv_decode > 64 ? 0 : 1",
        "kv_decode == 64 ? 0 : 1",
        "kv_decode > 64 ? 1e-300 : 1",
        "kv_decode > 64 ? 1e300 * 1e300 : 1",
        "kv_decode > 64 ? ln(-1) : 1",
        "kv_decode == 64 ? 1 : 1e-18",
    ],
)
@pytest.mark.parametrize("horizon", [62, 400])
def test_iterations_that_take_no_time(cost: str, horizon: int) -> None:
    check_same(f"""
        pool kv[2] {{ cap 3000; block 4; }}
        stage engine[2] : step {{ budget 100; cost {cost}; memory kv; }}
        workload {{ arrive renewal(0.3); }}
        session {{
          hold kv[serial] (1) {{
            run engine[serial] decode (200) growing kv[serial]; observe done = now;
          }}
        }}
        run {{ horizon {horizon}; arrivals 2; seed 1; }}""")


def test_the_time_of_a_run_that_did_not_drain_is_that_of_a_sleeper_s_last_iteration() -> None:
    ((code, *_, data),) = check_same(sleeper("", cost=0.3, horizon=20))
    assert (code, data["time"] > 19) == ("SQ605", True)


def test_iterations_after_one_that_somebody_left_are_others() -> None:
    seen = check_same("""
        pool kv { cap 10; block 1; preempt lifo; }
        stage engine : step { budget 10; cost 0.3; }
        stage idle : delay;
        workload { arrive renewal(1); }
        session {
          branch (serial == 0) { hold kv (1) { run idle (4.25); grow kv (6); } }
          else { branch (serial == 1) { run engine decode (60); }
          else { hold kv (6) { branch (now < 4) { run engine decode (60); } else { } } } }
        }
        run { horizon 50; arrivals 3; seed 1; }""")
    assert seen["pools"][0]["preemptions"] == 1
