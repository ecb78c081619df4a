"""The programs of the property tests as families: drawn by Hypothesis from seeded bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

from tests.property.kernel_programs import crowded_programs, split_programs
from tests.property.programs import valid_programs

BYTES = 8192
"""More than a program takes."""


def draw(strategy: SearchStrategy[str], name: str, seed: str) -> str:
    """One program of the strategy."""
    drawn: list[str] = []

    @settings(database=None, deadline=None)
    @given(strategy)
    def keep(source: str) -> None:
        drawn.append(source)

    take: Callable[[bytes], bytes | None] = vars(keep)["hypothesis"].fuzz_one_input
    random = Random(f"{name} {seed}")
    while not drawn:
        take(random.randbytes(BYTES))
    return drawn[0]


DRAWN: Mapping[str, Callable[[str], str]] = {
    "valid": partial(draw, valid_programs(), "valid"),
    "crowded": partial(draw, crowded_programs(), "crowded"),
    "split": partial(draw, split_programs(), "split"),
}
