"""Many runs whose ends are told one by one: what is told, and what ends the others."""

from __future__ import annotations

import pytest
from tests.unit.api.programs import MM1

import serq
from serq.api.run_many import RunsInterrupted, RunsProgress, run_each
from serq.report.report import Report

FAILING = MM1.replace("end;", "branch (t0 + 0.5) { end; }")


def programs(*texts: str) -> list[serq.Program]:
    return [serq.compile(source=text, seed=seed) for seed, text in enumerate(texts)]


@pytest.mark.parametrize("threads", [1, 3])
def test_every_run_is_told_and_a_failure_ends_no_other(threads: int) -> None:
    told: dict[int, Report | serq.SerqError] = {}
    run_each(programs(MM1, FAILING, MM1, FAILING, MM1), told.__setitem__, threads=threads)
    assert sorted(told) == [0, 1, 2, 3, 4]
    for at in (1, 3):
        error = told[at]
        assert isinstance(error, serq.SerqError)
        assert [found.code for found in error.diagnostics] == ["SQ601"]
    for at in (0, 2, 4):
        report = told[at]
        assert isinstance(report, Report)
        alone = serq.run(serq.compile(source=MM1, seed=at))
        assert report.json() == alone.json()


def test_nothing_to_run_tells_nothing() -> None:
    told: dict[int, Report | serq.SerqError] = {}
    run_each([], told.__setitem__)
    assert told == {}


def test_what_goes_wrong_in_the_telling_is_raised() -> None:
    def fail(_at: int, _outcome: Report | serq.SerqError) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_each(programs(MM1), fail)


def test_an_interrupt_comes_after_the_runs_that_were_done() -> None:
    told: dict[int, Report | serq.SerqError] = {}

    def interrupt(where: RunsProgress) -> None:
        if where.done == 1:
            raise KeyboardInterrupt

    endless = [serq.compile(source=MM1, horizon=1e12) for _ in range(2)]
    with pytest.raises(RunsInterrupted):
        run_each([*programs(MM1), *endless], told.__setitem__, threads=1, progress=interrupt)
    assert 1 <= len(told) < 3
    first = told[0]
    assert isinstance(first, Report)
    assert not first.partial
