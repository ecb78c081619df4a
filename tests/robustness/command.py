"""`serq` as a process, with limits of its own, and what must be true of every answer."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

SERQ = [sys.executable, "-m", "serq"]
MEMORY = 2**30
"""Bytes of address space."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended: its status, its output, the seconds it took."""

    status: int
    out: str
    err: str
    seconds: float = 0.0

    @property
    def codes(self) -> list[str]:
        """The codes of the errors on standard error, in order."""
        lines = [line for line in self.err.splitlines() if line.startswith("error[")]
        return [line[len("error[") :].partition("]")[0] for line in lines]


def checked(outcome: Outcome) -> Outcome:
    """No traceback, no defect of serQ's own, and nothing on standard output from a failure."""
    assert "Traceback" not in outcome.err, outcome.err
    assert "SQ901" not in outcome.err, outcome.err
    if outcome.status in (1, 2):
        assert outcome.out == "", outcome.out
        assert outcome.err != ""
    return outcome


def limited(file_size: int | None = None, memory: int = MEMORY) -> None:
    """Set the limits of a process that is about to start."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if file_size is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))


def serq(
    *arguments: str | Path,
    stdin: bytes = b"",
    folder: Path | None = None,
    seconds: float = 60.0,
    file_size: int | None = None,
) -> Outcome:
    """Run a command to its end."""
    started = time.monotonic()
    done = subprocess.run(
        [*SERQ, *map(str, arguments)],
        input=stdin,
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=seconds,
        preexec_fn=lambda: limited(file_size),
    )
    taken = time.monotonic() - started
    return checked(Outcome(done.returncode, done.stdout.decode(), done.stderr.decode(), taken))
