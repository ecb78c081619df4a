"""The sessions an engine replays: each trace session as the attributes its turns set.

With `arrive trace` they come in the order in which they arrive, sessions of one time in the
order of the file, and each says when. Depends on the IR and on `serq.trace.session`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from serq.ir import nodes as ir
from serq.ir.spans import Path
from serq.trace.session import TimedSession, TraceSession, TraceTurn

Values = tuple[tuple[int, float], ...]
"""Attributes by slot."""

Turns = tuple[Values, ...]
"""What each turn of a recorded session sets."""


class Recorded(NamedTuple):
    """A session of the trace: its turns, and the trace's time of its arrival, 0 without one."""

    turns: Turns
    arrival: float = 0.0


class Replayed(NamedTuple):
    """What `arrive trace` replays: how many sessions, and when the last of them arrives, in the
    program's clock.
    """

    sessions: int
    last_arrival: float


class NotReplayableError(Exception):
    """The trace can not be replayed: a code, what is wrong, the way out, where in the IR."""

    def __init__(self, code: str, message: str, path: Path, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.help = help


def recorded_sessions(
    program: ir.Program, sessions: Sequence[TraceSession] | None
) -> list[Recorded] | None:
    """The sessions of the program's trace; None without a trace.

    Raises `NotReplayableError`: SQ702 when a program that replays a trace is given no session of
    it, SQ711 when sessions of `arrive trace` do not say when they arrive, SQ605 when more are to
    arrive than there are.
    """
    if program.trace is None:
        return None
    if not sessions:
        message = f"the program replays `{program.trace}`, and the run was given no session of it"
        raise NotReplayableError("SQ702", message, ("trace",))
    if isinstance(program.arrival, ir.TraceArrivals):
        sessions = _in_order_of_arrival(program, sessions)
    return [
        Recorded(
            tuple(turn_values(turn, program.slots) for turn in session),
            session.arrival if isinstance(session, TimedSession) else 0.0,
        )
        for session in sessions
    ]


def replayed(program: ir.Program, recorded: Sequence[Recorded] | None) -> Replayed | None:
    """What the program replays of the sessions, in the order of their arrival, at their times."""
    arrival = program.arrival
    if not isinstance(arrival, ir.TraceArrivals) or not recorded:
        return None
    return Replayed(len(recorded), arrival.scale * recorded[-1].arrival)


def turn_values(turn: TraceTurn, slots: ir.Slots) -> Values:
    """What a recorded turn sets."""
    return (
        (slots.new, turn.new),
        (slots.out, turn.out),
        (slots.think, turn.think),
        (slots.forced, turn.forced),
    )


def _in_order_of_arrival(
    program: ir.Program, sessions: Sequence[TraceSession]
) -> list[TimedSession]:
    timed = [session for session in sessions if isinstance(session, TimedSession)]
    if len(timed) < len(sessions):
        number = next(i for i, each in enumerate(sessions) if not isinstance(each, TimedSession))
        message = f"session {number} of `{program.trace}` does not say when it arrives"
        help = "`arrive trace` needs a trace with the column `arrival`"
        raise NotReplayableError("SQ711", message, ("arrival",), help)
    wanted = program.arrivals
    if wanted is not None and wanted > len(timed):
        message = f"{wanted} sessions are to arrive, and the trace has {len(timed)}"
        help = f"`arrivals {len(timed)};` replays all of it"
        raise NotReplayableError("SQ605", message, ("arrivals",), help)
    return sorted(timed, key=lambda session: session.arrival)
