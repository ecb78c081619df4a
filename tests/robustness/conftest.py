"""Limits of processes, signals and devices as Linux has them; and the command in this process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.unit.cli.command import Command

if sys.platform != "linux":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def serq(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """`serq` in a folder of its own, without a process for each command."""
    monkeypatch.setenv("NO_COLOR", "1")
    return Command(tmp_path, capsys, monkeypatch)
