"""The command as a process: closed pipes, full disks, terminals, what is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.api.programs import MM1

SERQ = [sys.executable, "-m", "serq"]
UNIX = pytest.mark.skipif(os.name != "posix", reason="pipes, terminals and devices of Unix")


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [*SERQ, *arguments],
        capture_output="stdout" not in options,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=60,
        **options,
    )


@UNIX
def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        outcomes = [
            subprocess.run(
                [*SERQ, asked], stdout=write, stderr=subprocess.PIPE, check=False, timeout=60
            )
            for asked in ("explain", "--help")
        ]
    finally:
        os.close(write)
    assert [(each.stderr, each.returncode) for each in outcomes] == 2 * [(b"", 141)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_standard_output_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        outcome = run("explain", stdout=full, stderr=subprocess.PIPE)
        help = run("--help", stdout=full, stderr=subprocess.PIPE)
    assert outcome.returncode == help.returncode == 1
    assert outcome.stderr == (
        "error[SQ704]: standard output can not be written: no space left on device\n"
        "  = help: free some space there, or write somewhere else\n"
    )
    assert help.stderr == (
        "error[SQ704]: input or output failed: no space left on device\n"
        "  = help: free some space there, or write somewhere else\n"
    )


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_text(MM1.replace("sojourn", "größe"), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    outcome = run("run", str(tmp_path / "p.sq"), env=environment)
    assert outcome.returncode == 0, outcome.stderr
    assert "größe" in outcome.stdout
    assert "±" in outcome.stdout


def on_a_terminal(arguments: list[str], environment: dict[str, str]) -> str:
    """What a command writes on standard error when that is a terminal."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, **environment}
    ) as process:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 65536):
                written += part
        except OSError:  # the other end is closed
            pass
        process.wait(timeout=30)
    os.close(ours)
    return written.decode()


@UNIX
def test_colours_only_on_a_terminal_that_wants_them() -> None:
    arguments = [*SERQ, "check", "no-such-file.sq"]
    wanted = {"TERM": "xterm", "NO_COLOR": ""}
    assert "\x1b[1;31merror[SQ703]\x1b[0m" in on_a_terminal(arguments, wanted)
    assert "\x1b" not in on_a_terminal(arguments, {**wanted, "NO_COLOR": "1"})
    assert "\x1b" not in on_a_terminal(arguments, {**wanted, "TERM": "dumb"})
    assert "\x1b" not in run(*arguments[3:]).stderr


@UNIX
def test_a_run_of_seconds_shows_a_bar_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_text(MM1)
    arguments = [*SERQ, "run", str(tmp_path / "p.sq"), "--engine", "python", "--horizon", "150000"]
    terminal = {"TERM": "xterm", "COLUMNS": "120"}
    shown = on_a_terminal(arguments, terminal)
    assert " events/s" in shown.rpartition("engine python")[0]
    assert on_a_terminal([*arguments, "--quiet"], terminal) == ""


@pytest.mark.parametrize("arguments", ["--version", "check -", "run - --quiet", "explain SQ301"])
def test_nothing_heavy_is_loaded(arguments: str) -> None:
    code = (
        "import sys\nfrom serq.cli.main import command_status\n"
        f"status = command_status({arguments.split()!r})\n"
        "heavy = {'numpy', 'rich', 'pandas', 'pyarrow', 'asyncio', 'decimal'}\n"
        "print(status, sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", code], input=MM1, capture_output=True, text=True, check=True
    )
    assert outcome.stderr == "0 []\n"
