"""A machine that looks at itself after every event: what must hold in every reachable state.

The run loop is the engine's own; only `settle`, with which every event ends, looks around when it
is done.
"""

from __future__ import annotations

from itertools import pairwise

from serq.ir import nodes as ir
from serq.report.options import RunOptions
from serq.semantics.machine import Machine
from serq.semantics.pool import SLACK, Pool
from serq.semantics.session import Session, Status
from serq.semantics.stages.delay import Delay
from serq.semantics.stages.fifo import Fifo
from serq.semantics.stages.flows import Shared
from serq.semantics.stages.ps import Ps
from serq.semantics.stages.stage import Job, Stage
from serq.semantics.stages.step import Step

ROUNDING = 1e-9
"""How far sums of the same doubles in another order may be apart, at these sizes."""


class CheckedMachine(Machine):
    """Counts ends, and checks the state after every event."""

    def __init__(self, program: ir.Program, options: RunOptions) -> None:
        self.gone = 0
        self.checks = 0
        self.latest = 0.0
        self.tiers = {pool.spill.to for pool in program.pools if pool.spill is not None}
        super().__init__(program, options)

    def end(self, session: Session) -> None:
        self.gone += 1
        super().end(session)

    def settle(self) -> None:
        super().settle()
        self.checks += 1
        check_time(self)
        sessions = check_sessions(self)
        for pool in self.pools:
            check_pool(self, pool, sessions)
        for stage in self.stages:
            if isinstance(stage, Step):
                check_engine(stage)


def check_time(machine: CheckedMachine) -> None:
    """Time never goes back, and nothing is scheduled before now."""
    assert machine.now >= machine.latest
    machine.latest = machine.now
    heap = machine.events.heap
    assert not heap or heap[0][0] >= machine.now


def jobs_at(stage: Stage) -> list[Job]:
    """The jobs present at a stage."""
    match stage:
        case Step():
            return list(stage.residents)
        case Fifo():
            return [*stage.served, *stage.waiting]
        case Ps() | Delay():
            return list(stage.jobs)
        case Shared():
            return [flow.job for flow in stage.flows.values()]
    raise AssertionError(stage)


def check_sessions(machine: CheckedMachine) -> list[Session]:
    """Every live session is in exactly one place; all that arrived live or have ended."""
    ready = [s for s in machine.ready if s.status in {Status.READY, Status.DEFERRED}]
    queued = [waiting.session for pool in machine.pools for waiting in pool.queue]
    growing = [session for pool in machine.pools for session in pool.growers]
    served: dict[int, Session] = {}
    for stage in machine.stages:
        for job in jobs_at(stage):
            if job.session is not None and job.session.status is not Status.GROWING:
                served[job.session.serial] = job.session
                assert job.session.job is job
                assert job.session.status is Status.IN_STAGE
    for session in queued:
        assert session.status is Status.QUEUED
        assert session.job is None
    for session in growing:
        assert session.status is Status.GROWING
    sessions = [*ready, *queued, *growing, *served.values()]
    assert len({session.serial for session in sessions}) == len(sessions), "in two places"
    assert len(sessions) == machine.live, "a session is nowhere"
    assert machine.arrivals == machine.live + machine.gone
    unserved = [pool for pool in machine.pools if pool.engine is None]
    assert machine.waiting == len(growing) + sum(len(pool.queue) for pool in unserved)
    return sessions


def check_pool(machine: CheckedMachine, pool: Pool, sessions: list[Session]) -> None:
    """Allocated and cached fit the pool, and are what sessions hold and entries have."""
    if pool.index not in machine.tiers:
        assert pool.used + pool.cached <= pool.cap + SLACK + ROUNDING, pool.definition.label
    held = [
        holding
        for session in sessions
        for hold in session.holds
        for holding in hold.holdings
        if holding.pool is pool
    ]
    held += [
        lease.holding for session in sessions for lease in session.leases
        if lease.holding.pool is pool
    ]  # fmt: skip
    allocated = cached = 0.0
    for holding in held:
        assert holding.allocated >= 0.0
        assert holding.position >= 0.0
        allocated += holding.allocated
    assert abs(allocated - pool.used) <= ROUNDING
    assert {id(holding) for holding in held} == {id(holding) for holding in pool.holders}
    assert len(held) == len(pool.holders)
    releases = set()
    for number, entry in pool.entries.items():
        assert entry.number == number
        assert entry.size > 0.0
        assert entry.last <= machine.now
        releases.add(entry.release)
        cached += entry.size
    assert abs(cached - pool.cached) <= ROUNDING
    if pool.index not in machine.tiers:
        assert len(releases) == len(pool.entries), "two entries of one release"


def check_engine(stage: Step) -> None:
    """Residents stand in the order of their admission; an iteration keeps to its budget."""
    assert all(a.admission() <= b.admission() for a, b in pairwise(stage.residents))
    residents = {id(job) for job in stage.residents}
    tokens = 0.0
    if stage.running:
        for job in stage.plan.batch:
            assert id(job) in residents
            assert 0.0 < job.tokens <= job.left + ROUNDING
            tokens += job.tokens
        assert tokens <= stage.plan.budget + ROUNDING
