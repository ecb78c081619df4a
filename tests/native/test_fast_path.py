"""The fast path and the general path of the native engine give the same answer to the bit.

`SERQ_EXAMPLES=5000 pytest tests/native/test_fast_path.py --hypothesis-seed=7` tries so many random
programs instead of the usual ones.
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import serq
from serq.engines.native import NativeEngine
from tests.native.both import differences, outcome
from tests.native.test_same_answer import examples
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs

PROGRAMS = Path(__file__).parents[2] / "bench" / "programs"

HORIZONS = {
    "engine_light": (300, 30),
    "engine_heavy": (40, 4),
    "fleet8": (30, 3),
    "fleet200": (2, 0.2),
    "cliff": (150, 15),
    "mg1": (2_000, 100),
    "ps_crowd": (200, 20),
}
"""Horizon and warm-up of each program of the benchmark, in simulated seconds."""

ENGINES = """
pool kv {{ cap {cap}; block {block}; {evict} {preempt} }}
pool reqs[{engines}] {{ cap {seats}; admit via engine; }}
stage engine[{engines}] : step {{ budget {budget}; chunk {chunk}; cost {cost}; memory kv; }}
stage idle : delay;
workload {{ arrive {arrive}; init {{ set K = 0; }}
  turn {{ set n = {prompt}; set o = {answer}; }} }}
session {{
  turn;
  loop {{
    set p = K + n;
    choose j in {engines} by ({route});
    hold reqs[j] (1), kv ({units}) {reserve}
         at admission (known = computed < p ? p : computed + 1, hit = min(cachedin(kv), p)) {{
      set c = min(cached, known - 1);
      observe wait = now;
      run engine[j] prefill (known - c) growing kv;
      observe first = now;
      {between}
      run engine[j] decode (max(o - 1 - (known - p), 0)) {growing};
    }} cache (p + o)
    observe left = work(engine[j]) + budget_left(engine[j]) + used(kv);
    set K = turn_no < 4 ? p + o : 0;
    branch with (0.6) {{ run idle ({think}); turn; }} else {{ end; }}
  }}
}}
run {{ horizon 60; warmup 5; seed {seed}; }}"""

engine_programs = st.builds(
    ENGINES.format,
    cap=st.sampled_from([60, 200, 600, 5000]),
    block=st.sampled_from([1, 3, 16]),
    evict=st.sampled_from(["evict lru;", "evict lru;", "evict by (size, age);"]),
    preempt=st.sampled_from(["preempt lifo;", "preempt lifo;", ""]),
    engines=st.sampled_from([1, 1, 2, 3]),
    seats=st.sampled_from([1, 4, 30]),
    budget=st.sampled_from([2, 9, 40, 2048]),
    chunk=st.sampled_from([0, 7, 2.5]),
    cost=st.sampled_from(
        [
            "0.02 + 1e-4 * kv_decode + 1e-3 * prefilled",
            "0.05",
            "max(0.01 * tokens, 0.03) + ~exp(0.001)",
            "0.01 + decoders * 0.003 + attention * 1e-6 + now * 1e-5",
        ]
    ),
    arrive=st.sampled_from(["poisson(0.5)", "poisson(2)", "closed(7)", "batch(30)"]),
    prompt=st.sampled_from(["floor(~uniform(1, 40)) + 1", "~exp(20) + 1", "12", "0.3"]),
    answer=st.sampled_from(["floor(~exp(40)) + 1", "~exp(60) + 0.25", "50", "17.5"]),
    route=st.sampled_from(["queue(engine[j])", "work(engine[j]), j", "budget_left(engine[j])"]),
    units=st.sampled_from(["known", "min(known, hit + budget_left(engine[j]))", "p + o", "1"]),
    reserve=st.sampled_from(["", "reserve (known)"]),
    between=st.sampled_from(["", "", "run idle (0.05);", "grow kv (2);"]),
    growing=st.sampled_from(["growing kv", "growing kv", ""]),
    think=st.sampled_from(["~exp(1)", "0.5"]),
    seed=st.integers(0, 99),
)
"""Engines whose residents come, grow, run short of memory or budget, and leave."""


def check_paths(program: serq.Program, monkeypatch: pytest.MonkeyPatch, **options: Any) -> None:
    seen = []
    for switch in ("1", "0"):
        monkeypatch.setenv("SERQ_FAST_PATH", switch)
        seen.append(outcome(NativeEngine(), program, **options))
    assert differences(*seen) == []


@pytest.mark.parametrize("name", HORIZONS)
def test_programs_of_the_benchmark(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    horizon, warmup = HORIZONS[name]
    program = serq.compile(PROGRAMS / f"{name}.sq", horizon=horizon, warmup=warmup)
    check_paths(program, monkeypatch)


@examples(150)
@given(st.one_of(engine_programs, engine_programs, kernel_programs(), valid_programs()))
def test_random_programs(source: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        check_paths(
            serq.compile(source=source), monkeypatch, limit_events=20_000, limit_statements=20_000
        )
