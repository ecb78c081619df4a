"""Scopes: what an admission takes, and what the end of a hold gives back (contract §3, *Pools*).

At the end of its body a hold's units are released, and of those that are computed as many as its
`cache` says then stay cached, in whole blocks. `release` does the same for one pool before the
end. A leased pool's allocation outlives the scope: until it is released, its time is over, or the
session ends; then the cache clause applies.

Depends on the cache, pools and expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.semantics.cache import consume, keep, make_room
from serq.semantics.expressions import evaluate_at
from serq.semantics.pool import Pool
from serq.semantics.session import Frame, FrameKind, Hold, Holding, Lease, Session, Status, Waiting

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


def enter(machine: Machine, waiting: Waiting) -> None:
    """A hold is admitted: it takes its units in every pool, and its body is next."""
    session, statement = waiting.session, waiting.statement
    session.waiting = None
    reuse = None
    if statement.reuse is not None:
        value = evaluate_at(statement.reuse, session.scope, "blocks", *waiting.place, "reuse")
        reuse = value if value > 0.0 else 0.0
    hold = Hold(session, statement, waiting.place, waiting.leased)
    cached = 0.0
    for pool, units in zip(waiting.pools, waiting.units, strict=True):
        own = 0.0 if statement.cache is None else consume(machine, pool, session, reuse)
        need = pool.round_up(units)
        make_room(machine, pool, need)
        pool.allocate(machine, need)
        holding = Holding(hold, pool, need, own)
        pool.holders.append(holding)
        pool.admissions += 1
        hold.holdings.append(holding)
        cached = max(cached, own)
    session.attributes[machine.program.slots.cached] = cached
    first = waiting.pools[0]
    if machine.warm:
        first.wait.add(machine.now - waiting.queued_at)
    session.admission = float(machine.admissions)
    machine.admissions += 1
    session.holds.append(hold)
    body = machine.program.blocks[statement.body]
    session.frames.append(Frame(statement.body, body, FrameKind.HOLD))
    session.status = Status.READY
    machine.ready.append(session)


def leave(machine: Machine, session: Session) -> None:
    """The innermost scope ends: every pool is released, but a leased one stays allocated."""
    hold = session.holds.pop()
    holdings, hold.holdings = hold.holdings, []
    for holding in holdings:
        if holding.pool is hold.leased:
            begin_lease(machine, session, holding)
        else:
            give_up(machine, session, holding)


def give_up(machine: Machine, session: Session, holding: Holding) -> None:
    """Release one allocation and leave in the cache what its hold's clause keeps of it."""
    give_up_computed(machine, session, holding, holding.computed())


def give_up_computed(machine: Machine, session: Session, holding: Holding, computed: float) -> None:
    """Release an allocation of which `computed` tokens may stay cached."""
    pool, hold = holding.pool, holding.hold
    pool.give_back(machine, holding)
    if hold.statement.cache is not None:
        path = ("blocks", *hold.place, "cache")
        units = machine.amount(evaluate_at(hold.statement.cache, session.scope, *path), path)
        keep(machine, pool, session, min(units, computed))


def release(machine: Machine, session: Session, pool: Pool) -> None:
    """`release m`: the innermost hold's allocation there, else the oldest lease of it.

    Nothing when the session has neither.
    """
    holding = session.innermost(pool)
    if holding is not None:
        holding.hold.holdings.remove(holding)
        give_up(machine, session, holding)
        session.positions.pop(pool.index, None)
        return
    for lease in session.leases:
        if lease.holding.pool is pool:
            end_lease(machine, session, lease)
            return


# --- leases --------------------------------------------------------------------------


def begin_lease(machine: Machine, session: Session, holding: Holding) -> None:
    """The scope is over and the allocation stays, for the lease's time at most."""
    hold = holding.hold
    clause = hold.statement.lease
    assert clause is not None
    path = ("blocks", *hold.place, "lease", "time")
    time = machine.amount(evaluate_at(clause.time, session.scope, *path), path)
    lease = Lease(machine.leases, holding, holding.computed())
    machine.leases += 1
    session.leases.append(lease)
    if time < float("inf"):
        machine.events.schedule(machine.now + time, do_lease_end, session, lease)


def end_lease(machine: Machine, session: Session, lease: Lease) -> None:
    """The allocation is given back, and the cache clause applies now."""
    session.leases.remove(lease)
    give_up_computed(machine, session, lease.holding, lease.computed)


def do_lease_end(machine: Machine, session: Session, lease: Lease) -> None:
    """The time of a lease is over; stale when it ended before."""
    if session.status is not Status.ENDED and lease in session.leases:
        end_lease(machine, session, lease)
        machine.try_all()
