"""Frozen records: what the nodes of the AST and of the IR are made of.

A record is a dataclass, frozen and with slots. It behaves as `@dataclass(frozen=True, slots=True)`
makes one, and is made in a tenth of the time: that decorator compiles six methods for each class,
which for some hundred kinds of nodes is a good part of what `serq check` takes for a small
program. Records inherit theirs. Depends on nothing of ours.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from typing import Any, NoReturn, TypeVar, cast, dataclass_transform

_Class = TypeVar("_Class", bound=type)


@dataclass_transform(frozen_default=True)
def record(cls: _Class) -> _Class:
    """Make a subclass of `Record` a frozen dataclass with slots."""
    return cast(_Class, dataclass(init=False, repr=False, eq=False, slots=True)(cls))


class Record:
    """The methods of a record; its fields are `__match_args__`."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def __init__(self, *values: Any, **named: Any) -> None:
        names = self.__match_args__
        if named or len(values) != len(names):
            values = self._complete(values, named)
        put = object.__setattr__
        for name, value in zip(names, values, strict=True):
            put(self, name, value)

    def _complete(self, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """A value for each field: those given in order, then those by name, then the defaults."""
        kind = type(self).__name__
        names = self.__match_args__
        if len(values) > len(names):
            raise TypeError(f"{kind} takes {len(names)} values and is given {len(values)}")
        given = dict(zip(names, values, strict=False))
        for name, value in named.items():
            if name not in names or name in given:
                raise TypeError(f"{kind} has no field {name!r} to give a value here")
            given[name] = value
        for field in fields(self):  # type: ignore[arg-type]  # every record is a dataclass
            if field.name not in given:
                if field.default is MISSING:
                    raise TypeError(f"{kind} lacks a value for {field.name!r}")
                given[field.name] = field.default
        return tuple(given[name] for name in names)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, self._values(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), self._values()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")
