"""Running a command of serq in this process."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import pytest

from serq.cli.main import command_status


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Command:
    """The command `serq`, run in a folder of its own."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *arguments: str, stdin: str | bytes = b"") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self.monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        self.monkeypatch.chdir(self.folder)
        self.capsys.readouterr()
        status = command_status(arguments)
        captured = self.capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    def write(self, name: str, text: str) -> str:
        """A file in the folder; its name."""
        (self.folder / name).write_text(text, encoding="utf-8")
        return name
