"""The way out of what the system refuses: of files to read and of files to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq.diagnostics import SerqError, refused
from serq.files import check, whole


def way_out_of_reading(path: Path | str) -> str | None:
    try:
        Path(path).read_bytes()
    except OSError as error:
        return refused.reading(path, error)
    raise AssertionError


def test_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trace.csv").touch()
    assert way_out_of_reading("trac.csv") == "did you mean `trace.csv`?"
    assert way_out_of_reading(tmp_path / "trac.csv") == f"did you mean `{tmp_path / 'trace.csv'}`?"
    (tmp_path / "p.sq").touch()
    assert "did you mean" not in str(way_out_of_reading("no.sq"))
    other = way_out_of_reading("other.csv")
    assert other == f"its name is taken from the current folder, `{tmp_path}`"
    assert way_out_of_reading("none/trace.csv") == "there is no folder `none`"
    assert way_out_of_reading("trace.csv/a") == "there is no folder `trace.csv`"
    assert way_out_of_reading(tmp_path / "a") == f"there is none in the folder `{tmp_path}`"
    assert way_out_of_reading(tmp_path) == "name a file in it"


def write_whole(path: str) -> None:
    with whole(path) as staged:
        staged.write_text("something")


def test_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for name, help in {
        "none/a.csv": "there is no folder `none`: make it, or write somewhere else",
        "file/a.csv": "what its path takes for a folder is a file: name another place",
        "x" * 300: "choose a shorter name",
        ".": "name a file in it",
    }.items():
        for write in (check, write_whole):
            with pytest.raises(SerqError) as caught:
                write(name)
            (found,) = caught.value.diagnostics
            assert (found.code, found.help) == ("SQ704", help)


def test_writing_what_is_full_or_not_ours() -> None:
    for number, help in ((28, "free some space"), (13, "where you may"), (30, "where you may")):
        assert help in str(refused.writing("a.csv", OSError(number, "no")))
    assert refused.writing("a.csv", OSError("what nobody knows")) is None
    assert refused.reading("a.csv", OSError(5, "i/o error")) is None
