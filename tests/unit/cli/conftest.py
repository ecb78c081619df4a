from pathlib import Path

import pytest
from tests.unit.cli.command import Command


@pytest.fixture
def serq(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Command:
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Command(tmp_path, capsys, monkeypatch)
