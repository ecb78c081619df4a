"""Sessions arrive at the trace's own times: on both engines alike, and in the IR's JSON."""

from __future__ import annotations

import json
import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import serq
from serq import native
from serq.ir import nodes as ir
from serq.ir.version import IR_VERSION
from serq.trace import TimedSession, TraceTurn
from tests.native.both import check_same
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs

TIMED = Path(__file__).with_name("timed.csv")
TIMES = [0.0, 0.25, 0.25, 3.5, 3.5]
"""The arrivals of `timed.csv` in their order; the file has them in another."""

REPLAY = """workload {{ arrive trace{scale}; trace "{path}"; }}
session {{ turn; observe at = now; observe new = new; end; }}
run {{ horizon 1e9; }}"""

needs_native = pytest.mark.skipif(not native.AVAILABLE, reason="no native engine here")


def sampling(usual: int) -> settings:
    wanted = os.environ.get("SERQ_EXAMPLES")
    return settings(
        max_examples=int(wanted or usual),
        derandomize=wanted is None,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


def timed(source: str, scale: float) -> str:
    """A random program with its workload arriving at the times of `timed.csv`."""
    source = re.sub(r'trace "[^"]*"( ordered)? ?;', "", source)
    arrive = f'arrive trace scale ({scale!r}); trace "{TIMED}";'
    return re.sub(r"arrive [^;]*;", lambda _: arrive, source)


@needs_native
@sampling(60)
@given(valid_programs(), st.sampled_from([0.001, 0.5, 1.0, 7.0]))
def test_random_programs_are_the_same_on_both_engines(source: str, scale: float) -> None:
    check_same(timed(source, scale), limit_events=20_000, limit_statements=20_000)


@needs_native
@sampling(60)
@given(kernel_programs(), st.sampled_from([0.001, 1.0, 7.0]))
def test_programs_of_the_whole_kernel_are_the_same(source: str, scale: float) -> None:
    check_same(timed(source, scale), limit_events=20_000, limit_statements=20_000)


@needs_native
@pytest.mark.parametrize("more", ["arrivals 99;", "arrivals 2; horizon 0.1;", "warmup 3.5;"])
def test_limits_are_the_same_on_both_engines(more: str) -> None:
    source = f"""stage s : fifo;
workload {{ arrive trace; trace "{TIMED}"; }} session {{ turn; run s (new); }}
run {{ horizon 50; {more} }}"""
    assert check_same(source)


@needs_native
def test_untimed_sessions_are_refused_alike(tmp_path: Path) -> None:
    from serq.engines.native import NativeEngine
    from serq.engines.python import PythonEngine
    from serq.report.options import RunOptions

    program = serq.compile(source=REPLAY.format(scale="", path=tmp_path / "none.csv"))
    options = RunOptions(trace=((TraceTurn(1, 1, 1),),), spans=program.spans)
    found = []
    for engine in (NativeEngine(), PythonEngine()):
        with pytest.raises(serq.SerqError) as caught:
            engine.run(program.ir, options)
        found.append(caught.value.diagnostics)
    assert found[0] == found[1]
    assert [each.code for each in found[0]] == ["SQ711"]


@sampling(50)
@given(
    st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=20),
    st.sampled_from([1.0, 0.5, 3.0, 1e-3]),
)
def test_every_session_arrives_at_its_time(times: list[float], scale: float) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        rows = [f"{i},0,{i},1,0,0,{time!r}" for i, time in enumerate(times)]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        source = REPLAY.format(scale=f" scale ({scale!r})", path=path)
        report = serq.run(serq.compile(source=source))
    expected = sorted(((scale * time, i) for i, time in enumerate(times)))
    at, new = report.observes["at"].samples.tolist(), report.observes["new"].samples.tolist()
    # scaled times may meet; the order is that of the times before, and then of the file
    assert at == [time for time, _ in expected]
    assert new == [float(i) for _, i in sorted((time, i) for i, time in enumerate(times))]


