"""Where an expression is evaluated: whose attributes, which random stream, and what the moment
supplies (contract §2, *Expressions*).

Each context variable exists at the moments its row in `serq.vocabulary.moments` names, and the
owner of that moment (a pool's eviction, a step stage's plan, a ps stage, a queue) keeps a scope
and fills it before it evaluates. The fields bear the names of the context variables.
Depends on the streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.semantics.rng import Rng

if TYPE_CHECKING:
    from serq.semantics.machine import Machine
    from serq.semantics.session import Session
    from serq.semantics.stages.step import Step


class Scope:
    """The surroundings of an expression.

    A field that the moment does not supply is unset; where there is no session, every attribute
    is NaN.
    """

    __slots__ = (
        "admission",
        "admitting",
        "age",
        "attention",
        "attributes",
        "budget_left",
        "decoders",
        "decoding",
        "kv_decode",
        "kv_prefill",
        "last",
        "machine",
        "prefilled",
        "present",
        "remaining",
        "residents",
        "rng",
        "session",
        "size",
        "tokens",
        "waited",
        "waiting",
    )

    def __init__(
        self,
        machine: Machine,
        rng: Rng,
        session: Session | None = None,
        attributes: list[float] | None = None,
    ) -> None:
        self.machine = machine
        self.rng = rng
        self.session = session
        self.attributes = machine.nobody if attributes is None else attributes
        self.admitting: Step | None = None  # the engine that is admitting, with what it has left
        self.budget_left = 0.0

    # Context variables, each set by the moment it belongs to.
    waited: float
    size: float
    age: float
    last: float
    waiting: float
    present: float
    residents: float
    decoders: float
    kv_decode: float
    kv_prefill: float
    tokens: float
    prefilled: float
    attention: float
    decoding: float
    admission: float
    remaining: float

    @property
    def now(self) -> float:
        """The simulated time."""
        return self.machine.now
