"""`delay`: every job on its own at rate 1 (contract §3, *Stages*).

Depends on what every stage is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.semantics.stages.stage import Job, Stage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Delay(Stage):
    """Jobs in the order they started (a dict, for its order and quick removal)."""

    __slots__ = ("jobs",)

    def __init__(self, index: int, definition: ir.Stage) -> None:
        super().__init__(index, definition)
        self.jobs: dict[Job, None] = {}

    def start(self, machine: Machine, job: Job) -> None:
        """A job starts at once and ends after its work."""
        self.join(machine, job)
        job.started = machine.now
        job.mark = machine.now + job.work
        self.jobs[job] = None
        machine.events.schedule(job.mark, do_finish, self, job)

    def remove(self, machine: Machine, job: Job) -> None:
        """A job leaves."""
        job.stage = None
        del self.jobs[job]
        machine.change(self)

    def present(self) -> int:
        """Jobs here."""
        return len(self.jobs)

    def work_left(self, now: float) -> Iterator[float]:
        """The time to each job's finish."""
        for job in self.jobs:
            yield job.mark - now


def do_finish(machine: Machine, stage: Delay, job: Job) -> None:
    """A job's time is up; stale when it left before."""
    if job.stage is not stage:
        return
    del stage.jobs[job]
    stage.done(machine, job)