def test_the_order_of_the_file_does_not_matter() -> None:
    report = serq.run(serq.compile(source=REPLAY.format(scale="", path=TIMED)))
    assert report.observes["at"].samples.tolist() == TIMES


@pytest.mark.parametrize(("written", "scale"), [("", 1.0), (" scale (1 / 4)", 0.25)])
def test_the_ir_and_back(written: str, scale: float) -> None:
    program = serq.compile(source=REPLAY.format(scale=written, path="t.csv"))
    assert program.ir.arrival == ir.TraceArrivals(scale)
    document = json.loads(program.to_json())
    assert (document["version"], document["arrival"]) == (IR_VERSION, {"Trace": scale})
    assert serq.Program.from_json(program.to_json()).ir == program.ir


def test_an_ir_without_a_trace_is_refused() -> None:
    program = serq.compile(source=REPLAY.format(scale="", path="t.csv"))
    text = program.to_json().replace('"t.csv"', "null")
    with pytest.raises(serq.SerqError) as caught:
        serq.Program.from_json(text)
    assert [each.code for each in caught.value.diagnostics] == ["SQ711"]


@pytest.mark.parametrize(
    ("scale", "code"),
    [("0.0", "SQ410"), ("-1.0", "SQ410"), ("null", "SQ503"), ('"inf"', "SQ503"), ("[]", "SQ503")],
)
def test_an_ir_with_another_scale_is_refused(scale: str, code: str) -> None:
    program = serq.compile(source=REPLAY.format(scale="", path="t.csv"))
    text = program.to_json().replace('"Trace": 1.0', f'"Trace": {scale}')
    with pytest.raises(serq.SerqError) as caught:
        serq.Program.from_json(text)
    assert [each.code for each in caught.value.diagnostics] == [code]


def test_the_reference_refuses_the_tag() -> None:
    pyserq = pytest.importorskip("pyserq")
    program = serq.compile(source=REPLAY.format(scale="", path="t.csv"))
    with pytest.raises(ValueError, match="unknown variant `Trace`"):
        pyserq.Program.from_json(program.to_json())


def test_the_trace_of_the_command_line_is_enough() -> None:
    source = "workload { arrive trace; } session { turn; observe at = now; } run { horizon 9; }"
    report = serq.run(serq.compile(source=source, trace=TIMED))
    assert report.observes["at"].samples.tolist() == TIMES


def test_arrivals_can_not_be_put_into_the_ir(tmp_path: Path) -> None:
    from serq.api.inline import inline_trace

    program = serq.compile(source=REPLAY.format(scale="", path=tmp_path / "t.csv"))
    with pytest.raises(serq.SerqError) as caught:
        inline_trace(program)
    assert [each.code for each in caught.value.diagnostics] == ["SQ705"]


@pytest.mark.parametrize(
    ("session", "reads"),
    [
        ("turn; run s (new);", True),
        ("turn; loop { branch (more) { turn; } else { end; } }", True),
        ("run s (new);", False),
        ("turn; run s (1);", False),
        ("loop { run s (1); branch with (0.5) { turn; } else { end; } }", False),
    ],
)
def test_a_trace_from_outside_is_one_that_is_read(session: str, reads: bool) -> None:
    source = f"stage s : delay; workload {{ arrive batch (1); }} session {{ {session} }}"
    source += " run { horizon 9; }"
    texts = [source, serq.compile(source=source).to_json()]
    for text in texts:
        if reads:
            assert serq.compile(source=text, trace=TIMED).ir.trace == str(TIMED)
            continue
        with pytest.raises(serq.SerqError) as caught:
            serq.compile(source=text, trace=TIMED)
        assert [each.code for each in caught.value.diagnostics] == ["SQ712"]


def test_a_timed_session_is_its_turns_and_travels() -> None:
    session = TimedSession([TraceTurn(1, 2, 3)], 4.5)
    assert session == (TraceTurn(1, 2, 3),)
    there = pickle.loads(pickle.dumps(session))
    assert (type(there), there, there.arrival) == (TimedSession, session, 4.5)
