"""The grid of a sweep: axes, and the points where they cross.

An axis is a constant (`--set`) or an expression definition (`--def`) with the values it takes. A
point gives every axis one of its values; the last axis changes fastest. Depends on the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from serq.report.numbers import plain
from serq.sweeps.values import Value, values_of

MOST_RUNS = 100_000
"""Points times replications at most."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What is varied, and its values in order; `defines` says that it is a definition."""

    name: str
    values: tuple[Value, ...]
    defines: bool = False


Point = Mapping[str, Value]
"""The value of every axis, by name."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Axes that vary, and constants and definitions that have one value at every point."""

    axes: tuple[Axis, ...]
    fixed: tuple[Axis, ...] = ()

    def points(self) -> list[Point]:
        """Every point, the last axis fastest; the one empty point where nothing varies."""
        names = [axis.name for axis in self.axes]
        crossed = product(*(axis.values for axis in self.axes))
        return [dict(zip(names, values, strict=True)) for values in crossed]

    def size(self) -> int:
        """How many points there are."""
        return prod(len(axis.values) for axis in self.axes)

    def overrides(self, point: Point) -> tuple[dict[str, Value], dict[str, str]]:
        """What a point sets, and what it defines."""
        sets: dict[str, Value] = {}
        defs: dict[str, str] = {}
        for axis in (*self.fixed, *self.axes):
            value = point.get(axis.name, axis.values[0])
            if axis.defines:
                defs[axis.name] = shown(value)
            else:
                sets[axis.name] = value
        return sets, defs


def grid_of(sets: Mapping[str, object], defs: Mapping[str, object]) -> Grid:
    """The grid of the values given. Raises `ValueError` and `TypeError`, naming the axis."""
    axes: list[Axis] = []
    for given, defines in ((sets, False), (defs, True)):
        for name, values in given.items():
            try:
                axes.append(Axis(name, values_of(values), defines))
            except (ValueError, TypeError) as error:
                raise type(error)(f"`{name}` takes {error}") from None
    names = [axis.name for axis in axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"`{twice}` is set and defined; a name is one of the two")
    varying = tuple(axis for axis in axes if len(axis.values) > 1)
    return Grid(varying, tuple(axis for axis in axes if len(axis.values) == 1))


def shown(value: Value) -> str:
    """A value as a person reads it."""
    return value if isinstance(value, str) else plain(value)


def named(point: Point) -> str:
    """`rate=3, blocks=4000`."""
    return ", ".join(f"{name}={shown(value)}" for name, value in point.items())
