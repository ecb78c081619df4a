"""The bar that shows how many runs are done."""

from __future__ import annotations

import io

import pytest

from serq.api.run_many import RunsProgress
from serq.cli import progress


class Terminal(io.StringIO):
    """A standard error that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_nobody_looks_at_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with progress.runs_bar(quiet=False) as update:
        assert update is None


def test_quiet_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    with progress.runs_bar(quiet=True) as update:
        assert update is None


def test_a_bar_is_shown_once_it_takes_long_and_is_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress.runs_bar(quiet=False) as update:
        assert update is not None
        update(RunsProgress(done=1, total=12, events=1000))
        assert terminal.getvalue() == ""
        monkeypatch.setattr(progress, "PATIENCE", 0.0)
        update(RunsProgress(done=3, total=12, events=5000))
    shown = terminal.getvalue()
    assert "3/12" in shown
    assert "events/s" in shown
