"""Traces that are none, each with the line and column of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import serq

HEADER = "session,turn,new,out,think\n"

LINES = [
    ("too few fields", "0,0,100,10", (2, 1)),
    ("one field", "0", (2, 1)),
    ("too many fields", "0,0,100,10,2.5,0,1,2", (2, 1)),
    ("other separators", "0;0;100;10;2.5", (2, 1)),
    ("a word for a length", "0,0,many,10,2.5", (2, 5)),
    ("a word for an output", "0,0,100,few,2.5", (2, 9)),
    ("a blank before a number", "0,0,100, 10,2.5", (2, 9)),
    ("an empty field", "0,0,,10,2.5", (2, 5)),
    ("an empty field at the end", "0,0,100,10,", (2, 12)),
    ("a unit behind a number", "0,0,100,10,2.5s", (2, 12)),
    ("a hexadecimal number", "0,0,0x64,10,2.5", (2, 5)),
    ("digits grouped by marks", "0,0,1_000,10,2.5", (2, 5)),
    ("a session that is a word", "alice,0,100,10,2.5", (2, 1)),
    ("a quoted number", '0,0,"100",10,2.5', (2, 5)),
    ("a forced that is a word", "0,0,100,10,2.5,yes", (2, 16)),
    ("an arrival that is a word", "0,0,100,10,2.5,0,noon", (2, 18)),
    ("an arrival before the beginning", "0,0,100,10,2.5,0,-1", (2, 18)),
    ("an arrival that never comes", "0,0,100,10,2.5,0,inf", (2, 18)),
    ("an arrival that is none", "0,0,100,10,2.5,0,nan", (2, 18)),
]


def refuse(path: Path) -> serq.SerqError:
    with pytest.raises(serq.SerqError) as refused:
        serq.read_trace(path)
    return refused.value


@pytest.mark.parametrize(("line", "place"), [c[1:] for c in LINES], ids=[c[0] for c in LINES])
def test_a_line_that_is_no_turn(line: str, place: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text(HEADER + line + "\n", encoding="utf-8")
    [finding] = refuse(path).diagnostics
    assert finding.code == "SQ701"
    assert finding.span is not None
    assert (finding.span.start_line, finding.span.start_column) == place


def test_every_line_that_is_no_turn_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text(HEADER + "0,0,x,1,1\n0,1,100,10,2\n\n0,2,100\n", encoding="utf-8")
    found = refuse(path).diagnostics
    assert [(d.code, d.span and d.span.start_line) for d in found] == [("SQ701", 2), ("SQ701", 5)]


@pytest.mark.parametrize("text", ["", "\n\n", HEADER, "# a comment\n", HEADER + "# none\n\n"])
def test_a_trace_without_a_turn(text: str, tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text(text, encoding="utf-8")
    assert [d.code for d in refuse(path).diagnostics] == ["SQ702"]


def test_a_trace_that_is_not_there(tmp_path: Path) -> None:
    error = refuse(tmp_path / "turns.csv")
    assert [d.code for d in error.diagnostics] == ["SQ703"]
    assert "turns.csv" in str(error)


def test_a_trace_that_is_a_folder(tmp_path: Path) -> None:
    assert [d.code for d in refuse(tmp_path).diagnostics] == ["SQ703"]


def test_a_trace_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_bytes(b"0,0,100,10,2.5\n\xff\xfe\x00\x01\n")
    assert [d.code for d in refuse(path).diagnostics] == ["SQ703"]


def test_a_program_names_the_trace_it_can_not_replay(tmp_path: Path) -> None:
    (tmp_path / "turns.csv").write_text(HEADER + "0,0,many,10,2.5\n", encoding="utf-8")
    program = tmp_path / "replay.sq"
    program.write_text(
        "stage engine : fifo;\n"
        'workload { arrive batch (1); trace "turns.csv" ordered; }\n'
        "session { turn; run engine (out); end; }\n"
        "run { horizon 10; }\n",
        encoding="utf-8",
    )
    with pytest.raises(serq.SerqError) as refused:
        serq.run(serq.compile(path=program))
    [finding] = refused.value.diagnostics
    assert finding.code == "SQ701"
    assert finding.where().endswith("turns.csv:2:5")
