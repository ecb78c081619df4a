"""Files that are no programs, and arguments that make no sense: refused with a diagnostic."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robustness.command import Outcome, checked
from tests.unit.cli.command import Command

PROGRAM = """let rate = 0.5;
def twice(x) = 2 * x;
stage s : delay;
workload { arrive poisson(rate); }
session { run s (twice(1)); end; }
run { horizon 20; }
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.sq"
    path.write_text(PROGRAM)
    return path


def ask(serq: Command, *arguments: str | Path, stdin: bytes = b"") -> Outcome:
    outcome = serq(*map(str, arguments), stdin=stdin)
    return checked(Outcome(outcome.status, outcome.out, outcome.err))


# --- bytes ----------------------------------------------------------------------------

REFUSED: dict[str, tuple[bytes, str]] = {
    "not UTF-8": (b"let x = 1; // caf\xe9\n", "SQ703"),
    "UTF-16": (PROGRAM.encode("utf-16"), "SQ703"),
    "bytes": (bytes(range(256)) * 40, "SQ703"),
    "zeros": (b"\0" * 10_000, "SQ703"),
    "a byte order mark": (b"\xef\xbb\xbf" + PROGRAM.encode(), "SQ001"),
    "nothing": (b"", "SQ413"),
    "blanks": (b" \t\r\n" * 1_000, "SQ413"),
    "a comment": (b"// nothing", "SQ413"),
    "a single brace": (b"{", "SQ502"),
    "half an IR": (b'{"version": 10', "SQ502"),
    "an IR of another version": (b'{"version": 11}', "SQ501"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_that_is_no_program(serq: Command, kind: str, tmp_path: Path) -> None:
    content, code = REFUSED[kind]
    path = tmp_path / "p.sq"
    path.write_bytes(content)
    outcome = ask(serq, "run", path)
    assert outcome.status == 1
    assert outcome.codes[0] == code
    by_stdin = ask(serq, "check", "-", stdin=content)
    assert (by_stdin.status, by_stdin.codes) == (1, outcome.codes)


def test_line_breaks_of_windows_are_line_breaks(serq: Command, tmp_path: Path) -> None:
    (tmp_path / "unix.sq").write_bytes(PROGRAM.encode())
    (tmp_path / "windows.sq").write_bytes(PROGRAM.replace("\n", "\r\n").encode())
    unix, windows = (ask(serq, "run", name, "--json") for name in ("unix.sq", "windows.sq"))
    assert unix.status == windows.status == 0
    assert unix.out == windows.out


NO_FILES = ["", ".", "no-such-file.sq", "p.sq/inside", "/dev/null/x", "x" * 300]


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("path", NO_FILES)
def test_a_path_that_is_no_file(serq: Command, path: str) -> None:
    outcome = ask(serq, "run", path)
    assert outcome.status == 1
    assert outcome.codes == ["SQ703"]


def test_a_line_of_millions_of_characters(serq: Command, tmp_path: Path) -> None:
    """The diagnostic shows a part of the line, not all of it."""
    path = tmp_path / "p.sq"
    path.write_text("session { " + "set x = 1; " * 3_000 + "set y = zz; } run { horizon 1; }")
    outcome = ask(serq, "check", path)
    assert outcome.codes == ["SQ201"]
    assert len(outcome.err) < 1_000


def test_standard_input_takes_a_text_and_an_ir(serq: Command, program: Path) -> None:
    text = ask(serq, "run", "-", "--json", stdin=PROGRAM.encode())
    assert text.status == 0
    written = ask(serq, "ir", program)
    assert written.status == 0
    assert ask(serq, "run", "-", "--json", stdin=written.out.encode()).out == text.out
    (program.parent / "p.json").write_text(written.out)
    assert ask(serq, "run", program.parent / "p.json", "--json").out == text.out


# --- arguments ------------------------------------------------------------------------

WRONG_SETS: dict[str, tuple[list[str], int, str | None]] = {
    "an unknown constant": (["--set", "rat=1"], 1, "SQ214"),
    "no expression": (["--set", "rate="], 2, None),
    "no name": (["--set", "=1"], 2, None),
    "no assignment": (["--set", "rate"], 2, None),
    "half an expression": (["--set", "rate=(1"], 1, "SQ"),
    "a draw": (["--set", "rate=~exp(1)"], 1, "SQ"),
    "an attribute": (["--set", "rate=serial"], 1, "SQ"),
    "itself": (["--set", "rate=rate"], 1, "SQ"),
    "no number": (["--set", "rate=0/0"], 1, "SQ401"),
    "two expressions": (["--set", "rate=1; let b = 2"], 1, "SQ"),
    "an endless one": (["--set", "rate=" + "(" * 30_000], 1, "SQ112"),
    "characters": (["--set", "rate=é🦜"], 1, "SQ"),
    "an unknown definition": (["--def", "twic=1"], 1, "SQ214"),
    "statements": (["--def", "twice={ end; }"], 1, "SQ"),
    "half a body": (["--def", "twice=x +"], 1, "SQ"),
    "a name it does not have": (["--def", "twice=y"], 1, "SQ201"),
    "a definition of itself": (["--def", "twice=twice(x)"], 1, "SQ"),
    "a constant as a definition": (["--def", "rate=1"], 1, "SQ214"),
    "a definition as a constant": (["--set", "twice=1"], 1, "SQ214"),
}


@pytest.mark.parametrize("what", WRONG_SETS)
def test_a_wrong_override(serq: Command, what: str, program: Path) -> None:
    arguments, status, code = WRONG_SETS[what]
    outcome = ask(serq, "run", program, *arguments)
    assert outcome.status == status, outcome.err
    if code is not None:
        assert outcome.codes, outcome.err
        assert outcome.codes[0].startswith(code), outcome.err


def test_the_last_of_two_counts(serq: Command, program: Path) -> None:
    twice = ask(serq, "run", program, "--json", "--set", "rate=9", "--set", "rate=2", "--quiet")
    assert twice.out == ask(serq, "run", program, "--json", "--set", "rate=2", "--quiet").out != ""


# --- traces -----------------------------------------------------------------------------

REPLAY = """stage s : delay;
workload { arrive batch(2); trace "t.csv" ordered; }
session { loop { turn; run s (think); observe o = out; branch (more) { } else { end; } } }
run { horizon 20; }
"""

TRACES: dict[str, tuple[str | bytes, str]] = {
    "a word for `new`": ("0,0,x,2,3,0\n", "SQ701"),
    "a word for `out`": ("0,0,1,x,3,0\n", "SQ701"),
    "a word for `think`": ("0,0,1,2,x,0\n", "SQ701"),
    "a word for `forced`": ("0,0,1,2,3,x\n", "SQ701"),
    "a word for the session": ("x,0,1,2,3,0\n", "SQ701"),
    "too few columns": ("0,0,1,2\n", "SQ701"),
    "too many columns": ("0,0,1,2,3,0,9,9\n", "SQ701"),
    "blanks": ("0, 0, 1, 2, 3, 0\n", "SQ701"),
    "bytes": (b"\x00\xff\xfe" * 100, "SQ703"),
    "zeros": (b"\0" * 1000, "SQ701"),
    "nothing": ("", "SQ702"),
    "only a header": ("session,turn,new,out,think,forced\n", "SQ702"),
    "one endless line": ("0," * 1_000_000, "SQ703"),
}


@pytest.mark.parametrize("what", TRACES)
def test_a_trace_that_is_none(serq: Command, what: str, tmp_path: Path) -> None:
    content, code = TRACES[what]
    (tmp_path / "p.sq").write_text(REPLAY)
    (tmp_path / "t.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    outcome = ask(serq, "run", tmp_path / "p.sq")
    assert outcome.status == 1
    assert outcome.codes[0] == code
    assert len(outcome.err) < 2_000


def test_a_trace_that_is_not_there_or_a_folder(serq: Command, tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_text(REPLAY)
    assert ask(serq, "run", tmp_path / "p.sq").codes == ["SQ703"]
    (tmp_path / "t.csv").mkdir()
    assert ask(serq, "run", tmp_path / "p.sq").codes == ["SQ703"]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "-1", "1e308", "1e-320"])
def test_a_trace_with_odd_numbers(serq: Command, number: str, tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_text(REPLAY)
    (tmp_path / "t.csv").write_text(
        "".join(f"0,{i},{number},{number},{number},1\n" for i in range(3))
    )
    outcome = ask(serq, "run", tmp_path / "p.sq", "--quiet")
    assert outcome.status in (0, 1)
