"""What a scheduler did, step by step: the form in which serQ's runs and vLLM's are compared.

Depends on scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from serq.oracle.scenario import Outcome, Totals

Request = tuple[int, int]
"""A request: its session's number and its turn's, as the scenario gives them."""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A request in a batch: `tokens` of it are computed behind `computed` ones."""

    request: Request
    computed: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Step:
    """An iteration: when it began and ended, its batch in scheduling order, whom it preempted
    (by session and turn).
    """

    start: float
    end: float
    batch: tuple[Scheduled, ...]
    preempted: tuple[Request, ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of a scenario: what became of each request, in (session, turn) order, the totals, and
    the steps where they were watched.
    """

    outcomes: tuple[Outcome, ...]
    totals: Totals
    steps: Sequence[Step] = ()
