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
    before=st.sampled_from(["", "", "", "hold {kv} (5) {{ run desk (0.2); }}", "drop {kv};"]),
    units=st.sampled_from(["known", "min(known, hit + budget_left(engine[j]))", "p + o", "1"]),
    between=st.sampled_from(["", "", "", "run idle (0.05);", "grow {kv} (2);"]),
    decodes=st.sampled_from(["j", "j", "j", "{other}"]),
    growing=st.sampled_from(["growing {kv}", "growing {kv}", ""]),
    cache=st.sampled_from(["cache (p + o)", "cache (p + o)", "cache (p)"]),
    seen=st.sampled_from(
        ["0", "work(engine[j])", "used({kv}) + 1e6 * free({kv})", "work(engine[{other}])"]
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
    iterations = sum(stage["iterations"] for stage in answer["measured"]["stages"])
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
