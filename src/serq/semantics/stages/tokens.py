"""Gaps between successive tokens of a turn (contract §3, *Statistics*; inter-token latency).

Each decode of an iteration is a token of its session's turn, and so is a prefill that finishes:
it yields the first one. A gap is counted where the later of two tokens of a turn was decoded, or
the turn had decoded before, or a preemption on the same stage lies between them (the prefill then
recomputes what was lost).

Depends on sessions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.semantics.session import Session

if TYPE_CHECKING:
    from serq.semantics.machine import Machine
    from serq.semantics.stages.step import Step


class Token:
    """A session's latest token: when, where, of which turn; what happened in that turn."""

    __slots__ = ("decoded", "preempted", "stage", "time", "turn")

    def __init__(self, turn: float) -> None:
        self.turn = turn
        self.time = 0.0
        self.stage: Step | None = None
        self.decoded = False  # the turn has decoded
        self.preempted = False  # the session was preempted since


def record_token(machine: Machine, stage: Step, session: Session, decoding: bool) -> None:
    """A token of the session comes out of `stage` now."""
    turn = session.attributes[machine.program.slots.turn_no]
    token = session.token
    if token is None or token.turn != turn:
        token = session.token = Token(turn)
    else:
        resumed = token.preempted and token.stage is stage
        if machine.warm and (decoding or token.decoded or resumed):
            stage.gaps.add(machine.now - token.time)
    token.time = machine.now
    token.stage = stage
    token.decoded = token.decoded or decoding
    token.preempted = False
