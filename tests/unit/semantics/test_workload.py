from dataclasses import replace

import pytest
from tests.unit.semantics.running import refused, run, samples, text_at

import serq
from serq import semantics
from serq.ir import nodes as ir
from serq.report.options import RunOptions
from serq.trace import TraceTurn

BODY = "session { loop { turn; observe n = new + 100 * turn_no; observe m = more; run s (1); } }"


@pytest.mark.parametrize("gap", ["~uniform(-1, -0.5)", "~exp(1) / 0", "~exp(1) * 0"])
def test_a_gap_that_is_not_positive_and_finite(gap: str) -> None:
    source = f"stage s : delay; workload {{ arrive renewal({gap}); }} session {{ run s (1); }}"
    diagnostic = refused(source)
    assert diagnostic.code == "SQ606"
    assert "gap" in text_at(diagnostic) or "renewal" in text_at(diagnostic)


def test_a_trace_in_order() -> None:
    trace = ((TraceTurn(1, 0, 0), TraceTurn(2, 0, 0)), (TraceTurn(7, 0, 0),))
    program = serq.compile(
        source='stage s : delay; workload { arrive batch(3); trace "t.csv" ordered; }'
        + BODY
        + "run { horizon 2.5; seed 1; }"
    )
    measured = semantics.run(program.ir, RunOptions(trace=trace))
    # three sessions replay sessions 0, 1, 0; past the last turn the values stay and more is 0
    assert samples(measured, "n") == [101, 107, 101, 202, 207, 202, 302, 307, 302]
    assert samples(measured, "m") == [1, 0, 1, 0, 0, 0, 0, 0, 0]


def test_sessions_given_in_full() -> None:
    program = serq.compile(
        source="stage s : delay; workload { arrive batch(1); } "
        "session { observe p = think; turn; observe n = new; } run { horizon 9; seed 1; }"
    )
    slots = program.ir.slots
    preset = ir.Preset(attributes=((slots.think, 4.0),), turns=(((slots.new, 9.0),),))
    changed = replace(program.ir, arrival=ir.Sessions((preset, ir.Preset())))
    measured = semantics.run(changed, RunOptions())
    assert samples(measured, "p") == [4.0, 0.0]
    assert samples(measured, "n") == [9.0, 0.0]


@pytest.mark.parametrize(
    ("run_block", "part"),
    [
        ("horizon 3; arrivals 10;", "3 of the 10 sessions asked for had arrived"),
        ("horizon 10.5; arrivals 10;", "1 of 10 sessions are still there"),
        ("horizon 90; warmup 50; arrivals 10;", "within the warm-up"),
    ],
)
def test_limited_arrivals_must_drain(run_block: str, part: str) -> None:
    source = """stage s : delay; workload { arrive renewal(1); } session { run s (0.75); }
run { %s }"""
    diagnostic = refused(source % run_block)
    assert diagnostic.code == "SQ605"
    assert part in diagnostic.message


def test_limited_arrivals_end_when_the_last_has_left() -> None:
    source = """stage s : delay; workload { arrive renewal(1); } session { run s (0.75); }
run { horizon 90; arrivals 4; }"""
    measured = run(source)
    assert (measured.end, measured.arrivals, measured.ended) == (4.75, 4, 4)
    assert measured.mean_live == 4 * 0.75 / 4.75


def test_a_trace_that_nobody_read() -> None:
    diagnostic = refused(
        'stage s : delay; workload { arrive batch(3); trace "t.csv" ordered; } session { end; }'
    )
    assert diagnostic.code == "SQ702"
    assert "t.csv" in diagnostic.message
