"""Statements: one function each, and the session that runs them (contract §3, *Commands*).

Commands take no time: a ready session runs on until it waits for something or ends. At the end of
a loop's block it starts over, at the end of a hold's body the scope ends, at the end of the
session's block the session does. `HANDLERS` has one function a statement.

Depends on everything a statement touches: holds, admission, growth, the workload, stages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from serq.ir import nodes as ir
from serq.semantics.admission import enqueue, resolve
from serq.semantics.cache import drop
from serq.semantics.errors import RunError, standstill
from serq.semantics.expressions import evaluate, pool_of, stage_of
from serq.semantics.holds import leave, release
from serq.semantics.numbers import saturate
from serq.semantics.pool import SLACK, Pool
from serq.semantics.preemption import grow
from serq.semantics.session import (
    Frame,
    FrameKind,
    Holding,
    Session,
    Status,
    Waiting,
    do_observe,
    do_set,
)
from serq.semantics.stages.flows import Shared
from serq.semantics.stages.stage import Job
from serq.semantics.stages.step import Step, StepJob
from serq.semantics.workload import next_turn

if TYPE_CHECKING:
    from serq.semantics.machine import Machine

LARGEST_COUNT = 2**63


def run_session(machine: Machine, session: Session) -> None:
    """Run a ready session until it waits for something or ends."""
    session.status = Status.READY
    if session.instant != machine.now:
        session.instant, session.statements = machine.now, 0
    frames, limit = session.frames, machine.options.limit_statements
    try:
        while session.status is Status.READY:
            frame = frames[-1]
            at = frame.next
            if at == len(frame.statements):
                end_block(machine, session, frame)
            else:
                frame.next = at + 1
                statement = frame.statements[at]
                HANDLERS[type(statement)](machine, session, statement)
            session.statements += 1
            if session.statements > limit:
                what = f"session {session.serial} ran {session.statements} statements"
                raise standstill(what, machine.now).placed(session.loop_place())
    except RunError as error:
        raise error.placed(("blocks", frame.block, at)) from None


def end_block(machine: Machine, session: Session, frame: Frame) -> None:
    """What follows the last statement of a block."""
    if frame.kind is FrameKind.LOOP:
        frame.next = 0
        return
    session.frames.pop()
    if frame.kind is FrameKind.HOLD:
        for holding in session.holds[-1].holdings:
            session.positions.pop(holding.pool.index, None)
        leave(machine, session)
        session.attributes[machine.program.slots.computed] = 0.0
        machine.try_all()
    elif not session.frames:
        machine.end(session)


def enter_block(machine: Machine, session: Session, block: int, kind: FrameKind) -> None:
    """The statements of `block` are next."""
    session.frames.append(Frame(block, machine.program.blocks[block], kind))


# --- the workload's and control flow ---------------------------------------------------


def do_turn(machine: Machine, session: Session, _statement: ir.Turn) -> None:
    """`turn`: the next turn's attributes."""
    next_turn(machine, session)


def do_end(machine: Machine, session: Session, _statement: ir.End) -> None:
    """`end`: the session leaves."""
    machine.end(session)


def do_branch(machine: Machine, session: Session, statement: ir.Branch) -> None:
    """`branch (e)`: a guard is a test, and a test has two answers."""
    test = evaluate(statement.test, session.scope)
    if test == 1.0:
        enter_block(machine, session, statement.then, FrameKind.PLAIN)
    elif test == 0.0:
        enter_block(machine, session, statement.otherwise, FrameKind.PLAIN)
    else:
        raise RunError(
            "SQ601",
            f"the guard of this branch is {test:.12g}; a guard is 0 or 1",
            help="compare (`x > 0`), or draw with `branch with (p)`",
        )


def do_loop(machine: Machine, session: Session, statement: ir.Loop) -> None:
    """`loop`: its block over and over."""
    enter_block(machine, session, statement.body, FrameKind.LOOP)


def do_choose(machine: Machine, session: Session, statement: ir.Choose) -> None:
    """`choose x in n by (keys)`: the index with the least keys, the first among equals.

    Every key is evaluated for every index, with the attribute set to it. A NaN is not less
    than anything.
    """
    scope, attributes, slot = session.scope, session.attributes, statement.slot
    count = saturate(evaluate(statement.count, scope), LARGEST_COUNT)
    session.statements += count  # each index is as much work as a statement
    if session.statements > machine.options.limit_statements:
        raise standstill(f"`choose` weighs {count} indices", machine.now)
    least, least_keys = 0, None
    for candidate in range(count):
        attributes[slot] = float(candidate)
        keys = [evaluate(key, scope) for key in statement.keys]
        if least_keys is None or _precedes(keys, least_keys):
            least, least_keys = candidate, keys
    attributes[slot] = float(least)


