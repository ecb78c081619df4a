import math
from pathlib import Path

import pytest

from serq.diagnostics import Diagnostic, SerqError
from serq.trace import TraceTurn
from serq.trace.read import read_trace


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def findings(path: Path) -> list[Diagnostic]:
    with pytest.raises(SerqError) as caught:
        read_trace(path)
    return caught.value.diagnostics


def test_a_session_starts_where_the_session_column_changes(tmp_path: Path) -> None:
    text = """session,turn,new,out,think,forced
# a comment

7,0,100,20,1.5,0
  7,1,50,10,0.5,1
3,0,10,5,0
7,0,1,2,3
"""
    assert read_trace(written(tmp_path, text)) == [
        (TraceTurn(100.0, 20.0, 1.5, 0.0), TraceTurn(50.0, 10.0, 0.5, 1.0)),
        (TraceTurn(10.0, 5.0, 0.0),),
        (TraceTurn(1.0, 2.0, 3.0),),
    ]


def test_session_numbers_are_truncated_and_the_turn_column_is_not_read(tmp_path: Path) -> None:
    text = "-3,x,1,1,1\n0.9,,1,1,1\n1.9,?,1,1,1\n1e30,0,1,1,1\n1e40,0,1,1,1\nnan,0,1,1,1\n"
    assert [len(session) for session in read_trace(written(tmp_path, text))] == [2, 1, 2, 1]


def test_numbers_have_the_syntax_of_the_format(tmp_path: Path) -> None:
    text = "0,0,1e3,+.5,5.\r\n0,1,inf,-Infinity,1E-2\n0,2,NaN,1,2"
    ((first, second, third),) = read_trace(written(tmp_path, text))
    assert first == TraceTurn(1000.0, 0.5, 5.0)
    assert second == TraceTurn(math.inf, -math.inf, 0.01)
    assert math.isnan(third.new)


@pytest.mark.parametrize("field", ["", " 1", "1 ", "1_000", "0x10", "\u0661", "1e", "--1", "one"])
def test_what_is_no_number_is_named_with_line_and_column(tmp_path: Path, field: str) -> None:
    path = written(tmp_path, f"session\n0,0,1,1,1\n0,1,2,{field},1\n")
    (found,) = findings(path)
    assert found.code == "SQ701"
    assert found.message == (f"line 3 of the trace, column 4 (`out`): `{field}` is not a number")
    assert found.where() == f"{path}:3:7"
    assert found.span is not None
    assert found.span.text == field
    assert (found.help is not None) == (field != field.strip())


@pytest.mark.parametrize("row", ["1,2,3,4", "1,2,3,4,5,6,7,8", "x"])
def test_a_turn_has_five_to_seven_fields(tmp_path: Path, row: str) -> None:
    (found,) = findings(written(tmp_path, f"0,0,1,1,1\n{row}\n"))
    assert found.code == "SQ701"
    assert found.message.startswith(f"line 2 of the trace has {row.count(',') + 1} field")


def test_every_bad_line_is_found_up_to_a_limit(tmp_path: Path) -> None:
    assert len(findings(written(tmp_path, "0,0,a,1,1\n0,1,1,1,1\n0,2,1,b,1\n"))) == 2
    assert len(findings(written(tmp_path, "0,0,1,1,1\n" + "0,0,a,1,1\n" * 1000))) == 20


def test_a_file_of_another_kind_is_given_up_soon(tmp_path: Path) -> None:
    assert len(findings(written(tmp_path, "stage engine : step {\n" * 1000))) == 3


@pytest.mark.parametrize("text", ["", "session,turn,new,out,think\n", "\n# nothing\n"])
def test_a_trace_without_a_turn_is_refused(tmp_path: Path, text: str) -> None:
    (found,) = findings(written(tmp_path, text))
    assert found.code == "SQ702"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"0,0,1,1,1\n0,1,\xff,1,1\n", "line 2 is not UTF-8 at byte 5"),
        ("\ufeff0,0,1,1,1\n".encode(), "it starts with a byte order mark"),
        (b"1," * 100_000, "line 1 has more than 65536 bytes"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (found,) = findings(written(tmp_path, content))
    assert found.code == "SQ703"
    assert reason in found.message


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path, Path("a\0b")):
        (found,) = findings(path)
        assert found.code == "SQ703"
        assert found.file == str(path)


def test_the_reference_reads_the_same_sessions(tmp_path: Path) -> None:
    pyserq = pytest.importorskip("pyserq")
    text = "".join(f"{i // 3},{i % 3},{i * 7.25},{i}e1,.5,{i % 2}\n" for i in range(30))
    path = written(tmp_path, text)
    theirs = [tuple(tuple(turn) for turn in session) for session in pyserq.read_trace(str(path))]
    assert [tuple(tuple(turn) for turn in session) for session in read_trace(path)] == theirs
