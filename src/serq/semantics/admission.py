"""Admission: who waits for room, and who is let in next (contract §3, *Pools*, *Waiting
selection*).

A hold on several pools joins the queue of its first. Its units and reserves are evaluated each
time its turn is considered, never remembered from when it joined. The first in the queue's order
is admitted when every pool of its hold has room for max(units, reserve) next to what is
allocated; if it does not fit, it blocks the rest. A request that could not fit an empty pool is
rejected when it joins: its session ends.

Depends on holds, pools and expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.ir.arithmetic import maximum
from serq.semantics.expressions import evaluate_at, pool_of
from serq.semantics.holds import enter
from serq.semantics.numbers import order
from serq.semantics.pool import Pool
from serq.semantics.session import Status, Waiting

if TYPE_CHECKING:
    from serq.semantics.machine import Machine
    from serq.semantics.stages.step import Step


def resolve(machine: Machine, waiting: Waiting) -> None:
    """Which pools the statement means, and their units, as the session reaches it."""
    scope = waiting.session.scope
    waiting.pools = []
    waiting.units = []
    for at, part in enumerate(waiting.statement.pools):
        waiting.pools.append(pool_of(part.pool, scope))
        waiting.units.append(_units(machine, waiting, at))
    lease = waiting.statement.lease
    waiting.leased = None if lease is None else pool_of(lease.pool, scope)


def enqueue(machine: Machine, waiting: Waiting, *, front: bool) -> bool:
    """Join the queue of the first pool, at its end or (preempted) at its front.

    False when the request is rejected: some pool could not hold it even empty.
    """
    for at, pool in enumerate(waiting.pools):
        if pool.round_up(_need(waiting, at)) > pool.cap:
            pool.rejected += 1
            return False
    session, pool = waiting.session, waiting.pools[0]
    waiting.queued_at = machine.now
    waiting.front = front
    session.waiting = waiting
    session.status = Status.QUEUED
    if front:
        pool.queue.appendleft(waiting)
    else:
        pool.queue.append(waiting)
    machine.change(pool)
    if pool.engine is not None:
        machine.unsettle(pool.engine)
    else:
        machine.waiting += 1
    return True


def leave_queue(machine: Machine, waiting: Waiting) -> None:
    """The hold is admitted, or its session ends."""
    pool = waiting.pools[0]
    pool.queue.remove(waiting)
    machine.change(pool)
    if pool.engine is None:
        machine.waiting -= 1


def next_waiting(pool: Pool, now: float, budget_left: float = 0.0) -> Waiting:
    """Whose turn it is: a preempted hold's, else the one with the least keys.

    Without keys that is the first in the queue. Keys are evaluated anew for every hold that
    waits, with `waited`, the time since it joined, and what the serving engine has left.
    """
    keys = pool.definition.queue
    if keys is None or pool.queue[0].front:
        return pool.queue[0]
    least: Waiting | None = None
    least_keys: list[int] = []
    for at, waiting in enumerate(pool.queue):
        scope = waiting.session.scope
        scope.waited = now - waiting.queued_at
        scope.admitting, scope.budget_left = pool.engine, budget_left
        values = [order(evaluate_at(key, scope, "pools", pool.index, "queue")) for key in keys]
        scope.admitting = None
        if at == 0 or values < least_keys:
            least, least_keys = waiting, values
    assert least is not None
    return least


def fits(machine: Machine, waiting: Waiting) -> bool:
    """Evaluate the header now; whether every pool has room for what it asks."""
    needs = []
    for at in range(len(waiting.pools)):
        waiting.units[at] = _units(machine, waiting, at)
        needs.append(_need(waiting, at))
    return all(
        pool.has_room(pool.round_up(need)) for pool, need in zip(waiting.pools, needs, strict=True)
    )


def admit(machine: Machine, pool: Pool) -> None:
    """Serve a queue that no stage serves, until the one whose turn it is does not fit."""
    while pool.queue:
        waiting = next_waiting(pool, machine.now)
        if not fits(machine, waiting):
            return
        leave_queue(machine, waiting)
        enter(machine, waiting)


def admit_for(machine: Machine, engine: Step, budget_left: float) -> bool:
    """One admission by a step stage that has `budget_left` tokens; False when nobody enters.

    Of the queues it serves, the first with somebody in it is tried, in the order in which
    their pools are declared.
    """
    for pool in engine.queues:
        if pool.queue:
            waiting = next_waiting(pool, machine.now, budget_left)
            scope = waiting.session.scope
            scope.admitting, scope.budget_left = engine, budget_left
            fitting = fits(machine, waiting)
            if fitting:
                leave_queue(machine, waiting)
                enter(machine, waiting)
            scope.admitting = None
            return fitting
    return False


def _units(machine: Machine, waiting: Waiting, at: int) -> float:
    """The units of one pool of the header, evaluated now; not below 0."""
    path = ("blocks", *waiting.place, "pools", at, "units")
    units = waiting.statement.pools[at].units
    return machine.amount(evaluate_at(units, waiting.session.scope, *path), path)


def _need(waiting: Waiting, at: int) -> float:
    """What must fit: the units, or the reserve, evaluated now, when that is more."""
    reserve = waiting.statement.pools[at].reserve
    units = waiting.units[at]
    if reserve is None:
        return units
    path = ("blocks", *waiting.place, "pools", at, "reserve")
    return maximum(units, evaluate_at(reserve, waiting.session.scope, *path))
