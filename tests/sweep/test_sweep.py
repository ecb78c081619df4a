"""A sweep from Python: every point with every seed, what fails, what is kept."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest
from tests.sweep.programs import FAILING, FLEET, QUEUE

import serq
from serq.api.run_many import RunsInterrupted, RunsProgress
from serq.engines import available
from serq.stats.student import half_width

MEAN = "observes.response.mean"


def test_every_point_is_run_with_every_seed_as_by_itself() -> None:
    swept = serq.sweep(
        source=QUEUE, sets={"rate": "0.2,0.6", "servers": [1, 2]}, seeds=[7, 4], metrics=[MEAN]
    )
    assert [(row.point["rate"], row.point["servers"], row.seed) for row in swept.rows] == [
        (rate, servers, seed) for rate in (0.2, 0.6) for servers in (1, 2) for seed in (7, 4)
    ]
    for row in swept.rows:
        sets = {name: row.point[name] for name in ("rate", "servers")}
        alone = serq.run(serq.compile(source=QUEUE, sets=sets, seed=row.seed))
        assert row.values == {MEAN: alone.observes["response"].mean}


@pytest.mark.parametrize("engine", available())
def test_the_table_is_the_same_for_any_number_of_threads(engine: str) -> None:
    def table(threads: int | None) -> tuple[str, str, str]:
        swept = serq.sweep(
            source=QUEUE, sets={"rate": "0.2:0.8:0.2"}, replications=2, threads=threads,
            engine=engine, horizon=100, warmup=10,
        )  # fmt: skip
        return swept.csv(), swept.json(), swept.text()

    assert table(1) == table(2) == table(5) == table(None)


def test_replications_have_the_program_s_seed_and_those_after_it() -> None:
    swept = serq.sweep(source=QUEUE, replications=3)
    assert [row.seed for row in swept.rows] == [3, 4, 5]
    assert swept.axes == ()
    assert len(swept.points()) == 1


def test_the_estimate_is_the_mean_over_replications() -> None:
    swept = serq.sweep(source=QUEUE, sets={"rate": [0.3, 0.6]}, seeds=range(4), metrics=[MEAN])
    values = [row.values[MEAN] for row in swept.rows if row.point["rate"] == 0.6]
    found = swept.estimate(MEAN, {"rate": 0.6})
    assert (found.mean, found.ci, found.runs) == (sum(values) / 4, half_width(values), 4)


def test_one_run_has_the_interval_it_gives_itself() -> None:
    swept = serq.sweep(source=QUEUE)
    report = serq.run(serq.compile(source=QUEUE))
    assert swept.estimate(MEAN, {}).ci == report.observes["response"].ci
    assert math.isnan(swept.estimate("observes.response.p99", {}).ci)


def test_a_difference_is_taken_seed_by_seed() -> None:
    swept = serq.sweep(source=QUEUE, sets={"servers": [1, 2]}, seeds=range(5), metrics=[MEAN])
    one, two = (
        {row.seed: row.values[MEAN] for row in swept.at({"servers": servers})} for servers in (1, 2)
    )
    pairs = [two[seed] - one[seed] for seed in range(5)]
    found = swept.difference(MEAN, {"servers": 2}, {"servers": 1})
    assert (found.mean, found.ci, found.runs) == (sum(pairs) / 5, half_width(pairs), 5)
    # Common random numbers: the pairs vary less than two independent samples would.
    apart = math.hypot(*(half_width(list(side.values())) for side in (one, two)))
    assert found.ci < apart


def test_bodies_of_a_definition_are_an_axis() -> None:
    swept = serq.sweep(source=QUEUE, defs={"need": "1,~exp(1)"}, metrics=[MEAN])
    assert [row.point["need"] for row in swept.rows] == [1.0, "~exp(1)"]
    fixed, drawn = (row.values[MEAN] for row in swept.rows)
    assert fixed < drawn


def test_an_array_is_sized_by_an_axis() -> None:
    swept = serq.sweep(
        source=FLEET, sets={"replicas": "1:3"},
        metrics=["stages.engine[sum].completed", "stages.engine[2].completed"],
    )  # fmt: skip
    assert [math.isnan(row.values["stages.engine[2].completed"]) for row in swept.rows] == [
        True,
        True,
        False,
    ]


def test_a_point_that_is_refused_does_not_lose_the_others() -> None:
    swept = serq.sweep(source=QUEUE, sets={"rate": [0.5, 0, "1 / 0"]}, replications=2)
    assert [row.errors[0].code if row.errors else "" for row in swept.rows] == [
        "", "", "SQ410", "SQ410", "SQ410", "SQ410",
    ]  # fmt: skip
    assert len(swept.failures) == 4
    assert swept.estimate(MEAN, {"rate": 0}).runs == 0
    assert "failed" in swept.text()


def test_a_run_that_fails_does_not_lose_the_others() -> None:
    swept = serq.sweep(source=FAILING, sets={"guard": [1, 0], "rate": [1, 2]})
    assert [[found.code for found in row.errors] for row in swept.rows] == [
        ["SQ601"], ["SQ601"], [], [],
    ]  # fmt: skip
    assert [line["error"] for line in csv.DictReader(swept.csv().splitlines())] == [
        "SQ601", "SQ601", "", "",
    ]  # fmt: skip


def test_where_nothing_can_be_run_the_reason_is_raised() -> None:
    with pytest.raises(serq.SerqError, match="SQ214"):
        serq.sweep(source=QUEUE, sets={"rat": [1, 2]})
    with pytest.raises(serq.SerqError, match="SQ601"):
        serq.sweep(source=FAILING, sets={"rate": [1, 2]})
    with pytest.raises(serq.SerqError, match="SQ217"):
        serq.sweep(source=QUEUE, sets={"rate": [1, 2]}, metrics=["observes.ttft.mean"])


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(where: RunsProgress) -> None:
        if where.done >= 2:
            raise KeyboardInterrupt

    swept = serq.sweep(
        source=QUEUE, sets={"rate": "0.1:0.9:0.01"}, horizon=20_000, threads=1, progress=interrupt
    )
    assert swept.partial
    assert 2 <= len(swept.rows) < 81
    assert not any(row.errors for row in swept.rows)
    assert swept.text().startswith("partial: interrupted\n")
    assert json.loads(swept.json())["partial"] is True
    lines = list(csv.DictReader(swept.csv().splitlines()))
    assert [line["error"] for line in lines] == [
        *[""] * len(swept.rows), *["interrupted"] * (81 - len(swept.rows)),
    ]  # fmt: skip
    assert len({line["rate"] for line in lines}) == 81
    whole = serq.sweep(source=QUEUE, sets={"rate": 0.1}, horizon=20_000)
    assert swept.rows[0].values == whole.rows[0].values

    monkeypatch.setattr(
        "serq.sweeps.sweep.run_each", lambda *_, **__: (_ for _ in ()).throw(RunsInterrupted([]))
    )
    nothing = serq.sweep(source=QUEUE, sets={"rate": [1, 2]})
    assert nothing.partial
    assert nothing.rows == ()


def test_the_file_is_read_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "lib.sq").write_text("def twice(x) = 2 * x;")
    (tmp_path / "p.sq").write_text(
        'use "lib.sq"; let a = 1; workload { arrive batch (1); } '
        "session { observe x = twice(a); } run { horizon 1; }"
    )
    swept = serq.sweep(tmp_path / "p.sq", sets={"a": [1, 3]}, metrics=["observes.x.mean"])
    assert [row.values["observes.x.mean"] for row in swept.rows] == [2, 6]


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({}, TypeError, "either a path or source="),
        ({"path": "a.sq", "source": QUEUE}, TypeError, "either a path or source="),
        ({"source": QUEUE, "seeds": [1], "replications": 2}, TypeError, "either seeds="),
        ({"source": QUEUE, "seeds": []}, ValueError, "at least one seed"),
        ({"source": QUEUE, "seeds": [1, 1]}, ValueError, "there twice"),
        ({"source": QUEUE, "seeds": [-1]}, ValueError, "from 0 to"),
        ({"source": QUEUE, "replications": 0}, ValueError, "at least 1"),
        ({"source": QUEUE, "threads": 0}, ValueError, "at least 1"),
        ({"source": QUEUE, "sets": {"rate": "1,,2"}}, ValueError, "`rate` takes a value"),
        ({"source": QUEUE, "sets": {"rate": None}}, TypeError, "`rate` takes a number"),
        ({"source": QUEUE, "sets": {"a": "1,2"}, "defs": {"a": "1,2"}}, ValueError, "one of the"),
        ({"source": QUEUE, "metrics": ["x"]}, ValueError, "a number of the report"),
        (
            {"source": QUEUE, "sets": {"rate": "1:1000"}, "replications": 1000},
            ValueError,
            "more than 100,000",
        ),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        serq.sweep(**arguments)  # type: ignore[arg-type]


def test_csv_and_json_have_every_digit() -> None:
    swept = serq.sweep(source=QUEUE, sets={"rate": [0.25, 0.5]}, seeds=[2, 1], metrics=[MEAN])
    lines = list(csv.DictReader(swept.csv().splitlines()))
    assert [float(line[MEAN]) for line in lines] == [row.values[MEAN] for row in swept.rows]
    assert [(line["rate"], line["seed"]) for line in lines] == [
        ("0.25", "2"), ("0.25", "1"), ("0.5", "2"), ("0.5", "1"),
    ]  # fmt: skip
    found = json.loads(swept.json())
    assert found["axes"] == {"rate": [0.25, 0.5]}
    assert found["metrics"] == [MEAN]
    assert [row["values"][MEAN] for row in found["rows"]] == [
        row.values[MEAN] for row in swept.rows
    ]
    assert [mean["values"][MEAN]["runs"] for mean in found["means"]] == [2, 2]
    assert found["means"][1]["point"] == {"rate": 0.5}
    assert "partial" not in found


def test_a_data_frame_has_the_columns_of_the_csv() -> None:
    swept = serq.sweep(source=QUEUE, sets={"rate": [0.25, 0.5]}, metrics=[MEAN])
    frame = swept.to_pandas()
    assert list(frame.columns) == ["rate", "seed", MEAN, "error"]
    assert list(frame[MEAN]) == [row.values[MEAN] for row in swept.rows]


def test_what_reports_note_is_counted() -> None:
    crowded = QUEUE.replace("run svc", "hold kv (asked) { } run svc").replace(
        "stage", "let asked = 1; pool kv { cap 8; } stage"
    )
    swept = serq.sweep(source=crowded, sets={"asked": [1, 8, 9]}, seeds=[1, 2], metrics=[MEAN])
    assert [row.notes for row in swept.rows] == [(), (), (), (), ("SQ804",), ("SQ804",)]
    assert swept.text().endswith("\nnote: session-rejected in 2 of 6 runs (SQ804)\n")
    assert [row.get("notes") for row in json.loads(swept.json())["rows"]][-1] == ["SQ804"]
    assert "note" not in serq.sweep(source=QUEUE).text()


def test_what_was_not_swept_is_not_there() -> None:
    swept = serq.sweep(source=QUEUE, sets={"rate": [0.25, 0.5]}, metrics=[MEAN])
    with pytest.raises(KeyError, match="was not varied"):
        swept.at({"servers": 1})
    with pytest.raises(KeyError, match="was not read"):
        swept.estimate("mean_live", {})
