import errno
from array import array
from pathlib import Path
from typing import Any

import pytest
from tests.unit.report.examples import measurements, observed, report

from serq.diagnostics import SerqError
from serq.report import dump
from serq.report.measurements import GaugeMeasurements
from serq.report.report import Report

NAN = float("nan")


def example() -> Report:
    gauge = GaugeMeasurements("load", array("d", [0.0, 2.5]), array("d", [0.0, 3.0]))
    observes = [observed("ttft", [0.25, NAN]), observed("none", [])]
    return report(measurements(observes=observes, gauges=[gauge]))


def files(folder: Path) -> dict[str, str]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in found}


def test_a_file_for_each_observation_and_gauge(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    example().dump(folder)
    assert files(folder) == {
        "gauge/load.csv": "time,value\n0,0\n2.5,3\n",
        "none.csv": "time,session,turn,value\n",
        "ttft.csv": "time,session,turn,value\n0,7,1,0.25\n1,7,1,NaN\n",
    }
    assert sorted(path.name for path in folder.iterdir()) == ["gauge", "none.csv", "ttft.csv"]


def test_files_of_an_earlier_dump_are_replaced_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "ttft.csv").write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    example().dump(tmp_path)
    assert files(tmp_path)["ttft.csv"].startswith("time,session")
    assert files(tmp_path)["mine.txt"] == "mine"


def refusal(folder: Path, made: Report | None = None) -> str:
    with pytest.raises(SerqError) as caught:
        (made or example()).dump(folder)
    (found,) = caught.value.diagnostics
    assert found.code == "SQ704"
    return found.message


def test_a_disk_that_fills_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "none.csv").write_text("old")
    written = []

    def full(path: Path, lines: Any) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(next(lines))
        written.append(path)
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(dump, "_write_lines", full)
    assert refusal(tmp_path).endswith("no space left on device")
    assert files(tmp_path) == {"none.csv": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["none.csv"]
    written.clear()
    assert refusal(tmp_path / "new").endswith("no space left on device")
    assert not (tmp_path / "new").exists()


def test_a_folder_that_can_not_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert str(tmp_path / "file") in refusal(tmp_path / "file")
    assert "not a directory" in refusal(tmp_path / "file" / "below")


@pytest.mark.parametrize("name", ["../out", "a/b", ".hidden", "", "a\\b", "a\0b"])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    made = report(measurements(observes=[observed(name, [1.0])]))
    assert "can not be a file's" in refusal(tmp_path / "out", made)
    assert list(tmp_path.iterdir()) == []
