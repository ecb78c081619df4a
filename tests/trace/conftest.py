from pathlib import Path

import pytest

from tests.unit.cli.command import Command


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    """The command `serq`, run in a folder of its own."""
    monkeypatch.setenv("NO_COLOR", "1")
    return Command(tmp_path, capsys, monkeypatch)
