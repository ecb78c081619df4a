"""Functions of the state: what pools and stages look like at this moment (contract §2,
*Expressions*).

One function a name of the language. Counts are whole numbers, given as doubles like everything
else. Depends on the scope; pools and stages answer for themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from serq.semantics.scope import Scope

if TYPE_CHECKING:
    from serq.semantics.pool import Pool
    from serq.semantics.stages.stage import Stage
    from serq.semantics.stages.step import Step


def do_used(_scope: Scope, pool: Pool) -> float:
    """Units allocated."""
    return pool.used


def do_free(_scope: Scope, pool: Pool) -> float:
    """Units not allocated; cached prefixes count as free."""
    return pool.cap - pool.used


def do_cachedin(scope: Scope, pool: Pool) -> float:
    """Units of the session's own prefix in the pool's cache."""
    entry = pool.entries.get(scope.session.serial) if scope.session is not None else None
    return entry.size if entry is not None else 0.0


def do_holders(_scope: Scope, pool: Pool) -> float:
    """Holds on the pool, leases among them."""
    return float(len(pool.holders))


def do_queued(_scope: Scope, pool: Pool) -> float:
    """Sessions waiting in the pool's queue."""
    return float(len(pool.queue))


def do_queue(_scope: Scope, stage: Stage) -> float:
    """Jobs present, waiting and served."""
    return float(stage.present())


def do_busy(_scope: Scope, stage: Stage) -> float:
    """Jobs being served."""
    return float(stage.busy())


def do_work(scope: Scope, stage: Stage) -> float:
    """Work left of all jobs, added up in the order they started; 0 of none."""
    total = -0.0
    for work in stage.work_left(scope.machine.now):
        total += work
    return total if total != 0.0 else 0.0


def do_budget_left(scope: Scope, stage: Step) -> float:
    """Tokens of the budget that the residents leave.

    In a hold's header, and in a queue's keys, while that engine admits: what its iteration has
    left at this admission.
    """
    if scope.admitting is stage:
        return scope.budget_left
    return stage.budget_left()


def do_est_lambda(_scope: Scope, stage: Stage) -> float:
    """The measured rate of jobs."""
    return stage.estimates.rate()


def do_est_rho(_scope: Scope, stage: Stage) -> float:
    """The measured load, at most 0.99."""
    return stage.estimates.load()


def do_est_wait(_scope: Scope, stage: Stage) -> float:
    """The measured mean wait."""
    return stage.estimates.wait


def do_price(_scope: Scope, stage: Stage, hit: float, more: float) -> float:
    """What a miss costs: `more` work on top of the `hit`'s, and the wait it causes others.

    With m the work of a miss, h of a hit, d = m - h, and the stage's measured rate r, load l and
    wait w: d + r (m^2 - h^2) / (2 (1 - l)) + r w d / (1 - l).
    """
    miss = hit + more
    rate, load, wait = stage.estimates.rate(), stage.estimates.load(), stage.estimates.wait
    longer = rate * (miss * miss - hit * hit) / (2.0 * (1.0 - load))
    return more + longer + rate * wait * more / (1.0 - load)


FUNCTIONS: Final[dict[str, Callable[..., float]]] = {
    "used": do_used,
    "free": do_free,
    "cachedin": do_cachedin,
    "holders": do_holders,
    "queued": do_queued,
    "queue": do_queue,
    "busy": do_busy,
    "work": do_work,
    "budget_left": do_budget_left,
    "est_lambda": do_est_lambda,
    "est_rho": do_est_rho,
    "est_wait": do_est_wait,
    "price": do_price,
}
