"""A hunt: many programs, what came of each, and the disagreements made small and written down."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.fuzz.answers import Answer, Ask, asker
from tests.fuzz.compare import compare, kind
from tests.fuzz.coverage import met
from tests.fuzz.known import known
from tests.fuzz.page import write_page
from tests.fuzz.programs import FAMILIES, program
from tests.fuzz.shrink import Shrinker

CHUNK = 25
"""Programs a worker takes at once."""


@dataclass(frozen=True)
class Settings:
    """How to hunt."""

    seed: int
    engines: tuple[str, str]
    families: tuple[str, ...] = FAMILIES
    folder: Path | None = None
    """Where pages go; None to write none."""
    shrink_seconds: float = 60.0


@dataclass(frozen=True)
class Found:
    """A disagreement."""

    family: str
    seed: str
    differences: tuple[str, ...]


@dataclass
class Tally:
    """What has been seen so far."""

    programs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    coverage: Counter[str] = field(default_factory=Counter)
    excluded: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Put another tally into this one."""
        self.programs += other.programs
        self.outcomes += other.outcomes
        self.coverage += other.coverage
        self.excluded += other.excluded
        self.found += other.found


@cache
def askers(engines: tuple[str, str]) -> tuple[Ask, Ask]:
    """The two implementations, once a process."""
    first, second = engines
    return asker(first), asker(second)


def disagreement(ask: tuple[Ask, Ask], source: str) -> tuple[Answer, Answer, list[str]]:
    """Both answers, and where they part. The first is the one that is ours."""
    ours, theirs = ask[0](source), ask[1](source)
    if ours.engine == "reference":
        ours, theirs = theirs, ours
    return ours, theirs, compare(ours, theirs)


def chunk(settings: Settings, first: int, last: int) -> Tally:
    """The programs with these numbers."""
    tally = Tally()
    ask = askers(settings.engines)
    for number in range(first, last):
        family = settings.families[number % len(settings.families)]
        seed = f"{settings.seed} {number}"
        ours, theirs, differences = disagreement(ask, program(family, seed))
        tally.programs += 1
        tally.outcomes[f"{ours.engine} {ours.outcome}, {theirs.engine} {theirs.outcome}"] += 1
        tally.coverage.update(set(met(ours)))
        if ours.program is not None and theirs.engine == "reference":
            tally.excluded[known(ours.program).excluded] += 1
        if differences:
            tally.found.append(Found(family, seed, tuple(differences)))
    del tally.excluded[""]
    return tally


def shrink(
    ask: tuple[Ask, Ask], source: str, differences: Sequence[str], *, seconds: float, most: int
) -> tuple[str, Answer, Answer, list[str]]:
    """The smallest program that parts in the same way, and how."""
    wanted = kind(differences)

    def still(text: str) -> bool:
        ours = ask[0](text)
        if ours.codes == ("SQ604",):
            return False  # time stands still: the other might hang
        found = disagreement(ask, text)[2]
        return bool(found) and kind(found) == wanted

    small = Shrinker(source, still, seconds=seconds, most=most).run()
    return small, *disagreement(ask, small)


def write_down(settings: Settings, found: Found) -> Path | None:
    """Shrink a disagreement and write it as a page."""
    if settings.folder is None:
        return None
    source = program(found.family, found.seed)
    ask = askers(settings.engines)
    small, ours, theirs, differences = shrink(
        ask, source, found.differences, seconds=settings.shrink_seconds, most=10_000
    )
    return write_page(settings.folder, small, theirs, ours, differences)


def hunt(
    settings: Settings, count: int, jobs: int, minutes: float, tell: Callable[[Tally], None]
) -> Tally:
    """Ask about `count` programs, or as many as the minutes allow; Ctrl-C ends it with a tally."""
    tally = Tally()
    until = time.monotonic() + 60 * minutes
    try:
        for part in _parts(settings, count, jobs, until):
            tally.add(part)
            tell(tally)
    except KeyboardInterrupt:
        pass
    return tally


def _parts(settings: Settings, count: int, jobs: int, until: float) -> Iterator[Tally]:
    """The tallies of chunks, in their order."""
    ranges = [(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]
    if jobs == 1:
        for first, last in ranges:
            if time.monotonic() >= until:
                return
            yield chunk(settings, first, last)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for at in range(0, len(ranges), 4 * jobs):
            if time.monotonic() >= until:
                return
            batch = ranges[at : at + 4 * jobs]
            waiting = [pool.submit(chunk, settings, first, last) for first, last in batch]
            yield from (each.result() for each in waiting)
