"""Where two runs of a scenario part.

`compare` holds two lists of outcomes against each other, number for number: times as doubles,
exactly. `first_step` finds the first iteration in which two watched runs do something else.

Depends on the form of runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Final

from serq.oracle.scenario import Outcome, Scenario, Totals
from serq.oracle.steps import Ran, Request, Step

_FIELDS: Final = tuple(each.name for each in fields(Outcome))


@dataclass(frozen=True, slots=True)
class Difference:
    """A number of one request, or (`request` None) of the totals, in dispute."""

    request: Request | None
    field: str
    serq: object
    vllm: object

    def __str__(self) -> str:
        who = "the run" if self.request is None else "session {} turn {}".format(*self.request)
        return f"{who}: {self.field} is {self.serq!r} in serQ and {self.vllm!r} in vLLM"


def compare(
    scenario: Scenario,
    ran: Ran,
    outcomes: Sequence[Outcome],
    totals: Totals | None,
) -> list[Difference]:
    """What differs between a run of serQ and vLLM's outcomes; what one side lacks is left out."""
    found = list(_outcomes(scenario, ran.outcomes, outcomes))
    if totals is not None:
        for each in fields(Totals):
            ours, theirs = getattr(ran.totals, each.name), getattr(totals, each.name)
            if ours != theirs:
                found.append(Difference(None, each.name, ours, theirs))
    return found


def _outcomes(
    scenario: Scenario, ours: Sequence[Outcome], theirs: Sequence[Outcome]
) -> Iterator[Difference]:
    for turn, mine, other in zip_longest(scenario.turns, ours, theirs):
        request = None if turn is None else (turn.session, turn.turn)
        if mine is None or other is None:
            yield Difference(request, "its end", mine is not None, other is not None)
            return
        for name in _FIELDS:
            left, right = getattr(mine, name), getattr(other, name)
            if left is not None and right is not None and left != right:
                yield Difference(request, name, left, right)


@dataclass(frozen=True, slots=True)
class Parting:
    """The first step that differs: its number, the request treated differently, both batches.

    A side that has no such step any more has None.
    """

    number: int
    request: Request | None
    serq: Step | None
    vllm: Step | None


def first_step(serq: Sequence[Step], vllm: Sequence[Step]) -> Parting | None:
    """The first step in which the two differ in time, batch or victims; None when none does."""
    for number, (ours, theirs) in enumerate(zip_longest(serq, vllm), 1):
        if ours != theirs:
            return Parting(number, _first_request(ours, theirs), ours, theirs)
    return None


def _first_request(ours: Step | None, theirs: Step | None) -> Request | None:
    """The request at the first place of the two batches, or of the victims, that differs."""
    left = () if ours is None else ours.batch
    right = () if theirs is None else theirs.batch
    for mine, other in zip_longest(left, right):
        if mine != other:
            return (mine or other).request if (mine or other) is not None else None
    for one, another in zip_longest(
        ours.preempted if ours else (), theirs.preempted if theirs else ()
    ):
        if one != another:
            return one if one is not None else another
    return None
