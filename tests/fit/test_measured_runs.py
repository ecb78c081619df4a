"""A cost fitted to the first 100 requests of real vLLM runs predicts the other 200."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serq import native
from serq.fit import outcome
from serq.fit.measured import read_measured
from serq.fit.replay import Replay
from serq.fit.search import FittedRun, fit_run
from serq.fit.terms import Cost
from serq.stats.quantile import quantile
from tests.docs.pages import read
from tests.fit.measured_runs import RUNS, Measured

TRAIN = 100
MOST = 0.04
"""The relative error that no statistic of the held-out requests passes."""

needs_native = pytest.mark.skipif(
    not native.AVAILABLE, reason="700 replays take the Python engine an hour"
)


def fitted(measured: Measured, folder: Path, restarts: int) -> FittedRun:
    run = read_measured(measured.file)
    replay = Replay(measured.program(folder), run.requests)
    return fit_run(replay, run, train=TRAIN, restarts=restarts)


@needs_native
@pytest.mark.slow
@pytest.mark.parametrize("measured", RUNS, ids=lambda run: run.name)
def test_every_mean_and_p99_of_the_held_out_requests_is_predicted(
    measured: Measured, tmp_path: Path, repository: Path
) -> None:
    found = fitted(measured, tmp_path, restarts=3)
    cells = outcome.cells(found)
    assert [(cell.metric, cell.statistic) for cell in cells] == [
        (metric, statistic) for metric in ("ttft", "tpot", "e2e") for statistic in ("mean", "p99")
    ]
    for cell in cells:
        assert abs(cell.error) < MOST, (cell.metric, cell.statistic, cell.error)
    for row, cell in zip(shown(measured, repository), cells, strict=True):
        assert row[1:3] == [f"{cell.metric} {cell.statistic}", f"{cell.measured:.4f}"]
        # The last digits of a search may differ where another BLAS adds in another order.
        assert float(row[4].rstrip(" %")) / 100 == pytest.approx(cell.error, abs=0.01)


@needs_native
@pytest.mark.parametrize("measured", RUNS, ids=lambda run: run.name)
def test_the_error_of_the_estimate_alone_is_the_one_shown(
    measured: Measured, tmp_path: Path, repository: Path
) -> None:
    run = read_measured(measured.file)
    replay = Replay(measured.program(tmp_path), run.requests)
    estimate = replay.predict(replay.cost())
    for row in shown(measured, repository):
        metric, statistic = row[1].split()
        values = sorted(getattr(estimate, metric)[TRAIN:])
        predicted = sum(values) / len(values) if statistic == "mean" else quantile(values, 0.99)
        # A measured TPOT has few digits on the page.
        assert float(row[5].rstrip(" %")) == pytest.approx(
            100 * (predicted / float(row[2]) - 1), abs=0.3
        ), row


def shown(measured: Measured, repository: Path) -> list[list[str]]:
    """The page's rows about a run."""
    page = read(repository / "docs" / "fit.md")
    rows = [row for row in page.rows("Three real runs") if row[0] == measured.name]
    assert len(rows) == 6
    return rows


@needs_native
def test_a_search_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    run = read_measured(RUNS[1].file)
    short = run.__class__(run.name, run.requests[:60])
    program = RUNS[1].program(tmp_path)
    texts = []
    for _ in range(2):
        found = fit_run(Replay(program, short.requests), short, train=30, restarts=1, seed=3)
        texts.append(outcome.as_json(outcome.document(found)))
    assert texts[0] == texts[1]
    document = json.loads(texts[0])
    assert document["requests"] == 60
    assert document["train"] == 30
    assert not document["partial"]


@needs_native
def test_known_coefficients_come_back(tmp_path: Path) -> None:
    """A run that the program made itself is explained, and its busy terms are found."""
    program = RUNS[1].program(tmp_path)
    run = read_measured(RUNS[1].file)
    requests = run.requests[:80]
    truth = Cost(c=0.015, d=5e-5, e=1.5e-7, a=6e-5, b=4e-9)
    made = Replay(program, requests).predict(truth).delayed(0.01)
    measured = tuple(
        request._replace(ttft=float(ttft), e2e=float(e2e))
        for request, ttft, e2e in zip(requests, made.ttft, made.e2e, strict=True)
    )
    known = run.__class__("known", measured)
    found = fit_run(Replay(program, measured), known, train=40, restarts=1)
    for cell in outcome.cells(found):
        # The p99 of forty TTFTs is the largest one, and moves with the batch it happens to meet.
        assert abs(cell.error) < (0.03 if cell.statistic == "mean" else 0.15), cell
    assert found.cost.a == pytest.approx(truth.a, rel=0.1)
    assert found.intervals["a"].identified


@needs_native
def test_an_interrupted_search_gives_the_best_so_far(tmp_path: Path) -> None:
    run = read_measured(RUNS[1].file)
    short = run.__class__(run.name, run.requests[:40])
    replay = Replay(RUNS[1].program(tmp_path), short.requests)

    def stop(done: int, _total: int, _events: int) -> None:
        if done == 20:
            raise KeyboardInterrupt

    found = fit_run(replay, short, train=20, restarts=1, progress=stop)
    assert found.partial
    assert found.intervals == {}
    assert "interrupted" in outcome.text(found)


@needs_native
def test_what_the_requests_do_not_tell_is_named(tmp_path: Path) -> None:
    """One request at a time, all alike: nothing tells a decode from a step."""
    program = RUNS[1].program(tmp_path)
    run = read_measured(RUNS[1].file)
    alike = tuple(
        run.requests[0]._replace(sent=60.0 * at, prompt=500.0, output=100.0) for at in range(30)
    )
    made = Replay(program, alike).predict(Cost(0.012, 4e-5, 9e-8, 4e-5, 2e-9))
    measured = tuple(
        request._replace(ttft=float(ttft), e2e=float(e2e))
        for request, ttft, e2e in zip(alike, made.ttft, made.e2e, strict=True)
    )
    again = run.__class__("alike", measured)
    found = fit_run(Replay(program, measured), again, train=20, restarts=1)
    assert not found.intervals["d"].identified
    assert not found.intervals["e"].identified
    assert "do not identify" in outcome.sentence(found)


def test_the_pool_is_estimated_near_what_vllm_logged() -> None:
    """vLLM logged 2588 blocks of 16 tokens for this run (its meta.json)."""
    found = RUNS[0].deployment()
    assert found.estimated.blocks * 16 == pytest.approx(41_408, rel=0.03)
    assert found.blocks == 2587
