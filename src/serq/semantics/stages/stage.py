"""What every stage is: a place where jobs spend time (contract §3, *Stages*).

A run is a job at a stage; when its work is done its session is ready again. The kinds differ in
how time turns into work. The report tells per stage how many jobs were present, how much of the
time one was, and what the finished ones waited and took.

Depends on sessions' status and statistics.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.semantics.session import Session, Status
from serq.semantics.stages.estimates import Estimates
from serq.stats.running_moments import RunningMoments
from serq.stats.time_average import TimeAverage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Job:
    """Work at a stage: whose (nobody's for a spill), how much, since when.

    `mark` is what its stage measures progress by: the time it finishes (fifo, delay), its
    finish tag (ps).
    """

    __slots__ = ("enqueued", "mark", "number", "session", "stage", "started", "work")

    def __init__(self, number: int, session: Session | None, work: float) -> None:
        self.number = number
        self.session = session
        self.work = work
        self.stage: Stage | None = None
        self.enqueued = 0.0
        self.started = 0.0
        self.mark = 0.0


class Stage:
    """A stage of any kind.

    `unsettled` says that the machine will ask it, at the end of the settling of this event,
    whether it has something to begin; `changed` that its averages are to be recorded at the
    end of this instant.
    """

    __slots__ = (
        "busy_average",
        "changed",
        "completed",
        "definition",
        "estimates",
        "index",
        "iterations",
        "number_average",
        "service",
        "unsettled",
        "wait",
    )

    def __init__(self, index: int, definition: ir.Stage) -> None:
        self.index = index
        self.definition = definition
        self.unsettled = False
        self.changed = False
        self.completed = 0
        self.iterations = 0
        self.wait = RunningMoments()
        self.service = RunningMoments()
        self.estimates = Estimates()
        self.number_average = TimeAverage()
        self.busy_average = TimeAverage()

    # what a kind says for itself

    def start(self, machine: Machine, job: Job) -> None:
        """A job joins."""
        raise NotImplementedError

    def remove(self, machine: Machine, job: Job) -> None:
        """A job leaves before it is done: its session was preempted or has ended."""
        raise NotImplementedError

    def settle(self, machine: Machine, pending: bool) -> bool:
        """Begin what can begin now; `pending` tells that more happens at this instant.

        True keeps the stage unsettled.
        """
        raise NotImplementedError

    def present(self) -> int:
        """Jobs here, waiting and served."""
        raise NotImplementedError

    def busy(self) -> int:
        """Jobs being served."""
        return self.present()

    def work_left(self, now: float) -> Iterator[float]:
        """What is left of each job, in the order they started, then in queue order."""
        raise NotImplementedError

    # what all kinds do alike

    def averages(self) -> tuple[TimeAverage, ...]:
        """Its time averages."""
        return (self.number_average, self.busy_average)

    def record(self, now: float) -> None:
        """The instant `now` is over."""
        self.changed = False
        present = self.present()
        self.number_average.record(float(present), now)
        self.busy_average.record(1.0 if present else 0.0, now)

    def join(self, machine: Machine, job: Job) -> None:
        """A job is present from now on."""
        job.stage = self
        job.enqueued = machine.now
        machine.change(self)

    def count(self, machine: Machine, job: Job) -> None:
        """A job has had its work: what it waited and took is on record."""
        wait = job.started - job.enqueued
        service = machine.now - job.started
        self.estimates.update(job.started, wait, service)
        if machine.warm:
            self.completed += 1
            self.wait.add(wait)
            self.service.add(service)
        machine.change(self)

    def done(self, machine: Machine, job: Job) -> None:
        """A job has had its work, and its session is ready."""
        self.count(machine, job)
        job.stage = None
        session = job.session
        if session is not None:
            session.job = None
            session.status = Status.READY
            machine.ready.append(session)
