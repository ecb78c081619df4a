"""Which pools and stages a figure shows as one: an array is one family, drawn once with its size.

Members that a program names by number alone are told apart, when they are few. Depends on the IR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from serq.ir.nodes import Number, Pool, PoolReference, Program, Stage, StageReference
from serq.ir.walk import references

_MOST_MEMBERS: Final = 6
"""A larger array is one family in any case."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A pool or a stage, or a family of them: members `base` to `base + count - 1`."""

    kind: str
    base: int
    count: int
    title: str

    @property
    def key(self) -> str:
        """A name no other unit of the program has."""
        return f"{self.kind} {self.title}"


class Units:
    """The units of a program."""

    def __init__(self, program: Program) -> None:
        apart = _named_by_number(program)
        self._pools = _units("pool", program.pools, apart)
        self._stages = _units("stage", program.stages, apart)

    def pools(self) -> list[Unit]:
        """Every pool unit, in the order of declaration."""
        return list(dict.fromkeys(self._pools))

    def stages(self) -> list[Unit]:
        """Every stage unit, in the order of declaration."""
        return list(dict.fromkeys(self._stages))

    def pool_at(self, index: int) -> Unit:
        """The unit a pool belongs to."""
        return self._pools[index]

    def stage_at(self, index: int) -> Unit:
        """The unit a stage belongs to."""
        return self._stages[index]

    def pool(self, reference: PoolReference) -> Unit:
        """The unit a reference names."""
        return self._pools[_first(reference)]

    def stage(self, reference: StageReference) -> Unit:
        """The unit a reference names."""
        return self._stages[_first(reference)]


def _first(reference: PoolReference | StageReference) -> int:
    index = reference.index
    return reference.base + (int(index.value) if isinstance(index, Number) else 0)


def _units(
    kind: str, members: Sequence[Pool | Stage], apart: dict[tuple[str, str], bool]
) -> tuple[Unit, ...]:
    """For each member, its unit."""
    units: list[Unit] = []
    base = 0
    while base < len(members):
        first = members[base]
        count = 1
        while (
            first.index is not None
            and base + count < len(members)
            and members[base + count].name == first.name
            and members[base + count].index == count
        ):
            count += 1
        if first.index is None:
            units.append(Unit(kind, base, 1, first.name))
        elif apart.get((kind, first.name), False) and count <= _MOST_MEMBERS:
            units += [Unit(kind, base + at, 1, members[base + at].label) for at in range(count)]
        else:
            units += [Unit(kind, base, count, f"{first.name}[{count}]")] * count
        base += count
    return tuple(units)


def _named_by_number(program: Program) -> dict[tuple[str, str], bool]:
    """For each array that statements name, whether all of them name a member by a number."""
    found: dict[tuple[str, str], bool] = {}
    for block in program.blocks:
        for statement in block:
            for _, reference in references(statement):
                if isinstance(reference, PoolReference):
                    key = ("pool", program.pools[reference.base].name)
                else:
                    key = ("stage", program.stages[reference.base].name)
                by_number = isinstance(reference.index, Number)
                found[key] = found.get(key, True) and by_number
    return found
