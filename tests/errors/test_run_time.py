"""Errors of a run: the code, and the place in the text that brought them about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import serq

TAIL = "run { horizon 100; seed 1; }\n"


def fail(source: str, **limits: Any) -> serq.SerqError:
    """The error of a run of `source`, which is accepted by the linker."""
    program = serq.compile(source=source)
    with pytest.raises(serq.SerqError) as failed:
        serq.run(program, **limits)
    return failed.value


def place(error: serq.SerqError) -> tuple[str, int, int]:
    """Code, line and column of the one finding."""
    [finding] = error.diagnostics
    assert finding.span is not None, finding
    return finding.code, finding.span.start_line, finding.span.start_column


def deployment(session: str, above: str = "") -> str:
    return (
        f"pool kv[2] {{ cap 4000; }} stage replica[2] : fifo; {above}\n"
        "workload { arrive batch (3); init { set k = serial; } }\n"
        f"session {{\n{session}\n}}\n{TAIL}"
    )


PLACES = [
    ("a guard", "branch (k) { run replica[0] (1); }", "SQ601", 1),
    ("a guard in a hold", "hold kv[0] (1) { branch (k) { run replica[0] (1); } }", "SQ601", 18),
    ("a guard in an arm", "branch (k > 1) { branch (k) { end; } }", "SQ601", 18),
    ("the index of a run", "run replica[k] (1);", "SQ602", 1),
    ("the index of a hold", "hold kv[k] (1) { run replica[0] (1); }", "SQ602", 1),
    ("the index in a value", "set x = 1 + used(kv[k]);", "SQ602", 1),
    ("the index in a key", "choose j in 3 by (queue(replica[j]));", "SQ602", 1),
    ("the index of a drop", "drop kv[k];", "SQ602", 1),
    ("a load", "hold kv[0] (5) { load kv[0] (6); }", "SQ603", 18),
    ("a growth", "hold kv[0] (5) { release kv[0]; grow kv[0] (1); }", "SQ607", 33),
]


@pytest.mark.parametrize(
    ("session", "code", "column"), [case[1:] for case in PLACES], ids=[c[0] for c in PLACES]
)
def test_the_place_is_the_statement(session: str, code: str, column: int) -> None:
    assert place(fail(deployment(session))) == (code, 4, column)


def test_an_error_in_a_definition_tells_through_which_use_it_came() -> None:
    error = fail(deployment("route(k);", "def route(i) { run replica[i] (1); }"))
    [finding] = error.diagnostics
    assert finding.code == "SQ602"
    assert finding.span is not None
    assert finding.span.start_line == 1
    [use] = finding.span.expansions()
    assert (use.name, use.use.start_line, use.use.start_column) == ("route", 4, 1)


def test_an_error_in_a_server_has_its_place_there() -> None:
    error = fail(
        "stage replica[2] : fifo;\n"
        "workload { arrive batch (3); session { request; end; } }\n"
        "server {\n  run replica[serial] (1);\n}\n" + TAIL
    )
    assert place(error)[:2] == ("SQ602", 4)


def test_an_error_of_a_library_has_its_place_there(tmp_path: Path) -> None:
    (tmp_path / "routing.sq").write_text(
        "def route(i) {\n  run replica[i] (1);\n}\n", encoding="utf-8"
    )
    program = tmp_path / "program.sq"
    program.write_text('use "routing.sq";\n' + deployment("route(k);"), encoding="utf-8")
    with pytest.raises(serq.SerqError) as failed:
        serq.run(serq.compile(path=program))
    [finding] = failed.value.diagnostics
    assert finding.where().endswith("routing.sq:2:3")


def test_an_error_of_an_ir_is_an_error_without_a_text() -> None:
    program = serq.Program.from_json(
        serq.compile(source=deployment("run replica[k] (1);")).to_json()
    )
    with pytest.raises(serq.SerqError) as failed:
        serq.run(program)
    [finding] = failed.value.diagnostics
    assert finding.code == "SQ602"
    assert "replica" in finding.message


def test_a_loop_without_time_names_the_loop() -> None:
    error = fail(deployment("set n = 0;\nloop { set n = n + 1; }"), limit_statements=1_000)
    assert place(error)[:2] == ("SQ604", 5)


def test_sessions_that_replace_each_other_at_one_instant() -> None:
    source = f"workload {{ arrive closed (2); }}\nsession {{ end; }}\n{TAIL}"
    error = fail(source, limit_events=10_000)
    assert [d.code for d in error.diagnostics] == ["SQ604"]


def test_iterations_that_take_no_time() -> None:
    source = (
        "stage engine : step { budget 512; cost 0; }\n"
        "workload { arrive batch (1); }\n"
        f"session {{ decode (inf); end; }}\n{TAIL}"
    )
    error = fail(source, limit_events=10_000)
    assert [d.code for d in error.diagnostics] == ["SQ604"]


def test_more_sessions_than_the_limit() -> None:
    source = (
        "stage engine : fifo;\nworkload { arrive poisson (100); }\n"
        f"session {{ run engine (1); end; }}\n{TAIL}"
    )
    error = fail(source, limit_sessions=500)
    assert [d.code for d in error.diagnostics] == ["SQ608"]


def test_a_batch_above_the_limit_is_refused_at_once() -> None:
    source = (
        "stage engine : fifo;\nworkload { arrive batch (1e15); }\n"
        f"session {{ run engine (1); end; }}\n{TAIL}"
    )
    assert [d.code for d in fail(source).diagnostics] == ["SQ608"]


@pytest.mark.parametrize(
    ("workload", "run"),
    [
        ("arrive renewal (3);", "horizon 10; arrivals 10;"),
        ("arrive renewal (1);", "horizon 12; arrivals 9;"),
        ("arrive renewal (1);", "horizon 40; warmup 20; arrivals 2;"),
        ("arrive poisson (0.001);", "horizon 1; arrivals 2;"),
    ],
    ids=["too few arrive", "not drained", "drained before the warm-up", "only the first arrives"],
)
def test_a_count_of_arrivals_that_is_not_met(workload: str, run: str) -> None:
    source = (
        f"stage engine : fifo;\nworkload {{ {workload} }}\n"
        f"session {{ run engine (2); end; }}\nrun {{ {run} }}\n"
    )
    assert place(fail(source))[:2] == ("SQ605", 4)


@pytest.mark.parametrize(
    "gap", ["~uniform(-1, 0)", "~det(0)", "1 / ~bernoulli(0)", "0 * ~det(inf)"]
)
def test_a_gap_that_is_not_positive_and_finite(gap: str) -> None:
    source = (
        f"stage engine : fifo;\nworkload {{ arrive renewal ({gap}); }}\n"
        f"session {{ run engine (1); end; }}\n{TAIL}"
    )
    assert place(fail(source))[:2] == ("SQ606", 2)


def test_the_last_good_instant_does_not_hide_the_error() -> None:
    # Sessions 0 and 1 are served and gone before session 2 errs; the run still fails.
    source = deployment("run replica[0] (1);\nbranch (k) { end; }")
    assert place(fail(source))[:2] == ("SQ601", 5)
