"""Chance: the choices a program is made of, drawn from one seeded generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Seeded choices."""

    def __init__(self, seed: str, wild: float = 0.0) -> None:
        self.random = Random(seed)
        self.wild = wild
        """How often an amount is anything at all, and an operand infinite or no number."""
        self.grid = self.often(0.4)
        """Whether times are multiples of a quarter: then many events share an instant."""

    def often(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def pick(self, *options: T) -> T:
        """One of the options; one that is named twice is likelier."""
        return self.random.choice(options)

    def one(self, options: Sequence[T]) -> T:
        """One of a sequence."""
        return self.random.choice(options)

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self.random.randint(low, high)

    def maybe(self, text: str, probability: float = 0.5) -> str:
        """The text, or nothing."""
        return text if self.often(probability) else ""

    def weighted(self, weights: Mapping[str, float]) -> str:
        """A key, as likely as its weight."""
        return self.random.choices(list(weights), list(weights.values()))[0]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in some order."""
        return self.random.sample(items, len(items))

    def time(self) -> str:
        """An expression for a positive time."""
        if self.grid:
            value = self.pick("1", "0.5", "2", "0.25", "1.5", "3")
            return self.pick(value, value, f"{value} + serial", f"{value} * turn_no")
        value = self.pick("1", "0.5", "2", "0.1", "3.7", "0.3")
        return self.pick(
            value,
            value,
            f"~exp({value})",
            f"~uniform({value}, 4)",
            f"~h2({value}, 3)",
            f"~erlang(3, {value})",
            f"~det({value})",
            f"{value} + serial / 7",
        )

    def size(self, high: int) -> str:
        """An expression for a positive size up to about `high`, by turn, session or chance."""
        value = self.whole(1, max(high, 1))
        whole = [
            f"{value}",
            f"{value} + serial",
            f"max(1, {value} - turn_no)",
            f"floor(~uniform(1, {value + 1}))",
            f"1 + floor(~exp({value}))",
            f"(~bernoulli(0.3) ? {value} : 1 + floor(~erlang(2, {value})))",
        ]
        return self.one([*whole, f"{value} / 2", f"~uniform(0.5, {value})", f"{value} * 0.7"])
