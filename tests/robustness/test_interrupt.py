"""Ctrl-C: a run reports what it measured and says that it is partial; everything else stops at
once; nothing is half written, nothing is traced.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from serq.engines import available
from tests.robustness.command import SERQ, Outcome, checked

LONG = """stage s : fifo;
stage think : delay;
workload { arrive closed(20); }
session { loop { run think (~exp(1)); set t0 = now; run s (~exp(0.04)); observe r = now - t0; } }
run { horizon 1e12; warmup 5; }
"""
SOON = 5.0
"""Seconds within which it ends; one would do on a machine that has nothing else to do."""


def interrupted(arguments: list[str], after: float, folder: Path, times: int = 1) -> Outcome:
    """Start a command, press Ctrl-C after some seconds of it, wait for its end."""
    with subprocess.Popen(
        [*SERQ, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(after)
        assert process.poll() is None, "it ended before it was interrupted"
        pressed = time.monotonic()
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        out, err = process.communicate(timeout=30)
        seconds = time.monotonic() - pressed
    return checked(Outcome(process.returncode, out.decode(), err.decode(), seconds))


@pytest.mark.parametrize("engine", available())
def test_a_run_reports_what_it_measured(engine: str, tmp_path: Path) -> None:
    (tmp_path / "long.sq").write_text(LONG)
    outcome = interrupted(["run", "long.sq", "--engine", engine], 2.0, tmp_path)
    assert outcome.status == 130
    assert outcome.out.startswith("run: horizon 1000000000000 end ")
    assert "partial" in outcome.out
    assert outcome.seconds < SOON


@pytest.mark.parametrize("engine", available())
def test_json_and_dump(engine: str, tmp_path: Path) -> None:
    (tmp_path / "long.sq").write_text(LONG)
    arguments = ["run", "long.sq", "--json", "--quiet", "--dump", "samples", "--engine", engine]
    outcome = interrupted(arguments, 2.0, tmp_path)
    assert outcome.status == 130
    report = json.loads(outcome.out)
    assert report["partial"] is True
    assert 0 < report["end"] < report["horizon"]
    assert report["observes"]["r"]["count"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["long.sq"], "nothing is half written"
    assert outcome.seconds < SOON


def test_a_second_ctrl_c_ends_it_too(tmp_path: Path) -> None:
    (tmp_path / "long.sq").write_text(LONG)
    outcome = interrupted(["run", "long.sq"], 2.0, tmp_path, times=3)
    assert outcome.status in {130, -signal.SIGINT}
    assert outcome.seconds < SOON


@pytest.mark.parametrize("verb", ["check", "ir", "fmt", "run"])
def test_while_a_text_is_read(verb: str, tmp_path: Path) -> None:
    statements = "".join(f"set x{i} = x{i // 2} + {i};\n" for i in range(400_000))
    text = f"session {{ {statements} }} run {{ horizon 10; }}"
    (tmp_path / "huge.sq").write_text(text)
    outcome = interrupted([verb, "huge.sq"], 1.5, tmp_path)
    assert outcome.status == 130
    assert outcome.out == ""
    assert outcome.err.strip() == "interrupted"
    assert (tmp_path / "huge.sq").read_text() == text
    assert outcome.seconds < SOON


def test_while_it_waits_for_standard_input() -> None:
    read, write = os.pipe()
    try:
        with subprocess.Popen(
            [*SERQ, "check", "-"], stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    finally:
        os.close(read)
        os.close(write)
    assert (process.returncode, out, err.strip()) == (130, b"", b"interrupted")
