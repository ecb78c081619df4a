"""Growth, and who gives way when there is no room (contract §3, *Pools*: `grow`).

A hold grows in whole blocks. When that does not fit, a pool with `preempt lifo` preempts: of an
engine's memory, the holder with the latest admission that is a resident of the engine; of any
other pool, its most recent holder. The victim's scopes are aborted down to its hold on the pool,
what it had computed stays cached per their clauses, and the hold statement waits at the front of
its queue to be executed again, with `computed` telling how far it had come. The grower itself may
be the victim. Without preemption the session waits where it is; those that wait are served in
the order they stalled, and the first that does not fit blocks the rest.

Depends on admission, holds, the cache and pools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.semantics.admission import enqueue, leave_queue, resolve
from serq.semantics.cache import make_room
from serq.semantics.holds import give_up
from serq.semantics.pool import SLACK, Pool
from serq.semantics.session import FrameKind, Growth, Hold, Holding, Session, Status, Waiting

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


def grow(machine: Machine, holding: Holding, units: float) -> bool:
    """Enlarge an allocation by `units`, in whole blocks; False when its session now waits."""
    pool, session = holding.pool, holding.hold.session
    need = pool.round_up(holding.allocated + units) - holding.allocated
    if need <= 0.0:
        return True
    while not pool.has_room(need):
        victim = choose_victim(pool)
        if victim is None:
            stall(machine, session, Growth(holding, units, session.job))
            return False
        preempt(machine, victim.hold.session, pool)
        if victim.hold.session is session:
            return False
    extend(machine, holding, need)
    return True


def extend(machine: Machine, holding: Holding, units: float) -> None:
    """Take `units` more, which fit."""
    make_room(machine, holding.pool, units)
    holding.pool.allocate(machine, units)
    holding.allocated += units


def stall(machine: Machine, session: Session, growth: Growth) -> None:
    """Wait for room to grow, at the end of the pool's growers."""
    session.status = Status.GROWING
    session.growth = growth
    growth.holding.pool.growers.append(session)
    machine.waiting += 1


def unstall(machine: Machine, session: Session) -> Growth:
    """The session does not wait for room any more."""
    growth = session.growth
    assert growth is not None
    growth.holding.pool.growers.remove(session)
    machine.waiting -= 1
    session.growth = None
    return growth


def retry_growers(machine: Machine, pool: Pool) -> None:
    """Serve those that wait to grow, until the first does not fit."""
    while pool.growers:
        session = pool.growers[0]
        growth = session.growth
        assert growth is not None
        holding = growth.holding
        need = pool.round_up(holding.allocated + growth.units) - holding.allocated
        if not pool.has_room(need):
            return
        unstall(machine, session)
        extend(machine, holding, need)
        if growth.job is None:
            session.status = Status.READY
            machine.ready.append(session)
        else:
            session.status = Status.IN_STAGE
            holding.position += growth.units
            holding.hold.grown = True


def choose_victim(pool: Pool) -> Holding | None:
    """The holder that gives way, or nobody."""
    if not pool.definition.preempt_lifo:
        return None
    victim: Holding | None = None
    for holding in pool.holders:
        hold = holding.hold
        if holding not in hold.holdings:
            continue  # a lease
        if pool.engines:
            if not resident(hold.session, pool):
                continue
            if victim is not None and hold.session.admission < victim.hold.session.admission:
                continue
        victim = holding
    return victim


def resident(session: Session, pool: Pool) -> bool:
    """Whether the session is at an engine whose memory the pool is."""
    job = session.job
    return session.status is Status.IN_STAGE and job is not None and job.stage in pool.engines


def preempt(machine: Machine, session: Session, pool: Pool) -> None:
    """The session gives its hold on `pool` up, and waits to execute it again."""
    holding = session.innermost(pool)
    assert holding is not None
    computed = holding.position
    before = session.positions.get(pool.index)
    if before is not None and computed <= before + SLACK and not session.stuck:
        session.stuck = True
        pool.stuck += 1
    session.positions[pool.index] = computed
    if session.token is not None:
        session.token.preempted = True
    session.attributes[machine.program.slots.computed] = computed
    withdraw(machine, session)
    hold = holding.hold
    while abort(machine, session) is not hold:
        pass
    pool.preemptions += 1
    machine.preemptions += 1
    waiting = Waiting(session, hold.statement, hold.place)
    resolve(machine, waiting)
    if not enqueue(machine, waiting, front=True):
        machine.end(session)


def withdraw(machine: Machine, session: Session) -> None:
    """Leave whatever the session waits for: a stage, a queue, room to grow."""
    if session.status is Status.GROWING:
        unstall(machine, session)
        session.status = Status.READY
    if session.waiting is not None:
        leave_queue(machine, session.waiting)
        session.waiting = None
    if session.job is not None:
        assert session.job.stage is not None
        session.job.stage.remove(machine, session.job)
        session.job = None


def abort(machine: Machine, session: Session) -> Hold:
    """Leave the innermost scope at once, with every pool released."""
    while session.frames.pop().kind is not FrameKind.HOLD:
        pass
    hold = session.holds.pop()
    for holding in hold.holdings:
        give_up(machine, session, holding)
    return hold
