"""A run that can not move on ends with an error that names the place."""

import pytest
from tests.unit.semantics.running import refused, run, samples, text_at

from serq.report.options import Progress


@pytest.mark.parametrize(
    "body",
    [
        "loop { }",
        "loop { set x = 1; }",
        "loop { loop { branch (1) { } } }",
        "loop { run s (0); }",
        "loop { hold kv (1) { } }",
    ],
)
def test_a_loop_in_which_no_time_passes(body: str) -> None:
    source = f"""pool kv {{ cap 5; }} stage s : delay; workload {{ arrive batch(1); }}
session {{ {body} }}"""
    diagnostic = refused(source, limit_statements=1000, limit_events=3000)
    assert diagnostic.code == "SQ604"
    assert "time stands still" in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.start_line == 2
    assert text_at(diagnostic).startswith("loop")


def test_statements_are_counted_for_each_instant() -> None:
    source = """stage s : delay; workload { arrive batch(1); }
session { loop { set a = 1; set b = 2; run s (1); } }"""
    assert run(source, limit_statements=6).events == 100


def test_choosing_among_endlessly_many() -> None:
    source = """workload { arrive batch(1); } stage s : delay;
session { choose j in inf by (j); }"""
    diagnostic = refused(source)
    assert diagnostic.code == "SQ604"
    assert text_at(diagnostic).startswith("choose")


def test_sessions_that_replace_each_other_at_one_instant() -> None:
    diagnostic = refused("workload { arrive closed(2); }\nsession { end; }", limit_events=500)
    assert diagnostic.code == "SQ604"
    assert text_at(diagnostic) == "end"


def test_iterations_of_no_cost_that_preempt_for_ever() -> None:
    source = """pool kv { cap 4; block 1; preempt lifo; }
pool reqs { cap 1; admit via e; }
stage e : step { budget 8; cost 0; memory kv; }
workload { arrive batch(1); }
session { hold reqs (1), kv (2) { run e prefill (9) growing kv; } }"""
    diagnostic = refused(source, limit_events=500)
    assert diagnostic.code == "SQ604"
    assert diagnostic.span is not None
    assert diagnostic.span.start_line in (3, 5)


def test_what_is_spilled_may_not_come_back() -> None:
    source = """pool a { cap 2; block 1; spill b via s (0) when (1); }
pool b { cap 2; block 1; spill a via s (0) when (1); }
stage s : delay; workload { arrive batch(3); }
session { hold a (2) { } cache (2) }"""
    diagnostic = refused(source)
    assert diagnostic.code == "SQ604"
    assert "spilled back" in diagnostic.message


def test_evictions_by_the_billion() -> None:
    source = """pool kv { cap 10; block 1e-9; } stage s : delay;
workload { arrive batch(2); } session { hold kv (10) { } cache (10) }"""
    assert refused(source, limit_events=1000).code == "SQ604"


@pytest.mark.parametrize("arrival", ["batch(1000000000)", "closed(11)", "poisson(1)"])
def test_sessions_alive_at_once(arrival: str) -> None:
    source = f"stage s : delay; workload {{ arrive {arrival}; }} session {{ run s (inf); }}"
    diagnostic = refused(source, limit_sessions=10)
    assert diagnostic.code == "SQ608"
    assert text_at(diagnostic) == f"arrive {arrival}"


def test_as_many_as_the_limit_are_fine() -> None:
    source = "stage s : delay; workload { arrive closed(10); } session { run s (1); }"
    assert run(source, limit_sessions=10).arrivals == 10 + 10 * 100


LONG = """stage s : fifo; workload { arrive poisson(0.8); }
session { run s (~exp(1)); observe t = now; end; } run { horizon 5000; seed 1; }"""


def test_progress_tells_where_the_run_is(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1_000_000))
    monkeypatch.setattr("serq.semantics.watch.time.monotonic", lambda: float(next(clock)))
    told: list[Progress] = []
    measured = run(LONG, progress=told.append)
    assert len(told) > 3
    assert [p.now for p in told] == sorted(p.now for p in told)
    assert all(0 < p.events < measured.events for p in told)
    assert samples(measured, "t") == samples(run(LONG), "t")


def test_an_interrupted_run_is_partial(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1_000_000))
    monkeypatch.setattr("serq.semantics.watch.time.monotonic", lambda: float(next(clock)))

    def stop(progress: Progress) -> None:
        if progress.events > 3000:
            raise KeyboardInterrupt

    whole = run(LONG)
    measured = run(LONG, progress=stop)
    assert measured.partial
    assert not whole.partial
    assert 3000 < measured.events < whole.events
    assert 0 < measured.end < 5000
    seen = samples(measured, "t")
    assert seen == samples(whole, "t")[: len(seen)]
    assert measured.stages[0].mean_number > 0
