"""Watching a run: that time moves, that somebody may stop it, that somebody wants to know.

None of this changes a result, only whether there is one. Every event and every session step is
counted; every few dozen of them the watch looks at the clock on the wall. Depends on options,
errors and stages.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from serq.ir.spans import Path
from serq.report.options import Progress, RunOptions
from serq.semantics.errors import standstill
from serq.semantics.session import Session
from serq.semantics.stages.stage import Stage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine

STEPS_BETWEEN_LOOKS = 64
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
        self.allowed = self.limit  # the steps that this instant may reach
        self.next_look = min(STEPS_BETWEEN_LOOKS, self.allowed + 1)
        self.next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS
        self.interrupted = False

    def look(self, machine: Machine, culprit: Session | Stage | None) -> None:
        """Step number `next_look` is reached, at which `culprit` is about to do something.

        See whether too much happens at one instant and whether the run is to end here; tell
        how far it is.
        """
        if self.steps > self.allowed:
            what = f"{self.limit} events and session steps"
            raise standstill(what, machine.now).placed(_place(culprit))
        if self.interrupted:
            raise KeyboardInterrupt
        if self.progress is not None and time.monotonic() >= self.next_report:
            self.next_report = time.monotonic() + SECONDS_BETWEEN_REPORTS
            self.progress(Progress(machine.now, machine.happened, machine.live))
        self.next_look = min(self.steps + STEPS_BETWEEN_LOOKS, self.allowed + 1)

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


def _place(culprit: Session | Stage | None) -> Path:
    """Where in the IR the thing stands that does so much."""
    if isinstance(culprit, Session):
        return culprit.loop_place()
    return ("arrival",) if culprit is None else ("stages", culprit.index)
