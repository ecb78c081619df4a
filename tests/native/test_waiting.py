"""Sessions that wait are asked again when the answer can have changed: whoever asks at every event
gets the same answer.

`SERQ_EXAMPLES=5000 pytest tests/native/test_waiting.py --hypothesis-seed=7` tries so many random
deployments instead of the usual ones.
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import serq
from tests.native.both import bits, check_same
from tests.native.test_fast_path import check_paths
from tests.native.test_same_answer import examples
from tests.native.test_sleeping import answer_of

DEPLOYMENT = """
pool gate {{ cap {limit}; {order} {give_way} }}
pool kv{own} {{ cap {cap}; block {block}; {evict} {preempt} {order} {spill} }}
pool reqs[{engines}] {{ cap {seats}; {admit} }}
pool slot {{ cap {slots}; {give_way} {order} }}
pool tier {{ cap 90; {tier} }}
stage engine[{engines}] : step {{ budget {budget}; chunk {chunk}; cost {cost}; memory kv; }}
stage idle : delay;
stage desk : {desk};
workload {{ {arrive} {init} turn {{ set n = {prompt}; set o = {answer}; }} }}
session {{
  turn;
  loop {{
    set p = K + n;
    set i = serial - 2 * floor(serial / 2);
    choose j in {engines} by ({route});
    {before}
    {gate} {{
    hold {header}
         at admission (known = computed < p ? p : computed + 1, hit = min(cachedin({kv}), p)) {{
      set c = min(cached, known - 1);
      run engine[j] prefill (known - c) growing {kv};
      observe first = now;
      {between}
      run engine[j] decode (max(o - 1 - (known - p), 0)) {growing};
    }} {cache} }}
    observe left = used({kv}) + 1000 * now;
    set K = turn_no < 4 ? p + o : 0;
    branch with (0.6) {{ run idle ({think}); turn; }} else {{ end; }}
  }}
}}
{gauge}
run {{ horizon {horizon}; warmup {warmup}; seed {seed}; }}"""

NEEDS = [
    "known",
    "known",
    "p + o",
    "1",
    "min(known, hit + budget_left(engine[j]))",
    "p - hit",
    "min(p, free({kv}))",
    "free({kv}) - 10",
    "used({kv}) / 2",
    "used({kv}) > 30 ? 5 : 50",
    "~uniform(1, 40)",
    "now",
    "max(0, 20 - (now - floor(now)) * 40)",
    "5 + work(engine[j])",
    "8 * queued(gate)",
    "2 - queued(reqs[j])",
    "5 + queue(engine[{engines} - 1 - j])",
    "5 + busy(engine[{engines} - 1 - j]) * 10",
    "known < 30 && cachedin(tier) >= 0 ? known : 30",
    "ceil(p / 16) * 16",
    "max k in {engines} (holders(reqs[k])) * 3",
    "i < 1 || used(kv[i * {engines} * floor(now / 15)]) > 3 ? 9 : 30",
    "cachedin(tier) + p",
]

HEADERS = [
    "reqs[j] (1), {kv} ({units}) {reserve}",
    "reqs[j] (1), {kv} ({units}) {reserve}",
    "{kv} ({units}) {reserve}, reqs[j] (1)",
    "slot (1), reqs[j] (1), {kv} ({units}) {reserve}",
    "reqs[j] (0) reserve (1), {kv} ({units})",
    "{kv} ({units}) {reserve}",
]

GATES = [
    "hold slot (0)",
    "hold gate (1)",
    "hold gate (1)",
    "hold gate (p > 30 ? 2 : 1)",
    "hold gate (1 + queued(gate) / 3)",
    "hold gate (1), slot (1)",
    "hold gate (i + 1) reserve (2)",
]

BEFORE = [
    "",
    "",
    "hold slot (2) { run desk (0.25); hold gate (2) { run idle (0.5); } grow slot (1); }",
    "hold slot (1) { run idle (0.5); grow slot (2); run desk (0.2); }",
    "hold {kv} (5) { run desk (0.25); grow {kv} (7); run idle (0.5); }",
    "hold {kv} (6) { run idle (0.25); } cache (4) lease {kv} (0.5)",
    "hold tier (2 + cachedin(tier)) { run desk (0.3); } cache (2) lease tier (~exp(1))",
    "hold gate (1) { run idle (0.25); release gate; hold slot (3) { run idle (0.5); } }",
]

ORDERS = [
    "",
    "",
    "queue by (p);",
    "queue by (0 - waited);",
    "queue by (floor(waited), p);",
    "queue by (p + 40 * (waited < 1));",
    "queue by (used(gate), 0 - serial);",
    "queue by (i, 0 - now + waited);",
]


def written_out(part: str, names: dict[str, str]) -> str:
    """A part of the program with what the others are called."""
    for name, value in names.items():
        part = part.replace(name, value)
    return part


def deployment(own: bool, **parts: Any) -> str:
    """A program whose engines have memory of their own, or share it."""
    engines = str(parts["engines"])
    names = {"{units}": parts["units"], "{reserve}": parts["reserve"], "{engines}": engines}
    names |= {"kv[": "kv["} if own else {"kv[i * " + engines + " * floor(now / 15)]": "kv"}
    names["{kv}"] = "kv[j]" if own else "kv"
    told = {name: written_out(str(part), names) for name, part in parts.items()}
    told["init"] = "init { set K = 0; }"
    return DEPLOYMENT.format(**told, own=f"[{engines}]" if own else "", kv=names["{kv}"])


PARTS: dict[str, Any] = {
    "own": st.sampled_from([True, True, False]),
    "cap": st.sampled_from([60, 110, 200, 600]),
    "block": st.sampled_from([1, 4, 16, 2.5]),
    "evict": st.sampled_from(["evict lru;", "evict lru;", "evict by (size, age);"]),
    "preempt": st.sampled_from(["preempt lifo;", "preempt lifo;", ""]),
    "give_way": st.sampled_from(["", "", "preempt lifo;"]),
    "order": st.sampled_from(ORDERS),
    "spill": st.sampled_from(
        ["", "", "spill tier via desk (size / 50) when (1);", "spill tier via idle (0) when (i);"]
    ),
    "tier": st.sampled_from(["", "block 1;", "evict lru;"]),
    "limit": st.sampled_from([2, 3, 5, 9]),
    "slots": st.sampled_from([4, 9]),
    "engines": st.sampled_from([1, 2, 2, 3, 4]),
    "seats": st.sampled_from([1, 2, 5, 30]),
    "admit": st.sampled_from(["admit via engine;", "", "", *ORDERS[2:5]]),
    "budget": st.sampled_from([9, 40, 2048]),
    "chunk": st.sampled_from([0, 7]),
    "cost": st.sampled_from(
        [
            "0.02 + 1e-4 * kv_decode + 1e-3 * prefilled",
            "0.007 + 1e-5 * kv_decode",
            "0.017 + 0.001 * decoders",
            "0.0625",
            "0.125 + 0.0078125 * kv_decode",
            "tokens > 1 ? 0.05 : 0",
            "max(0.01 * tokens, 0.03) + ~exp(0.001)",
        ]
    ),
    "desk": st.sampled_from(["fifo(1)", "ps(1)", "ps(min(present, 2))"]),
    "arrive": st.sampled_from(
        [
            "arrive poisson(0.7);",
            "arrive poisson(3);",
            "arrive closed(9);",
            "arrive batch(30);",
            "arrive renewal(0.5);",
            "arrive renewal(~exp(0.5));",
        ]
    ),
    "prompt": st.sampled_from(["floor(~uniform(1, 40)) + 1", "~exp(20) + 1", "12"]),
    "answer": st.sampled_from(["floor(~exp(40)) + 1", "~exp(60) + 0.25", "50", "200"]),
    "route": st.sampled_from(
        [
            "queue(engine[j])",
            "holders(reqs[j]) + queued(reqs[j])",
            "used({kv})",
            "0 - cachedin({kv}), free({kv})",
            "j == i ? 0 : 1",
        ]
    ),
    "before": st.sampled_from(BEFORE),
    "gate": st.sampled_from(GATES),
    "header": st.sampled_from(HEADERS),
    "units": st.sampled_from(NEEDS),
    "reserve": st.sampled_from(["", "", "reserve (known)", "reserve (min(p + o, 60))"]),
    "between": st.sampled_from(["", "", "run idle (0.05);", "grow {kv} (2);"]),
    "growing": st.sampled_from(["growing {kv}", "growing {kv}", ""]),
    "cache": st.sampled_from(["cache (p + o)", "cache (p + o)", "cache (p)"]),
    "think": st.sampled_from(["~exp(1)", "0.5"]),
    "gauge": st.sampled_from(["", "", "", "", "", "gauge g = used(reqs[0]);"]),
    "horizon": st.sampled_from([20, 50]),
    "warmup": st.sampled_from([0, 5, 7.1]),
    "seed": st.integers(0, 99),
}

SLEEPY = {
    "cap": st.sampled_from([110, 250, 600]),
    "block": st.sampled_from([1, 4, 16]),
    "evict": st.just("evict lru;"),
    "spill": st.just(""),
    "engines": st.sampled_from([2, 3, 4]),
    "seats": st.sampled_from([1, 2, 5]),
    "cost": st.sampled_from(["0.007 + 1e-5 * kv_decode", "0.017 + 0.001 * decoders", "0.0625"]),
    "arrive": st.sampled_from(["arrive poisson(0.7);", "arrive closed(9);", "arrive batch(20);"]),
    "answer": st.sampled_from(["floor(~exp(100)) + 20", "~exp(60) + 0.25", "200"]),
    "before": st.sampled_from([*BEFORE, "", "", "", ""]),
    "gate": st.sampled_from([*GATES, "hold gate (1)", "hold gate (1)"]),
    "units": st.sampled_from([*NEEDS, *["known"] * 9, *["p + o"] * 9]),
    "between": st.just(""),
    "gauge": st.just(""),
    "horizon": st.just(50),
}
"""Parts of those in which engines sleep most of the time."""

deployments = st.one_of(*[st.builds(deployment, **PARTS | more) for more in ({}, SLEEPY, SLEEPY)])
"""Queues that no engine serves: what their holds need depends on all that a hold may ask."""

TRACED = {
    "arrive": st.just("arrive trace; trace TRACE;"),
    "prompt": st.just("new"),
    "answer": st.just("out"),
}
traced = st.one_of(*[st.builds(deployment, **PARTS | more | TRACED) for more in ({}, SLEEPY)])
"""The same, whose sessions arrive and take their turns as a trace has them."""

gaps = st.sampled_from(["0", "0.25", "0.5", "1", "0.3", "2.125"])
turns = st.tuples(st.integers(1, 40), st.sampled_from([1, 20, 60, 200]), gaps)
recorded = st.lists(st.tuples(gaps, st.lists(turns, min_size=1, max_size=3)), min_size=1)


def lines_of(sessions: Any) -> str:
    """The trace of sessions, each with the gap after which it arrives, and its turns."""
    lines = []
    arrival = 0.0
    for session, (gap, taken) in enumerate(sessions):
        arrival += float(gap)
        for turn, (prompt, answer, think) in enumerate(taken):
            lines.append(f"{session},{turn},{prompt},{answer},{think},0,{arrival}\n")
    return "".join(lines)


@examples(100)
@given(deployments)
def test_the_fast_path_is_the_general_path(source: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        check_paths(serq.compile(source=source), patch)


@examples(40)
@given(deployments)
def test_both_engines_agree(source: str) -> None:
    check_same(source)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("waiting") / "trace.csv"


@examples(40)
@given(source=traced, sessions=recorded)
def test_arrivals_of_a_trace(trace: Path, source: str, sessions: Any) -> None:
    trace.write_text(lines_of(sessions))
    check_same(source.replace("TRACE", f'"{trace}"'))


FULL = """
pool seats[2] {{ cap 3; {order} }}
pool line {{ cap 4; }}
pool kv {{ cap 50; block 1; {spill} }}
pool tier {{ cap 500; }}
pool few[2] {{ cap 9; }}
stage engine[2] : step {{ budget 100; cost 0.0173 + 0.001 * decoders; }}
stage idle : delay;
stage desk : fifo;
workload {{ arrive poisson(1); }}
session {{
  set j = serial - 2 * floor(serial / 2);
  hold line (1) {{ run desk (~exp(0.5)); {before} }} {cache}
  hold seats[j] (1){also} {{ run engine[j] prefill (10); run engine[j] decode (200); }}
  observe done = now;
  end;
}}
run {{ horizon 60; seed 1; }}"""


def full(also: str, **parts: str) -> str:
    """Engines with three seats each, for which somebody waits most of the time."""
    return FULL.format(also=also, **({"order": "", "before": "", "cache": "", "spill": ""} | parts))


SPARED = {
    "a number": full(""),
    "an attribute": full(", line (j) reserve (j + 1)"),
    "what matters elsewhere": full(", kv (min(j, cachedin(kv))) reserve (used(kv) + now)"),
    "keys": full("", order="queue by (0 - waited, used(kv));"),
}


@pytest.mark.parametrize("case", SPARED)
def test_engines_sleep_while_somebody_waits(case: str) -> None:
    answer = answer_of(SPARED[case])
    measured = answer["measured"]
    assert not answer["restarted"]
    assert answer["slept"] > 0.8 * sum(measured["stages"]["iterations"])
    check_same(SPARED[case])


ASKED = {
    "draws": full(", kv (~uniform(0, 1))"),
    "is noted": full(", kv (used(line) - 2)"),
    "is noted, being no number": full(", kv (0 / used(line))"),
    "is an error": full(", few[used(line) - 1] (1)"),
    "is an error where it is read": full(", kv (used(line) > 3 ? used(few[now]) : 1)"),
    "is an error in a key": full("", order="queue by (free(few[waited]));"),
}


@pytest.mark.parametrize("case", ASKED)
def test_asking_does_something(case: str) -> None:
    check_same(ASKED[case])


STEPS = """
pool q {{ cap 5; {order} }}
pool a {{ cap 10; preempt lifo; block 1; spill tier via idle (0) when (1); }}
pool g {{ cap 8; }}
pool tier {{ cap 50; }}
stage idle : delay;
workload {{ arrive renewal(1); }}
session {{
  branch (serial == 0) {{ {first} }} else {{ }}
  branch (serial == 1) {{ {second} }} else {{ }}
  branch (serial == 2) {{ {third} }} else {{ }}
  branch (serial == 3) {{ {fourth} }} else {{ }}
  branch (serial < 4) {{ observe done = now + 1000 * serial; }} else {{ }}
}}
run {{ horizon 100; seed 1; }}"""

HOLDS = "hold q (2) { run idle (50); }"
GROWS = "hold a (5) { run idle (6); grow a (5); run idle (50); }"
KEEPS = "hold a (4) { } cache (4)"


def steps(first: str, second: str, third: str, fourth: str = "", order: str = "") -> str:
    """Sessions that arrive at 1, 2, 3 and 4, and meet."""
    return STEPS.format(first=first, second=second, third=third, fourth=fourth, order=order)


CHANGES = {
    "the first in the queue is preempted elsewhere": (
        steps(HOLDS, GROWS, "hold a (2) { hold q (5) { } }", "hold q (1) { }"), 3, 8
    ),
    "the first that grows is preempted elsewhere": (
        steps(
            GROWS,
            "hold g (4) { hold a (2) { grow g (5); } }",
            "hold g (2) { run idle (1.5); grow g (2); }",
            "hold g (1) { run idle (1); }",
        ), 2, 7
    ),
    "the prefix is back after a lease": (
        steps(HOLDS, KEEPS + " lease a (2) hold q (4 - cachedin(a)) { }", ""), 1, 4
    ),
    "the prefix is spilled": (
        steps(HOLDS, KEEPS + " hold q (4 - cachedin(tier)) { }", "hold a (10) { }"), 1, 3
    ),
    "the prefix is evicted": (
        steps(HOLDS, KEEPS + " hold q (1 + cachedin(a)) { }", "hold a (10) { }"), 1, 3
    ),
    "another one comes first": (
        steps(
            "hold q (2), g (4) { run idle (5); release g; run idle (50); }",
            "hold q (4) { }",
            "hold q (3), g (5) { }",
            order="queue by (0 - serial);",
        ), 2, 6
    ),
}  # fmt: skip
"""Who is let in when, though nothing was given back to the pool that was full."""


@pytest.mark.parametrize("case", CHANGES)
def test_the_answer_changes_while_somebody_waits(case: str) -> None:
    source, session, time = CHANGES[case]
    seen = check_same(source)
    (done,) = seen["observes"]
    assert bits(time + 1000.0 * session) in done["samples"]
