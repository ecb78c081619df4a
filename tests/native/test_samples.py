"""Samples of the native engine: held once, handed on without a copy, or not kept at all."""

import gc
import json
import math
import pickle
import random

import numpy as np
import pytest

import serq
from serq.engines import available

SOURCE = """pool slots { cap 3; }
stage s : delay;
gauge busy = holders(slots);
workload { arrive poisson(2); }
session {
  turn;
  set t = now;
  hold slots (1) { run s (~exp(1)); }
  observe sojourn = now - t;
  observe odd = now - t < 0.5 ? 0 - (now - t) : now - t > 3 ? 1 / 0 : 0 / 0;
  observe never = 0;
  end;
}
run { horizon 2500; warmup 13; seed 4; }"""


def both(**options: object) -> list[serq.Report]:
    program = serq.compile(source=SOURCE)
    return [serq.run(program, engine, **options) for engine in available()]  # type: ignore[arg-type]


def test_arrays_share_the_memory_that_the_engine_filled() -> None:
    report = serq.run(serq.compile(source=SOURCE), "native")
    seen = report.observes["sojourn"]
    for values in (seen.samples, seen.times, seen.sessions, seen.turns):
        assert not values.flags.owndata
        assert not values.flags.writeable
        assert len(values) == seen.count > 4000
    column = np.asarray(seen.measured.samples)
    assert np.shares_memory(seen.samples, column)
    kept, total = seen.samples, float(np.sum(seen.samples))
    del report, seen, column, values
    gc.collect()
    assert float(np.sum(kept)) == total
    busy = serq.run(serq.compile(source=SOURCE), "native").gauges["busy"]
    assert busy.values.dtype == np.float64
    assert not busy.times.flags.owndata


def test_nothing_observed_is_an_empty_array() -> None:
    report = serq.run(serq.compile(source=SOURCE, horizon=14, warmup=13.9999), "native")
    assert report.observes["never"].samples.tolist() == []
    assert report.observes["never"].turns.dtype == np.uint64


def test_a_report_can_be_pickled() -> None:
    report = serq.run(serq.compile(source=SOURCE), "native")
    again = pickle.loads(pickle.dumps(report))
    assert again.json() == report.json()
    assert np.array_equal(again.observes["sojourn"].times, report.observes["sojourn"].times)


def test_statistics_are_the_same_on_both_engines() -> None:
    reports = both()
    assert len({report.json() for report in reports}) == 1
    for q in (0.0, 0.01, 0.5, 0.9, 0.999, 1.0):
        assert len({repr(report.observes["odd"].quantile(q)) for report in reports}) == 1


def test_without_samples_both_engines_print_the_same() -> None:
    ours, theirs = both(samples=False)
    assert ours.json() == theirs.json()
    assert ours.text(steps=True) == theirs.text(steps=True)
    assert '"samples":false' in ours.json()
    assert "samples: not kept; quantiles are within 0.5 %" in ours.text()
    assert "not kept; quantiles are within 0.5 %" in ours._repr_html_()
    for q in (0.0, 0.01, 0.5, 0.9, 0.999, 1.0):
        assert len({repr(r.observes["odd"].quantile(q)) for r in (ours, theirs)}) == 1


def test_without_samples_the_statistics_are_those_of_the_samples() -> None:
    exact = serq.run(serq.compile(source=SOURCE), "native")
    ours = serq.run(serq.compile(source=SOURCE), "native", samples=False)
    for name, observe in ours.observes.items():
        full = exact.observes[name]
        assert (observe.count, repr(observe.mean), repr(observe.cv2)) == (
            full.count,
            repr(full.mean),
            repr(full.cv2),
        )
    sojourn, full = ours.observes["sojourn"], exact.observes["sojourn"]
    assert math.isclose(sojourn.ci, full.ci, rel_tol=0.3)
    for q in (0.01, 0.5, 0.9, 0.99, 0.999):
        assert math.isclose(sojourn.quantile(q), full.quantile(q), rel_tol=0.005)
    assert sojourn.p99 == sojourn.quantile(0.99)
    busy, changes = ours.gauges["busy"], exact.gauges["busy"]
    assert (busy.mean, busy.min, busy.max) == (changes.mean, changes.min, changes.max)
    assert math.isclose(busy.ci, changes.ci, rel_tol=0.3)
    others = [json.loads(report.json()) for report in (ours, exact)]
    for other in others:
        for name in ("observes", "gauges", "samples"):
            other.pop(name, None)
    assert others[0] == others[1]
    assert [note.message for note in ours.notes] == [note.message for note in exact.notes]


def test_what_was_not_kept_is_refused_by_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for report in both(samples=False):
        for name in ("samples", "times", "sessions", "turns"):
            with pytest.raises(ValueError, match="kept no samples of `sojourn`"):
                getattr(report.observes["sojourn"], name)
        for name in ("times", "values"):
            with pytest.raises(ValueError, match="kept no changes of `busy`"):
                getattr(report.gauges["busy"], name)
        for table in ("samples", "changes"):
            with pytest.raises(ValueError, match=f"the run kept no {table}"):
                report.to_pandas(table)
        with pytest.raises(serq.SerqError, match="SQ704"):
            report.dump(tmp_path / "dump")
        assert not (tmp_path / "dump").exists()
        assert len(report.to_pandas("observes")) == 3


def test_quantiles_have_a_range() -> None:
    observe = serq.run(serq.compile(source=SOURCE)).observes["sojourn"]
    assert observe.quantile(0.5) == np.sort(observe.samples)[math.ceil(0.5 * observe.count) - 1]
    for q in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="q must lie between 0 and 1"):
            observe.quantile(q)


def test_summaries_are_those_of_python_to_the_bit() -> None:
    """Random gauges and observations of many sizes, through a program that replays them."""
    draw = random.Random(8)
    for count in (0, 1, 19, 20, 400, 1500):
        horizon = 14.0 + count
        program = serq.compile(
            source=SOURCE, horizon=horizon, warmup=draw.choice([0, 1, 12.5]), seed=count
        )
        for samples in (True, False):
            texts = {serq.run(program, name, samples=samples).json() for name in available()}
            assert len(texts) == 1
