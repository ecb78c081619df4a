"""Both engines give the same answer to the bit, on random programs and on errors of the run.

The same programs on every run. To look further, `SERQ_EXAMPLES=5000 pytest tests/native
--hypothesis-seed=7` tries so many others.
"""

import os

import pytest
from hypothesis import HealthCheck, given, settings

import serq
from serq.engines.python import PythonEngine
from serq.report.options import RunOptions
from tests.differential.corpus import PROGRAMS
from tests.native.both import bits, check_same, differences, outcome
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs


def examples(usual: int) -> settings:
    wanted = os.environ.get("SERQ_EXAMPLES")
    return settings(
        max_examples=int(wanted or usual),
        derandomize=wanted is None,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


@examples(150)
@given(valid_programs())
def test_random_programs(source: str) -> None:
    check_same(source, limit_events=20_000, limit_statements=20_000)


@examples(150)
@given(kernel_programs())
def test_programs_of_the_whole_kernel(source: str) -> None:
    check_same(source, limit_events=20_000, limit_statements=20_000)


@examples(80)
@given(kernel_programs())
def test_without_samples(source: str) -> None:
    seen = check_same(source, limit_events=20_000, limit_statements=20_000, samples=False)
    if isinstance(seen, dict):
        columns = ("samples", "times", "sessions", "turns", "values")
        parts = [*seen["observes"], *seen["gauges"]]
        assert all(not part.get(name) for part in parts for name in columns)


KV = "pool kv { cap 8; block 2; }\npool pools[3] { cap 5; }\nstage s : delay;\n"
RUN = "\nrun { horizon 50; seed 3; }"

ERRORS = {
    "SQ601": "workload { arrive batch(1); } session { set x = 0.5; branch (x) { end; } else { } }",
    "SQ602": "workload { arrive batch(1); } session { set i = 7; hold pools[i] (1) { } }",
    "SQ603": "workload { arrive batch(1); } session { hold kv (2) { load kv (5); } }",
    "SQ604": "workload { arrive batch(1); } session { loop { set x = 1; } }",
    "SQ604 choose": "workload { arrive batch(1); } session { choose j in inf by (j); }",
    "SQ604 closed": "workload { arrive closed(2); } session { end; }",
    "SQ606": "workload { arrive renewal(~uniform(-1, 0.5)); } session { run s (1); }",
    "SQ607": "workload { arrive batch(1); }"
    " session { set i = 0; hold pools[i] (1) { set i = 1; grow pools[i] (1); } }",
    "SQ608": "workload { arrive batch(30); } session { run s (1); }",
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_of_the_run(case: str) -> None:
    """The same code, text, place, path and time."""
    limits = {"limit_events": 500, "limit_statements": 1_000, "limit_sessions": 20}
    ((code, *_),) = check_same(KV + ERRORS[case] + RUN, **limits)
    assert code == case.split(maxsplit=1)[0]


@pytest.mark.parametrize(
    ("work", "run"),
    [
        ("1", "run { horizon 5; arrivals 1000; seed 1; }"),
        ("1000", "run { horizon 90; arrivals 3; seed 1; }"),
        ("1", "run { horizon 90; warmup 60; arrivals 3; seed 1; }"),
    ],
)
def test_a_limit_that_the_arrivals_do_not_reach(work: str, run: str) -> None:
    source = f"{KV} workload {{ arrive poisson(1); }} session {{ run s ({work}); }}"
    ((code, *_),) = check_same(source + run)
    assert code == "SQ605"


@pytest.mark.parametrize("terms", [1, 7, 10_000])
def test_deep_expressions(terms: int) -> None:
    """A sum is as deep as it is long; parentheses make it deep on the right."""
    left = " + ".join(["serial"] * terms)
    deep = min(terms, 60)
    right = "serial + (" * deep + "1" + ")" * deep
    source = f"""workload {{ arrive batch(3); }}
session {{ observe left = {left}; observe right = {right}; }}
run {{ horizon 1; seed 1; }}"""
    check_same(source)


def test_operators_and_functions_on_strange_numbers() -> None:
    """Each value as every operand, in an order that sees the sign of a NaN."""
    strange = ["0", "-0.0", "1", "-1", "0.5", "-2.5", "inf", "-inf", "x - x", "-(x - x)", "1e308"]
    unary = ["-{a}", "!{a}", "abs({a})", "floor({a})", "ceil({a})", "sqrt({a})", "exp({a})"]
    binary = ["{a} + {b}", "{a} * {b}", "{a} / {b}", "{a} ^ {b}", "min({a}, {b})", "max({a}, {b})"]
    tests = ["{a} < {b}", "{a} == {b}", "{a} != {b}", "{a} && {b}", "{a} || {b}"]
    chosen = ["({a} ? 1 : {b}) - {b}"]
    values = [text.format(a=f"({a})") for text in [*unary, "ln({a})"] for a in strange]
    for text in [*binary, *tests, *chosen]:
        values += [text.format(a=f"({a})", b=f"({b})") for a in strange for b in strange]
    observes = "\n".join(f"observe v = {value};" for value in values)
    check_same(f"""workload {{ arrive batch(1); init {{ set x = inf; }} }}
session {{ {observes} }}
run {{ horizon 1; seed 1; }}""")


@pytest.mark.parametrize("name", ["queue-ps-crowd", "queue-ps-undefined"])
def test_many_jobs_and_strange_tags_at_a_ps_stage(name: str) -> None:
    """More jobs than the engine keeps in order, equal tags, and tags that are no numbers."""
    check_same((PROGRAMS / f"{name}.sq").read_text("utf-8"))


DECODES = """pool kv {{ cap {cap}; block {block}; preempt lifo; }}
pool reqs[2] {{ cap 12; admit via engine; }}
stage engine[2] : step {{ budget 64; cost {cost}; memory kv; }}
stage idle : delay;
workload {{ arrive poisson({rate}); turn {{ set n = {prompt}; set o = {answer}; }} }}
session {{
  turn;
  choose j in 2 by (queue(engine[j]), work(engine[j]));
  hold reqs[j] (1), kv (min(known, budget_left(engine[j]))) reserve (known)
       at admission (known = computed < n ? n : computed + 1) {{
    run engine[j] prefill (known) growing kv;
    observe first = now;
    run engine[j] decode (max(o - 1 - (known - n), 0)) growing kv;
  }} cache (n + o)
  observe left = work(engine[j]) + budget_left(engine[j]);
  branch with (0.4) {{ run idle (~exp(1)); hold kv (n) {{ run idle (0.5); }} cache (n) }} else {{ }}
  end;
}}
run {{ horizon 150; warmup 7; seed 11; }}"""


@pytest.mark.parametrize("answer", ["floor(~exp(60)) + 1", "~exp(80) + 0.25"])
@pytest.mark.parametrize("prompt", ["floor(~uniform(1, 90))", "~exp(30)"])
@pytest.mark.parametrize(
    "cost",
    [
        "0.02 + 1e-4 * kv_decode + 1e-3 * prefilled",
        "max(0.01 * tokens, 0.03) + ~exp(0.001)",
        "0.01 + decoders * 0.003 + attention * 1e-6 + now * 1e-5",
    ],
)
def test_long_answers(prompt: str, answer: str, cost: str) -> None:
    """Iterations of decodes alone, which are counted, broken off by everything that can come."""
    from serq.native.run import run

    for cap, block, rate in ((600, 16, 0.6), (2000, 8, 1.2), (260, 1, 0.4)):
        source = DECODES.format(
            cap=cap, block=block, rate=rate, prompt=prompt, answer=answer, cost=cost
        )
        program = serq.compile(source=source)
        counted = bits(run(program.ir, RunOptions(spans=program.spans)))
        alone = bits(run(program.ir, RunOptions(spans=program.spans), fast_path=False))
        assert differences(counted, alone) == []
        assert differences(counted, outcome(PythonEngine(), program)) == []
        assert counted["stages"][0]["iterations"] > 500


def test_a_job_that_is_preempted_at_a_ps_stage_is_not_done_there() -> None:
    """The engine begins when the ps stage has had its turn: its rates are set at the next event,
    which is when the job that has left would be done."""
    seen = check_same(
        """
        pool kv { cap 10; block 1; preempt lifo; }
        stage desk : ps(1);
        stage idle : delay;
        stage engine : step { budget 10; cost 5; }
        workload { arrive renewal(1); }
        session {
          branch (serial == 0) {
            hold kv (1) { run idle (1.5); run engine prefill (8) growing kv; }
          } else {
            hold kv (6) { run desk (1); observe done = now; }
          }
        }
        run { horizon 50; arrivals 2; seed 1; }"""
    )
    assert seen["pools"][0]["preemptions"] == 1
    assert seen["observes"][0]["samples"] == bits([8.5])


def test_a_session_that_waits_to_grow_is_preempted_and_can_never_be_admitted_again() -> None:
    seen = check_same(
        """
        pool kv { cap 4; block 1; }
        pool seats { cap 10; block 1; preempt lifo; }
        stage idle : delay;
        workload { arrive renewal(1); }
        session {
          branch (serial == 0) { hold seats (1) { run idle (3.5); grow seats (9); } }
          else { hold seats (5), kv (now > 4 ? 9 : 2) { grow kv (5); } }
        }
        run { horizon 50; arrivals 2; seed 1; }"""
    )
    assert seen["pools"][1]["preemptions"] == 1
    assert [pool["rejected"] for pool in seen["pools"]] == [1, 0]
