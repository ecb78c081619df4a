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
    whole: list[tuple[str, int, tuple[Guard, ...]]] = []
    rest = list(otherwise)
    for key, visit, guards in then:
        twin = next(
            (
                each
                for each in rest
                if each[:2] == (key, visit)
                and guards
                and each[2]
                and guards[-1].branch == each[2][-1].branch == branch
                and guards[:-1] == each[2][:-1]
            ),
            None,
        )
        if twin is None:
            whole.append((key, visit, guards))
        else:
            rest.remove(twin)
            whole.append((key, visit, guards[:-1]))
    return list(dict.fromkeys([*whole, *rest]))


def label(alternatives: Iterable[tuple[int, tuple[Guard, ...]]]) -> str:
    """What stands at an edge that is taken under any of some conditions, each after a visit of
    the stop it leaves.
    """
    ways = list(alternatives)
    likely = [_likely(guards) for _, guards in ways]
    if len({visit for visit, _ in ways}) == 1 and None not in likely and all(g for _, g in ways):
        total = 0.0
        for share in likely:
            total += share or 0.0
        return f"w.p. {number(float(f'{total:.6g}'))}"
    texts = [_all_of(guards) for _, guards in ways]
    return " or ".join(dict.fromkeys(texts)) if all(texts) else ""


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
