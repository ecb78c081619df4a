"""Where a statement stands: the holds around it, and what it may read."""

from __future__ import annotations

from dataclasses import dataclass

from tests.fuzz.programs.deployment import Pool


@dataclass(frozen=True)
class Held:
    """A pool held around a statement."""

    reference: str
    pool: Pool
    units: str
    """What the hold took, when that is the same whenever it is read; else nothing."""


@dataclass(frozen=True)
class Scope:
    """Where a statement stands."""

    held: tuple[Held, ...] = ()
    cached: bool = True
    """Whether `cached` may be read."""
    waits: bool = False
    """Whether time has passed since the innermost hold was entered."""
    depth: int = 0
