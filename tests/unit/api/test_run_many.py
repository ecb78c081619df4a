"""Many runs in one call: what comes back, in which order, and how they end early."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from tests.unit.api.programs import MM1, REPLAY, TRACE

import serq
from serq.api.run_many import RunsProgress
from serq.api.trace import read_program_trace
from serq.engines import available
from serq.engines.python import PythonEngine

FAILING = MM1.replace("end;", "branch (t0 + 0.5) { end; }")


def texts(reports: list[serq.Report]) -> list[str]:
    return [report.json() for report in reports]


@pytest.mark.parametrize("engine", available())
def test_reports_are_those_of_single_runs_for_any_number_of_threads(engine: str) -> None:
    program = serq.compile(source=MM1)
    alone = [
        serq.run(serq.compile(source=MM1, seed=seed), engine).json()
        for seed in (9, 0, 7, 2**64 - 1)
    ]
    for threads in (None, 1, 2, 5):
        reports = serq.run_many(
            program, seeds=iter([9, 0, 7, 2**64 - 1]), threads=threads, engine=engine
        )
        assert texts(reports) == alone
        assert {report.engine for report in reports} == {engine}
    assert len(set(alone)) == 4


def test_programs_are_run_with_the_seed_they_have() -> None:
    programs = [serq.compile(source=MM1, seed=seed) for seed in (3, 1)]
    reports = serq.run_many(iter(programs), threads=2)
    assert [report.seed for report in reports] == [3, 1]
    assert texts(reports) == [serq.run(program).json() for program in programs]
    assert serq.run_many(programs[0])[0].json() == reports[0].json()


def test_every_program_is_run_with_every_seed() -> None:
    programs = [serq.compile(source=MM1, sets={"lam": lam}) for lam in (0.2, 0.7)]
    reports = serq.run_many(programs, seeds=[1, 2, 3], threads=2)
    assert [report.seed for report in reports] == [1, 2, 3, 1, 2, 3]
    fewest, most = reports[:3], reports[3:]
    assert max(report.arrivals for report in fewest) < min(report.arrivals for report in most)
    assert [program.ir.seed for program in programs] == [1, 1]


def test_runs_keep_samples_unless_they_are_told_not_to() -> None:
    program = serq.compile(source=MM1)
    kept, alone = serq.run_many(program)[0], serq.run_many(program, samples=False)[0]
    assert kept.samples
    assert len(kept.observes["sojourn"].samples) == kept.observes["sojourn"].count
    assert not alone.samples
    assert alone.observes["sojourn"].mean == kept.observes["sojourn"].mean


def test_nothing_to_run_is_no_report() -> None:
    assert serq.run_many([]) == []
    assert serq.run_many(serq.compile(source=MM1), seeds=[]) == []


def test_a_trace_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text(TRACE)
    (tmp_path / "p.sq").write_text(REPLAY)
    read = []

    def count(program: serq.Program) -> object:
        read.append(program)
        return read_program_trace(program)

    monkeypatch.setattr("serq.api.run_many.read_program_trace", count)
    reports = serq.run_many(serq.compile(tmp_path / "p.sq"), seeds=range(4), threads=2)
    assert [report.observes["done"].samples.tolist() for report in reports] == [
        [2.0, 2.0, 5.0, 5.0, 7.0]
    ] * 4
    assert len(read) == 1


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_error_is_that_of_the_first_run_that_fails(threads: int) -> None:
    good = serq.compile(source=MM1, name="good.sq")
    long = serq.compile(source=MM1, name="long.sq", horizon=20_000)
    bad = [serq.compile(source=FAILING, name=f"bad{n}.sq") for n in range(2)]
    with pytest.raises(serq.SerqError) as caught:
        serq.run_many([good, long, bad[0], good, bad[1]], seeds=[5], threads=threads)
    (found,) = caught.value.diagnostics
    assert found.code == "SQ601"
    assert found.message.endswith("(run 3 of 5: `bad0.sq`, seed 5)")
    assert found.data["run"] == 2
    assert found.where().startswith("bad0.sq:10:")


def test_the_runs_after_one_that_failed_are_ended() -> None:
    endless = serq.compile(source=MM1, horizon=1e12)
    with pytest.raises(serq.SerqError, match="run 1 of 3"):
        serq.run_many([serq.compile(source=FAILING), endless, endless], threads=2)


def test_another_exception_of_a_run_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(PythonEngine, "run", fail)
    with pytest.raises(MemoryError) as caught:
        serq.run_many(serq.compile(source=MM1), seeds=[4], engine="python")
    assert caught.value.__notes__ == ["run 1 of 1: `<string>`, seed 4"]


@pytest.mark.parametrize("engine", available())
def test_progress_counts_runs_and_events(engine: str) -> None:
    seen: list[RunsProgress] = []
    caller = []

    def progress(where: RunsProgress) -> None:
        seen.append(where)
        caller.append(threading.current_thread())

    reports = serq.run_many(
        serq.compile(source=MM1), seeds=range(3), engine=engine, progress=progress
    )
    assert {where.total for where in seen} == {3}
    assert seen[-1] == RunsProgress(3, 3, sum(report.events for report in reports))
    assert [where.done for where in seen] == sorted(where.done for where in seen)
    assert set(caller) == {threading.current_thread()}


@pytest.mark.parametrize("engine", available())
def test_ctrl_c_ends_all(engine: str) -> None:
    quick, endless = serq.compile(source=MM1), serq.compile(source=MM1, horizon=1e12)
    sent: list[float] = []

    def interrupt(where: RunsProgress) -> None:
        if where.done == 1 and where.events > 5_000 and not sent:
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        serq.run_many(
            [quick, endless, endless, endless, endless],
            threads=2,
            engine=engine,
            progress=interrupt,
        )
    assert time.monotonic() - sent[0] < 2  # the machine may be busy; measured alone it is 0.1
    assert isinstance(caught.value, serq.RunsInterrupted)
    reports = caught.value.reports
    assert str(caught.value) == "1 of 5 runs were done"
    assert reports[0] is not None
    assert reports[0].json() == serq.run(quick).json()
    assert reports[1] is not None
    assert reports[1].partial
    assert reports[1].events > 0
    assert reports[4] is None


def test_an_exception_of_progress_is_the_caller_s() -> None:
    def progress(_where: RunsProgress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        serq.run_many(serq.compile(source=MM1, horizon=1e12), seeds=range(3), progress=progress)


def test_what_is_no_program_no_seed_no_thread_is_refused() -> None:
    program = serq.compile(source=MM1)
    with pytest.raises(TypeError, match=r"run_many\(\) takes what compile\(\) gives, not 'p.sq'"):
        serq.run_many(["p.sq"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"run_many\(\) takes what compile\(\) gives, not 'p.sq'"):
        serq.run_many("p.sq")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        serq.run_many(program, seeds=[1.5])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"seeds are whole numbers, such as range\(5\)"):
        serq.run_many(program, seeds=5)  # type: ignore[arg-type]
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="a seed must be a whole number from 0"):
            serq.run_many(program, seeds=[seed])
    with pytest.raises(ValueError, match="threads must be at least 1, not 0"):
        serq.run_many(program, threads=0)
    with pytest.raises(ValueError, match="limit_events must be at least 1"):
        serq.run_many(program, limit_events=0)
