"""A progress bar on standard error: simulated time, events a second, time left.

Only on a terminal, and only when the run lasts over a second. Depends on rich, imported then.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from serq.api.run_many import RunsProgress
    from serq.report.options import Progress

PATIENCE = 1.0
"""Seconds of real time before the bar is shown."""

REFRESHES_PER_SECOND = 4.0
"""Drawing takes about a millisecond, half a percent of a processor at this rate."""


@contextmanager
def progress_bar(horizon: float, *, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """What an engine tells where it is; None when nobody looks. The bar is gone afterwards."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(horizon)
    try:
        yield bar.update
    finally:
        bar.stop()


class _Bar:
    """A bar that shows itself when the run turns out to be long."""

    def __init__(self, horizon: float) -> None:
        self.horizon = horizon
        self.started = time.monotonic()
        self.rich: RichProgress | None = None
        self.task: TaskID | None = None

    def update(self, progress: Progress) -> None:
        """Show where the run is."""
        elapsed = time.monotonic() - self.started
        if elapsed < PATIENCE:
            return
        if self.rich is None:
            self.show()
        assert self.rich is not None
        assert self.task is not None
        rate = progress.events / elapsed
        self.rich.update(
            self.task,
            completed=min(progress.now, self.horizon),
            now=f"{progress.now:.6g}",
            rate=f"{rate:,.0f} events/s",
            live=f"{progress.live} live",
        )

    def show(self) -> None:
        """Start the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self.rich = Bar(
            TextColumn("t = {task.fields[now]}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[live]}"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            transient=True,
            refresh_per_second=REFRESHES_PER_SECOND,
        )
        self.task = self.rich.add_task("run", total=self.horizon, now="0", rate="", live="")
        self.rich.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self.rich is not None:
            self.rich.stop()


@contextmanager
def runs_bar(*, quiet: bool) -> Iterator[Callable[[RunsProgress], None] | None]:
    """What many runs tell where they are; None when nobody looks. The bar is gone afterwards."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    bar = _RunsBar()
    try:
        yield bar.update
    finally:
        bar.stop()


class _RunsBar:
    """A bar of the runs that are done, which shows itself when they turn out to take long."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.rich: RichProgress | None = None
        self.task: TaskID | None = None

    def update(self, progress: RunsProgress) -> None:
        """Show how many runs are done."""
        elapsed = time.monotonic() - self.started
        if elapsed < PATIENCE:
            return
        if self.rich is None:
            self.show(progress.total)
        assert self.rich is not None
        assert self.task is not None
        rate = f"{progress.events / elapsed:,.0f} events/s"
        self.rich.update(self.task, completed=progress.done, rate=rate)

    def show(self, total: int) -> None:
        """Start the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self.rich = Bar(
            TextColumn("runs"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            transient=True,
            refresh_per_second=REFRESHES_PER_SECOND,
        )
        self.task = self.rich.add_task("runs", total=total, rate="")
        self.rich.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self.rich is not None:
            self.rich.stop()
