"""Watching a run: that time moves, that somebody may stop it, that somebody wants to know.

None of this changes a result, only whether there is one. Every event and every session step is
counted; every few thousand of them the watch looks at the clock on the wall. Depends on options,
errors and stages.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from serq.ir.spans import Path
from serq.report.options import Progress, RunOptions
from serq.semantics.errors import standstill
from serq.semantics.session import Session
from serq.semantics.stages.stage import Stage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine

STEPS_BETWEEN_LOOKS = 2048
SECONDS_BETWEEN_REPORTS = 0.1


class Watch:
    """Counts steps, and looks up now and then.

    `interrupted` is set by Ctrl-C, so that the run ends between two steps and not inside one.
    """

    __slots__ = ("allowed", "interrupted", "limit", "next_look", "next_report", "progress", "steps")

    def __init__(self, options: RunOptions) -> None:
        self.limit = options.limit_events
        self.progress = options.progress
        self.steps = 0
        self.allowed = self.limit  # steps that this instant may reach
        self.next_look = STEPS_BETWEEN_LOOKS
        self.next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS
        self.interrupted = False

    def event(self, machine: Machine, told: tuple[Any, ...]) -> None:
        """An event is about to be handled."""
        self.steps += 1
        if self.steps > self.allowed:
            stage = told[0] if told else None
            path: Path = ("stages", stage.index) if isinstance(stage, Stage) else ("arrival",)
            raise standstill(f"{self.limit} events and session steps", machine.now).placed(path)
        if self.steps >= self.next_look:
            self.look(machine)

    def session_step(self, machine: Machine, session: Session) -> None:
        """A session is about to run until it waits."""
        self.steps += 1
        if self.steps > self.allowed:
            path = session.place()
            raise standstill(f"{self.limit} events and session steps", machine.now).placed(path)
        if self.steps >= self.next_look:
            self.look(machine)

    def end_instant(self) -> None:
        """Time moves on."""
        self.allowed = self.steps + self.limit

    def look(self, machine: Machine) -> None:
        """See whether the run is to end here, and tell how far it is."""
        self.next_look = self.steps + STEPS_BETWEEN_LOOKS
        if self.interrupted:
            raise KeyboardInterrupt
        if self.progress is not None and time.monotonic() >= self.next_report:
            self.next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS
            self.progress(Progress(machine.now, machine.happened, machine.live))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Within it, Ctrl-C waits for the next look; a second one does not wait.

        Only where Ctrl-C would raise KeyboardInterrupt here anyway: in the main thread, and
        unless somebody else handles it.
        """
        before = signal.getsignal(signal.SIGINT)
        main = threading.current_thread() is threading.main_thread()
        if not main or before is not signal.default_int_handler:
            yield
            return

        def remember(_number: int, _frame: FrameType | None) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        signal.signal(signal.SIGINT, remember)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
