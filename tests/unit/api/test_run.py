from pathlib import Path

import pytest
from tests.unit.api.programs import MM1, REPLAY, TRACE

import serq
from serq.report.options import Progress


def test_a_run_gives_a_report() -> None:
    report = serq.run(serq.compile(source=MM1), "python")
    assert (report.engine, report.partial, report.serq_version) == (
        "python", False, serq.__version__,
    )  # fmt: skip
    assert report.observes["sojourn"].count == report.ended > 50
    (note,) = report.notes
    assert note.message == f"observe late is constant 0 over {report.ended} samples"
    assert note.where() == "<string>:9:3"
    assert str(report).startswith("run: horizon 200 end 200 warmup 10 seed 1 events ")


def test_a_file_is_not_run_before_it_is_compiled() -> None:
    with pytest.raises(TypeError, match=r"run\(\) takes what compile\(\) gives, not 'p.sq'"):
        serq.run("p.sq")  # type: ignore[arg-type]


def test_the_trace_is_read_and_replayed(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TRACE)
    (tmp_path / "p.sq").write_text(REPLAY)
    report = serq.run(serq.compile(tmp_path / "p.sq"))
    # Sessions 0 and 2 replay trace session 0, session 1 replays the other.
    assert report.observes["done"].samples.tolist() == [2.0, 2.0, 5.0, 5.0, 7.0]


def test_a_trace_that_is_not_there_is_an_error_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_text(REPLAY)
    with pytest.raises(serq.SerqError) as caught:
        serq.run(serq.compile(tmp_path / "p.sq"))
    assert caught.value.diagnostics[0].code == "SQ703"


def test_an_error_of_the_run_has_its_place() -> None:
    source = MM1.replace("end;", "branch (t0 + 0.5) { end; }")
    with pytest.raises(serq.SerqError) as caught:
        serq.run(serq.compile(source=source))
    (found,) = caught.value.diagnostics
    assert found.code == "SQ601"
    assert found.where().startswith("<string>:10:")


def test_a_loop_without_time_ends_at_the_limit_given() -> None:
    source = MM1.replace("end;", "loop { set t0 = now; }")
    with pytest.raises(serq.SerqError) as caught:
        serq.run(serq.compile(source=source), limit_statements=1000)
    assert caught.value.diagnostics[0].code == "SQ604"


@pytest.mark.parametrize("limit", ["limit_statements", "limit_events", "limit_sessions"])
def test_a_limit_is_at_least_one(limit: str) -> None:
    with pytest.raises(ValueError, match=f"{limit} must be at least 1"):
        serq.run(serq.compile(source=MM1), **{limit: 0})  # type: ignore[arg-type]


def test_an_interrupted_run_reports_what_it_measured() -> None:
    def stop(progress: Progress) -> None:
        assert 0 < progress.now < 1e9
        raise KeyboardInterrupt

    program = serq.compile(source=MM1, horizon=1e9)
    report = serq.run(program, "python", progress=stop)
    assert report.partial
    assert 0 < report.end < 1e9
    assert "partial: interrupted at" in report.text()


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(serq.SerqError, match="SQ506"):
        serq.run(serq.compile(source=MM1), "abacus")


def test_every_public_name_is_there() -> None:
    assert [name for name in serq.__all__ if not hasattr(serq, name)] == []
    assert set(serq.__all__) <= set(dir(serq))
    assert (serq.IR_VERSION, serq.REPORT_VERSION) == (10, 1)
    assert serq.Rng(1).next_u64() == 17971643333364160609
    with pytest.raises(AttributeError, match="has no attribute 'compil'"):
        serq.compil  # noqa: B018
