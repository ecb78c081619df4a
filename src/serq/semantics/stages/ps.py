"""`ps(capacity)`: every job at once, each at capacity(present) / present (contract §3, *Stages*).

All jobs progress alike, so one virtual time measures the progress of each: a job that joins at
virtual time v is done at v + work, its finish tag. The rate of virtual time changes only when
jobs come or go, and is set once an instant, when the machine settles.

Depends on expressions and what every stage is.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.ir.arithmetic import maximum
from serq.semantics.expressions import evaluate_at
from serq.semantics.numbers import order
from serq.semantics.scope import Scope
from serq.semantics.stages.stage import Job, Stage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Ps(Stage):
    """Virtual time, its rate since `since`, and the jobs.

    `jobs` is in the order they started; `tags` has (key of the tag, number, job) of each, the
    least first, and of jobs that were removed, which are passed over.
    """

    __slots__ = ("capacity", "epoch", "jobs", "rate", "scope", "since", "tags", "virtual")

    def __init__(self, machine: Machine, index: int, definition: ir.Stage, kind: ir.Ps) -> None:
        super().__init__(index, definition)
        self.capacity = kind.capacity
        self.scope = Scope(machine, machine.streams.session)
        self.virtual = 0.0
        self.rate = 0.0
        self.since = 0.0
        self.epoch = 0
        self.jobs: dict[Job, None] = {}
        self.tags: list[tuple[int, int, Job]] = []

    def start(self, machine: Machine, job: Job) -> None:
        """A job joins and is tagged with the virtual time of its finish."""
        self.join(machine, job)
        self.advance(machine.now)
        job.started = machine.now
        job.mark = self.virtual + job.work
        self.jobs[job] = None
        heappush(self.tags, (order(job.mark), job.number, job))
        machine.unsettle(self)

    def remove(self, machine: Machine, job: Job) -> None:
        """A job leaves; the others are faster from now on."""
        job.stage = None
        del self.jobs[job]
        machine.change(self)
        machine.unsettle(self)

    def advance(self, now: float) -> None:
        """Let virtual time pass up to `now`."""
        self.virtual += self.rate * (now - self.since)
        self.since = now

    def settle(self, machine: Machine, pending: bool) -> bool:  # noqa: ARG002
        """Jobs have come or gone: set the rate, and the finish of the least tag."""
        present = len(self.jobs)
        capacity = 0.0
        if present:
            self.scope.present = float(present)
            capacity = evaluate_at(self.capacity, self.scope, "stages", self.index, "capacity")
        self.advance(machine.now)
        self.rate = capacity / present if present else 0.0
        self.epoch += 1
        if self.rate > 0.0:
            while self.tags[0][2] not in self.jobs:
                heappop(self.tags)
            job = self.tags[0][2]
            wait = maximum((job.mark - self.virtual) / self.rate, 0.0)
            machine.events.schedule(machine.now + wait, do_finish, self, job, self.epoch)
        return False

    def present(self) -> int:
        """Jobs here."""
        return len(self.jobs)

    def work_left(self, now: float) -> Iterator[float]:
        """What virtual time has to pass to each job's tag."""
        virtual = self.virtual + self.rate * (now - self.since)
        for job in self.jobs:
            yield job.mark - virtual


def do_finish(machine: Machine, stage: Ps, job: Job, epoch: int) -> None:
    """The least tag is reached; stale when the rate was set anew since, or the job has left."""
    if epoch != stage.epoch or job not in stage.jobs:
        return
    stage.advance(machine.now)
    del stage.jobs[job]
    stage.virtual = maximum(stage.virtual, job.mark)
    machine.unsettle(stage)
    stage.done(machine, job)
