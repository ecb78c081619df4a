"""The workload: how sessions arrive and what each turn brings (contract §3, *Workload*).

`init` runs when a session arrives, `turn` at every turn; both only set and observe, and draw from
a stream of their own. A session may replay one of a trace, or be given in full (a preset): then a
turn first loads the next recorded values, and `more` says whether another follows. With `arrive
trace` (an addition to the contract) the sessions of the trace arrive at their own times.

Depends on sessions, expressions and draws.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.report.options import RunOptions
from serq.semantics.errors import RunError
from serq.semantics.expressions import evaluate_at
from serq.semantics.rng import draw_poisson_gap, draw_trace_pick
from serq.semantics.scope import Scope
from serq.semantics.session import Frame, FrameKind, Session, do_observe, do_set
from serq.trace.recorded import NotReplayableError, Recorded, recorded_sessions

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


def record_sessions(program: ir.Program, options: RunOptions) -> list[Recorded] | None:
    """The sessions of the program's trace, in the order in which `arrive trace` takes them."""
    try:
        return recorded_sessions(program, options.trace)
    except NotReplayableError as error:
        raise RunError(error.code, error.message, help=error.help, path=error.path) from None


def start_arrivals(machine: Machine) -> None:
    """Everything that arrives before the first event, and the first arrival to come."""
    arrival = machine.program.arrival
    match arrival:
        case ir.Poisson():
            machine.events.schedule(0.0, do_arrive)
        case ir.Renewal():
            machine.events.schedule(next_gap(machine), do_arrive)
        case ir.Closed() | ir.Batch():
            machine.expect_sessions(arrival.count)
            for _ in range(arrival.count):
                spawn(machine)
        case ir.Sessions():
            machine.expect_sessions(len(arrival.sessions))
            for preset in arrival.sessions:
                spawn(machine, preset)
        case ir.TraceArrivals():
            machine.events.schedule(recorded_arrival(machine, 0), do_arrive)
        case ir.NoArrivals():
            pass


def next_gap(machine: Machine) -> float:
    """The time until the next arrival of an open workload."""
    arrival = machine.program.arrival
    if isinstance(arrival, ir.Poisson):
        return draw_poisson_gap(machine.streams.arrivals, arrival.rate)
    assert isinstance(arrival, ir.Renewal)
    gap = evaluate_at(arrival.gap, Scope(machine, machine.streams.arrivals), "arrival")
    if not (gap > 0.0 and isfinite(gap)):
        raise RunError(
            "SQ606",
            f"the gap before an arrival is {gap:g}; gaps are positive and finite",
            help="a law that can give 0 or less needs a floor: `max(…, 0.001)`",
            path=("arrival",),
        )
    return gap


def recorded_arrival(machine: Machine, number: int) -> float:
    """When session `number` of the trace, in the order of arrival, arrives."""
    arrival = machine.program.arrival
    assert isinstance(arrival, ir.TraceArrivals)
    assert machine.recorded is not None
    return arrival.scale * machine.recorded[number].arrival


def do_arrive(machine: Machine) -> None:
    """A session arrives; the arrival after it is scheduled first, if one is wanted."""
    limit = machine.program.arrivals
    if limit is None or machine.arrivals < limit - 1:
        time = next_arrival(machine)
        if time is not None:
            machine.events.schedule(time, do_arrive)
    spawn(machine)


def next_arrival(machine: Machine) -> float | None:
    """When the session after the one that arrives now does; None when the trace is over."""
    if not isinstance(machine.program.arrival, ir.TraceArrivals):
        return machine.now + next_gap(machine)
    number = machine.arrivals + 1
    assert machine.recorded is not None
    return recorded_arrival(machine, number) if number < len(machine.recorded) else None


def spawn(machine: Machine, preset: ir.Preset | None = None) -> Session:
    """A new session: its trace, its `init`, its preset attributes; it is ready."""
    program = machine.program
    session = Session(machine, machine.arrivals, len(program.attributes))
    session.attributes[program.slots.serial] = float(session.serial)
    if preset is not None and preset.turns:
        session.turns = preset.turns
    elif machine.recorded is not None:
        session.turns = machine.recorded[_pick(machine, session, len(machine.recorded))].turns
    machine.arrivals += 1
    machine.live += 1
    machine.expect_sessions(machine.live)
    run_workload_block(machine, session, program.init)
    if preset is not None:
        for slot, value in preset.attributes:
            session.attributes[slot] = value
    session.frames.append(Frame(program.session, program.blocks[program.session], FrameKind.PLAIN))
    machine.ready.append(session)
    return session


def _pick(machine: Machine, session: Session, recorded: int) -> int:
    """Which recorded session an arriving one replays: with `arrive trace`, itself."""
    program = machine.program
    if program.trace_ordered or isinstance(program.arrival, ir.TraceArrivals):
        return session.serial % recorded
    return draw_trace_pick(machine.streams.trace, recorded)


def next_turn(machine: Machine, session: Session) -> None:
    """`turn`: the next recorded values if there are any, then the `turn` block."""
    program, attributes = machine.program, session.attributes
    attributes[program.slots.turn_no] += 1.0
    if machine.warm:
        machine.turns += 1
    turns = session.turns
    if turns is not None:
        more = 0.0
        if session.turns_taken < len(turns):
            for slot, value in turns[session.turns_taken]:
                attributes[slot] = value
            session.turns_taken += 1
            more = 1.0 if session.turns_taken < len(turns) else 0.0
        attributes[program.slots.more] = more
    run_workload_block(machine, session, program.turn)


def run_workload_block(machine: Machine, session: Session, block: int) -> None:
    """Run an `init` or a `turn` block, which draws from the workload's stream."""
    scope = session.scope
    scope.rng = machine.streams.workload
    for at, statement in enumerate(machine.program.blocks[block]):
        try:
            if isinstance(statement, ir.Set):
                do_set(machine, session, statement)
            elif isinstance(statement, ir.Observe):
                do_observe(machine, session, statement)
        except RunError as error:
            raise error.placed(("blocks", block, at)) from None
    scope.rng = machine.streams.session
