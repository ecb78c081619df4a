"""The benchmarks' own commands work; what they measure is no test's business."""

import re
import sys

import pytest
from bench import compare, replications


def table(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """The cells of what was printed, without the line under the heading."""
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("|--")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def run(main: object, name: str, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    assert callable(main)
    main()


def test_compare(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("cliff", "--short", "--runs", "1", "--against", sys.executable)
    run(compare.main, "compare", *arguments, monkeypatch=monkeypatch)
    heading, row = table(capsys)
    assert heading == ["program", "events", "other ns/event", "serQ ns/event", "ratio"]
    assert row[0] == "cliff"
    assert all(re.fullmatch(r"[\d,.]+", cell) for cell in row[1:])


def test_compare_refuses_a_program_that_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(compare.main, "compare", "clif", monkeypatch=monkeypatch)
    assert "no such program: clif" in capsys.readouterr().err


def test_replications(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("mg1", "--runs", "2", "--horizon", "50000")
    run(replications.main, "replications", *arguments, monkeypatch=monkeypatch)
    heading, *rows = table(capsys)
    assert heading[:3] == ["threads", "wall s", "speed-up"]
    assert heading[3:] == ["running s", "queued s", "blocked s"]
    assert [row[0] for row in rows] == ["1", "2"]
