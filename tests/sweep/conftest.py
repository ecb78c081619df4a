"""The command `serq` in a folder of its own."""

from pathlib import Path

import pytest
from tests.sweep.programs import FAILING, QUEUE
from tests.unit.cli.command import Command


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    monkeypatch.delenv("NO_COLOR", raising=False)
    found = Command(tmp_path, capsys, monkeypatch)
    found.write("queue.sq", QUEUE)
    found.write("failing.sq", FAILING)
    return found