def _precedes(keys: list[float], others: list[float]) -> bool:
    """Whether the first keys that differ are in ascending order."""
    for key, other in zip(keys, others, strict=True):
        if key < other:
            return True
        if key != other:
            return False
    return False


# --- pools ---------------------------------------------------------------------------


def do_hold(machine: Machine, session: Session, statement: ir.Hold) -> None:
    """`hold`: join the queue of the first pool; the body runs once the session is admitted."""
    frame = session.frames[-1]
    waiting = Waiting(session, statement, (frame.block, frame.next - 1))
    resolve(machine, waiting)
    if not enqueue(machine, waiting, front=False):
        machine.end(session)


def do_grow(machine: Machine, session: Session, statement: ir.Grow) -> None:
    """`grow m (d)`: enlarge the innermost hold on m, or wait, or preempt."""
    pool = pool_of(statement.pool, session.scope)
    units = amount(machine, session, statement.units, "units")
    grow(machine, innermost(session, pool, "grow"), units)


def do_load(machine: Machine, session: Session, statement: ir.Load) -> None:
    """`load m (n)`: the KV of n tokens arrived, within the allocation."""
    pool = pool_of(statement.pool, session.scope)
    units = amount(machine, session, statement.units, "units")
    holding = innermost(session, pool, "load")
    if holding.position + units > holding.allocated + SLACK:
        raise RunError(
            "SQ603",
            f"`load {pool.definition.label} ({units:.12g})` passes the allocation: "
            f"{holding.allocated:.12g} units, {holding.position:.12g} of them computed",
            help="hold enough units, or `grow` first",
        )
    holding.position += units
    holding.hold.grown = True


def do_drop(machine: Machine, session: Session, statement: ir.Drop) -> None:
    """`drop m`: discard the own cached prefix."""
    drop(machine, pool_of(statement.pool, session.scope), session)


def do_release(machine: Machine, session: Session, statement: ir.Release) -> None:
    """`release m`: give the innermost allocation on m back now, or end a lease of it."""
    release(machine, session, pool_of(statement.pool, session.scope))
    machine.try_all()


def amount(machine: Machine, session: Session, node: ir.Expression, name: str) -> float:
    """The amount that is the part `name` of the session's present statement; not below 0."""
    frame = session.frames[-1]
    value = evaluate(node, session.scope)
    return machine.amount(value, ("blocks", frame.block, frame.next - 1, name))


def innermost(session: Session, pool: Pool, word: str) -> Holding:
    """The innermost hold on a pool, without which the statement makes no sense."""
    holding = session.innermost(pool)
    if holding is None:
        label = pool.definition.label
        raise RunError(
            "SQ607",
            f"`{word} {label}` outside a hold of `{label}`",
            help="an index of a pool array must name the member that the hold named",
        )
    return holding


# --- stages --------------------------------------------------------------------------


def do_run(machine: Machine, session: Session, statement: ir.Run) -> None:
    """`run s (w)`: be a job at the stage until its work is done; no work takes no time."""
    stage = stage_of(statement.stage, session.scope)
    work = amount(machine, session, statement.work, "work")
    also = [stage_of(reference, session.scope) for reference in statement.also]
    growing = None if statement.growing is None else pool_of(statement.growing, session.scope)
    number = machine.next_job()
    if work <= 0.0:
        session.status = Status.DEFERRED
        machine.ready.append(session)
        return
    session.status = Status.IN_STAGE
    if also:
        job = session.job = Job(number, session, work)
        shared = [member for member in (stage, *also) if isinstance(member, Shared)]
        machine.flows.start(machine, job, shared)
        return
    if isinstance(stage, Step):
        holding = None if growing is None else innermost(session, growing, "growing")
        decoding = statement.mode == "decode"
        job = StepJob(number, session, work, decoding=decoding, growing=holding)
    else:
        job = Job(number, session, work)
    session.job = job
    stage.start(machine, job)


HANDLERS: Final[dict[type, Callable[[Machine, Session, Any], None]]] = {
    ir.Turn: do_turn,
    ir.End: do_end,
    ir.Set: do_set,
    ir.Observe: do_observe,
    ir.Hold: do_hold,
    ir.Grow: do_grow,
    ir.Load: do_load,
    ir.Drop: do_drop,
    ir.Release: do_release,
    ir.Run: do_run,
    ir.Branch: do_branch,
    ir.Loop: do_loop,
    ir.Choose: do_choose,
}
