"""Guards: under which condition, or how likely, a session goes a way.

Depends on the words of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from serq.view.words import number


@dataclass(frozen=True, slots=True)
class Guard:
    """One arm of a branch: `arm` 0 is its first block. `likely` is a draw's known probability."""

    branch: int
    arm: int
    text: str
    likely: float | None = None


Ends = list[tuple[str, int, tuple[Guard, ...]]]


def both(then: Ends, otherwise: Ends, branch: int) -> Ends:
    """The ends of both arms; what is an end of either, without a stop between, needs no guard."""
    others = {
        (key, visit, guards[:-1]): (key, visit, guards)
        for key, visit, guards in otherwise
        if guards and guards[-1].branch == branch
    }
    whole: Ends = []
    met: set[tuple[str, int, tuple[Guard, ...]]] = set()
    for key, visit, guards in then:
        twin = None
        if guards and guards[-1].branch == branch:
            twin = others.get((key, visit, guards[:-1]))
        if twin is None:
            whole.append((key, visit, guards))
        else:
            met.add(twin)
            whole.append((key, visit, guards[:-1]))
    return list(dict.fromkeys([*whole, *(end for end in otherwise if end not in met)]))


def label(alternatives: Iterable[tuple[int, tuple[Guard, ...]]]) -> str:
    """What stands at an edge that is taken under any of some conditions, each after a visit of
    the stop it leaves.
    """
    ways = _merged(alternatives)
    likely = [_likely(guards) for _, guards in ways]
    if len({visit for visit, _ in ways}) == 1 and None not in likely and all(g for _, g in ways):
        total = 0.0
        for share in likely:
            total += share or 0.0
        return f"w.p. {number(float(f'{total:.6g}'))}"
    texts = [_all_of(guards) for _, guards in ways]
    return " or ".join(dict.fromkeys(texts)) if all(texts) else ""


def _merged(
    alternatives: Iterable[tuple[int, tuple[Guard, ...]]],
) -> list[tuple[int, tuple[Guard, ...]]]:
    """The alternatives without the last branch of two that are its two arms."""
    ways = list(dict.fromkeys(alternatives))
    at = 0
    while at < len(ways):
        visit, guards = ways[at]
        twins = [
            other
            for other in ways[:at]
            if other[0] == visit
            and guards
            and other[1]
            and other[1][:-1] == guards[:-1]
            and other[1][-1].branch == guards[-1].branch
        ]
        if twins:
            ways[at] = (visit, guards[:-1])
            ways.remove(twins[0])
            at = 0
        else:
            at += 1
    return ways


def _likely(guards: tuple[Guard, ...]) -> float | None:
    """How likely all of some guards are, where each is a draw of known probability."""
    likely = 1.0
    for guard in guards:
        if guard.likely is None:
            return None
        likely *= guard.likely
    return likely


def _all_of(guards: tuple[Guard, ...]) -> str:
    if not guards:
        return ""
    likely = _likely(guards)
    if likely is not None:
        return f"w.p. {number(float(f'{likely:.6g}'))}"
    told = [guard.text for guard in guards if guard.text != "else"]
    return " and ".join(told) if told else "else"
