"""Little's law, path by path: over a run that drains, the time average of the number present is
the rate of arrivals times the mean time spent, at every stage, in every queue, and for sessions.

It holds for every sample path, whatever is drawn, so the two sides are equal up to rounding.
"""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

import serq
from tests.property.drawing import Draw, duration, maybe, number, one_of
from tests.property.examples import examples


def visit(draw: Draw) -> str:
    """Some time at a stage, in a pool or by itself."""
    stage = one_of(draw, "line", "crowd", "shared", "think")
    run = f"run {stage} ({duration(draw)});"
    pool = one_of(draw, "", "few", "memory")
    units = one_of(draw, "1", "~uniform(0, 3)", "1 + serial / 4") if pool == "memory" else "1"
    return f"hold {pool} ({units}) {{ {run} }}" if pool else run


@st.composite
def draining_programs(draw: Draw) -> str:
    """A network of queues through which a number of sessions passes."""
    gap = one_of(draw, "~exp(1)", "1", "~h2(0.7, 4)", "~uniform(0.1, 1)")
    arrive = one_of(draw, f"renewal({gap})", "poisson(1.5)", "poisson(0.4)")
    visits = "\n    ".join(visit(draw) for _ in range(number(draw, 1, 4)))
    again = one_of(draw, "with (0.4)", "(turn_no < 3)", "(serial > 3 && turn_no < 2)")
    return f"""pool few {{ cap {number(draw, 1, 3)}; }}
pool memory {{ cap 9; {maybe(draw, "block 0.5; ")}{maybe(draw, "queue by (-waited); ")}}}
stage line : fifo;
stage crowd : fifo({number(draw, 2, 4)});
stage shared : ps({one_of(draw, "1", "min(present, 3)", "0.5 + 0.2 * present")});
stage think : delay;
workload {{ arrive {arrive}; }}
session {{
  set born = now;
  loop {{
    turn;
    {visits}
    branch {again} {{ run think (1); }} else {{ observe lived = now - born; end; }}
  }}
}}
run {{ horizon 1e6; arrivals {number(draw, 1, 30)}; seed {number(draw, 0, 99)}; }}"""


@examples(60)
@given(draining_programs())
def test_number_present_is_rate_times_time_spent(source: str) -> None:
    report = serq.run(serq.compile(source=source), engine="python")
    span = report.end

    def same(average: float, total: float) -> None:
        assert math.isclose(average * span, total, rel_tol=1e-9, abs_tol=1e-9)

    lived = report.observes["lived"]
    same(report.mean_live, lived.count * lived.mean)
    for stage in report.stages:
        if stage.completed:
            same(stage.mean_number, stage.completed * (stage.mean_wait + stage.mean_service))
        else:
            assert stage.mean_number == 0.0
    for pool in report.pools:
        if pool.admissions:
            same(pool.mean_queue, pool.admissions * pool.mean_wait)
        else:
            assert pool.mean_queue == 0.0
