"""`serq sweep`: options, files, exit status."""

from __future__ import annotations

import json
import sys

import pytest
from tests.sweep.programs import QUEUE
from tests.unit.cli.command import Command

import serq

SHORT = ("--horizon", "100", "--warmup", "10")


def test_it_prints_the_table_of_the_python_interface(command: Command) -> None:
    done = command(
        "sweep", "queue.sq", "--set", "rate=0.2:0.6:0.2", "--set", "servers=1,2", "--seeds", "1..3",
        *SHORT,
    )  # fmt: skip
    assert (done.status, done.err) == (0, "")
    swept = serq.sweep(
        source=QUEUE, sets={"rate": [0.2, 0.4, 0.6], "servers": [1, 2]}, seeds=[1, 2, 3],
        horizon=100, warmup=10,
    )  # fmt: skip
    assert done.out == swept.text()


def test_json_and_csv(command: Command) -> None:
    done = command(
        "sweep", "queue.sq", "--set", "rate=0.2,0.4", "--replications", "2", "--json", "--csv",
        "runs.csv", "--metric", "mean_live", *SHORT,
    )  # fmt: skip
    assert done.status == 0
    found = json.loads(done.out)
    assert [row["seed"] for row in found["rows"]] == [3, 4, 3, 4]
    lines = (command.folder / "runs.csv").read_text().splitlines()
    assert lines[0] == "rate,seed,mean_live,error"
    assert len(lines) == 5
    assert done.out.count("\n") == 1


def test_a_baseline_adds_the_differences(command: Command) -> None:
    done = command(
        "sweep", "queue.sq", "--set", "servers=1,2", "--seeds", "1,5", "--baseline", "servers=1",
        "--metric", "observes.response.mean", *SHORT,
    )  # fmt: skip
    assert done.status == 0
    _, second = done.out.split("\n\n")
    assert second.startswith("difference to servers=1, run by run with the same seed\n")
    assert [line.split()[0] for line in second.splitlines()[3:]] == ["2"]


def test_a_program_from_standard_input(command: Command) -> None:
    done = command("sweep", "-", "--set", "rate=0.2,0.4", *SHORT, stdin=QUEUE)
    assert (done.status, len(done.out.splitlines())) == (0, 4)


def test_a_figure(command: Command) -> None:
    pytest.importorskip("matplotlib")
    done = command(
        "sweep", "queue.sq", "--set", "rate=0.2,0.4", "--plot", "a.svg", "--log",
        "observes.response.p99", "--label", "rate=arrivals (1/s)", *SHORT,
    )  # fmt: skip
    assert done.status == 0
    assert "arrivals (1/s)" in (command.folder / "a.svg").read_text()


def test_what_failed_is_said_with_its_point_and_the_rest_is_printed(command: Command) -> None:
    done = command("sweep", "queue.sq", "--set", "rate=0.4,0,0 / 0", "--replications", "2", *SHORT)
    assert done.status == 1
    assert [line.split()[-1] for line in done.out.splitlines()[3:]] == ["failed", "failed"]
    assert "note: at rate=0, seed 1" in done.err
    assert "SQ410" in done.err
    assert "SQ401" in done.err
    assert "and 2 more runs failed for the same reasons" in done.err


def test_where_nothing_runs_nothing_is_printed(command: Command) -> None:
    done = command("sweep", "queue.sq", "--set", "rat=1,2", *SHORT)
    assert (done.status, done.out) == (1, "")
    assert "did you mean `rate`?" in done.err
    done = command("sweep", "failing.sq", "--set", "rate=1,2")
    assert (done.status, done.out) == (1, "")
    assert "SQ601" in done.err


def test_errors_as_json(command: Command) -> None:
    done = command("sweep", "queue.sq", "--set", "rate=0.4,0", "--error-format", "json", *SHORT)
    assert json.loads(done.err)["code"] == "SQ410"


def test_an_output_that_can_not_be_written_is_said_before_the_runs(command: Command) -> None:
    for option, name in (("--csv", "none/a.csv"), ("--plot", "none/a.svg")):
        done = command("sweep", "queue.sq", "--set", "rate=1,2", "--horizon", "1e12", option, name)
        assert (done.status, done.out) == (1, "")
        assert "SQ704" in done.err
    (command.folder / "folder").mkdir()
    done = command("sweep", "queue.sq", "--csv", "folder")
    assert (done.status, done.out) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "rate"], "must be `name=values`"),
        (["--set", "rate=3:1"], "whose last value is not below its first"),
        (["--seeds", "5..1"], "in ascending order"),
        (["--seeds", "1,1"], "seeds that are different"),
        (["--seeds", "x"], "such as `1..5`"),
        (["--replications", "0"], "a whole number from 1"),
        (["--set", "a=1,2", "--replications", "60000"], "120,000 runs, more than 100,000"),
        (["--seeds", "1..2", "--replications", "2"], "two ways to say one"),
        (["--metric", "ttft"], "a number of the report"),
        (["--set", "a=1,2", "--def", "a=1,2"], "with `--set` and with `--def`"),
        (["--baseline", "rate=1"], "is not varied"),
        (["--set", "rate=1,2", "--baseline", "rate=3"], "must be one of the values"),
        (["--plot", "a.svg"], "has nothing to draw"),
        (["--set", "rate=1,2", "--plot", "a.jpg"], "ends in one of .svg, .png, .pdf"),
        (["--set", "rate=1,2", "--log", "rate"], "are about `--plot`"),
        (["--set", "rate=1,2", "--plot", "a.svg", "--log", "rat"], "did you mean `rate`?"),
        (["--set", "rate=1,2", "--plot", "a.svg", "--label", "rate"], "must be `name=text`"),
        (["--csv", "none.sq"], "`none.sq` is read and would be written over"),
        (["--trace", "t.csv", "--csv", "./t.csv"], "name another file"),
        (["--csv", "-"], "standard output has the table"),
        (["--seed", "1"], "it is an option of `serq run`"),
    ],
)
def test_wrong_arguments_are_said_before_the_file_is_opened(
    command: Command, arguments: list[str], said: str
) -> None:
    pytest.importorskip("matplotlib")
    done = command("sweep", "none.sq", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert "usage: serq sweep" in done.err


def test_without_matplotlib_no_run_begins(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = command("sweep", "none.sq", "--set", "rate=1,2", "--plot", "a.svg")
    assert (done.status, done.out) == (1, "")
    assert "SQ509" in done.err
    assert 'pip install "serq[plot]"' in done.err
