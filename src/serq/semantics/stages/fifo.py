"""`fifo(c)`: c servers, one job each at rate 1, jobs in arrival order (contract §3, *Stages*).

Depends on what every stage is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.semantics.stages.stage import Job, Stage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Fifo(Stage):
    """Jobs in service, in the order they started (a dict, for quick removal), and the line."""

    __slots__ = ("served", "servers", "waiting")

    def __init__(self, index: int, definition: ir.Stage, kind: ir.Fifo) -> None:
        super().__init__(index, definition)
        self.servers = kind.servers
        self.served: dict[Job, None] = {}
        self.waiting: deque[Job] = deque()

    def start(self, machine: Machine, job: Job) -> None:
        """A job joins the end of the line."""
        self.join(machine, job)
        self.waiting.append(job)
        self.fill(machine)

    def fill(self, machine: Machine) -> None:
        """Free servers take jobs from the front of the line."""
        while self.waiting and len(self.served) < self.servers:
            job = self.waiting.popleft()
            job.started = machine.now
            job.mark = machine.now + job.work
            self.served[job] = None
            machine.events.schedule(job.mark, do_finish, self, job)

    def remove(self, machine: Machine, job: Job) -> None:
        """A job leaves its server, which takes the next one, or the line."""
        job.stage = None
        machine.change(self)
        if job in self.served:
            del self.served[job]
            self.fill(machine)
        else:
            self.waiting.remove(job)

    def present(self) -> int:
        """Jobs here, waiting and served."""
        return len(self.served) + len(self.waiting)

    def busy(self) -> int:
        """Servers at work."""
        return len(self.served)

    def work_left(self, now: float) -> Iterator[float]:
        """Of a job in service the time to its finish, of a waiting one all of its work."""
        for job in self.served:
            yield job.mark - now
        for job in self.waiting:
            yield job.work


def do_finish(machine: Machine, stage: Fifo, job: Job) -> None:
    """A job's time is up; stale when it left before."""
    if job.stage is not stage:
        return
    del stage.served[job]
    stage.done(machine, job)
    stage.fill(machine)
