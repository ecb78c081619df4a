"""A program in which no time passes ends with SQ604 at the place that makes it so, within seconds
and with the limits everybody has.
"""

from __future__ import annotations

import pytest

import serq
from serq.engines import available
from tests.robustness.command import serq as command

RUN = "run { horizon 1e18; }"

PROGRAMS = {
    "a loop": ("workload { arrive batch(1); }\nsession { loop { set x = 1; } }", (2, 11)),
    "a loop of holds": (
        "pool kv { cap 4; block 1; }\nworkload { arrive batch(2); }\n"
        "session { loop { hold kv (3) { set x = 1; } cache (3) } }",
        (3, 11),
    ),
    "a closed workload of empty sessions": (
        "workload { arrive closed(3); }\nsession { set x = 1; end; }",
        (2, 11),
    ),
    "a closed workload that is rejected": (
        "pool kv { cap 4; }\nworkload { arrive closed(3); }\nsession { hold kv (5) { end; } }",
        (3, 11),
    ),
    "growth that preempts itself": (
        "pool kv { cap 4; preempt lifo; }\nworkload { arrive batch(1); }\n"
        "session { hold kv (2) { grow kv (3); } end; }",
        (3, 25),
    ),
    "iterations without cost that preempt": (
        "pool kv { cap 4; preempt lifo; }\nstage e : step { budget 4; cost 0; memory kv; }\n"
        "workload { arrive batch(1); }\n"
        "session { hold kv (2) { run e decode (9) growing kv; } end; }",
        (2, 7),
    ),
    "a time too short for the clock": (
        "stage s : delay;\nworkload { arrive batch(1); }\n"
        "session { run s (1e17); loop { run s (1); } }",
        (1, 7),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("engine", available())
def test_it_ends_with_the_place(name: str, engine: str) -> None:
    """With small limits here, because the limits are another test's."""
    source, place = PROGRAMS[name]
    program = serq.compile(source=source + "\n" + RUN)
    with pytest.raises(serq.SerqError) as caught:
        serq.run(program, engine, limit_statements=10_000, limit_events=10_000)
    (found,) = caught.value.diagnostics
    assert found.code == "SQ604"
    assert found.span is not None
    assert (found.span.start_line, found.span.start_column) == place


@pytest.mark.parametrize("name", ["a loop", "a closed workload of empty sessions"])
def test_everybody_s_limits_answer_within_seconds(name: str) -> None:
    source, _ = PROGRAMS[name]
    outcome = command("run", "-", "--quiet", stdin=f"{source}\n{RUN}".encode(), seconds=60)
    assert outcome.codes == ["SQ604"]
