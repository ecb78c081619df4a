"""What a family of programs has much of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

STATEMENTS: Mapping[str, float] = {
    "request": 5, "hold": 2, "run": 2, "flow": 1, "step": 1, "grow": 2, "release": 1, "load": 0.5,
    "branch": 1, "choose": 0.5, "set": 1, "observe": 2, "drop": 0.3, "fetch": 0.3,
}  # fmt: skip
"""How often a statement of each kind is tried; one that cannot stand where it is, is not."""


@dataclass(frozen=True)
class Profile:
    """Probabilities of a program's parts."""

    engines: tuple[float, ...] = (1, 6, 3, 1)
    """Weights of having 0, 1, 2, … step engines."""
    arrays: float = 0.35
    lifo: float = 0.75
    admit: float = 0.7
    """A pool of an engine has its queue served by it."""
    spill: float = 0.15
    links: float = 0.25
    lease: float = 0.15
    keys: float = 0.2
    """A pool selects by keys."""
    evict: float = 0.4
    """A pool evicts by keys."""
    serve: float = 0.45
    exclusive: float = 0.12
    trace: float = 0.12
    gauges: float = 0.4
    wild: float = 0.0
    """An amount is anything at all, an operand infinite or no number."""
    statements: Mapping[str, float] = field(default_factory=lambda: STATEMENTS)


PROFILES: Mapping[str, Profile] = {
    "anything": Profile(),
    "serving": Profile(
        engines=(0, 6, 1), lifo=0.95, links=0.0, statements={**STATEMENTS, "request": 12}
    ),
    "routing": Profile(
        engines=(0, 3, 3, 1),
        arrays=0.9,
        statements={**STATEMENTS, "request": 10, "choose": 3},
    ),
    "leases": Profile(
        engines=(1, 4, 6),
        lease=0.7,
        links=0.6,
        statements={**STATEMENTS, "release": 4, "load": 3, "flow": 3},
    ),
    "tiers": Profile(
        spill=0.95, evict=0.85, lifo=0.6, statements={**STATEMENTS, "fetch": 4, "drop": 1}
    ),
    "stages": Profile(
        engines=(1,), links=0.8, statements={**STATEMENTS, "run": 6, "flow": 8, "hold": 4}
    ),
    "selection": Profile(
        engines=(1, 6, 2), keys=0.9, serve=0.9, exclusive=0.4, admit=0.8,
        statements={**STATEMENTS, "request": 8},
    ),
    "replay": Profile(trace=1.0),
    "wild": Profile(wild=0.15, keys=0.5, evict=0.6, serve=0.7, spill=0.3, lease=0.25),
}  # fmt: skip
"""Families of programs by name."""
