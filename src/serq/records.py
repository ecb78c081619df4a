"""Records: classes that are their fields, such as the nodes of the AST and of the IR.

A `Record` behaves as `@dataclass(frozen=True, slots=True)` makes a class, a `Draft`, which can be
changed, as `@dataclass(slots=True)` does. Such a class is made in a tenth of the time: the
decorator compiles several methods for each, which for some hundred and fifty of them is a good
part of what `serq check` takes for a small program. Records inherit theirs. Depends on nothing of
ours.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from functools import cache
from itertools import repeat
from typing import Any, ClassVar, NoReturn, dataclass_transform


class _Fielded(type):
    """Makes a class with a slot for each annotated name; those of its base come first."""

    def __new__(cls, name: str, bases: tuple[type[_Fields], ...], body: dict[str, Any]) -> _Fielded:
        """A class of these fields, which are its `__match_args__`."""
        own = tuple(body.get("__annotations__", ())) if bases else ()
        names, defaults = own, {each: body.pop(each) for each in own if each in body}
        for base in bases:
            names = base.__match_args__ + names
            defaults = {**base.__defaults__, **defaults}
        body |= {"__slots__": own, "__match_args__": names, "__defaults__": defaults}
        return super().__new__(cls, name, bases, body)


@cache
def _dataclass_of(kind: type[_Fields], init: bool) -> Any:
    """The true dataclass of the same fields; it compiles nothing but an `init` that is wanted."""
    types: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        types |= inspect.get_annotations(base)
    body = {**kind.__defaults__, "__doc__": kind.__doc__ or kind.__name__}
    body["__annotations__"] = {name: types[name] for name in kind.__match_args__}
    return dataclass(init=init, repr=False, eq=False)(type(kind.__name__, (), body))


class _DataclassFields:
    """By what `fields` and `replace` of the standard library know a dataclass."""

    def __get__(self, _instance: object, kind: type[_Fields]) -> dict[str, Field[Any]]:
        found: dict[str, Field[Any]] = _dataclass_of(kind, init=False).__dataclass_fields__
        return found


class _Signature:
    """What `help` and the documentation say the class takes."""

    def __get__(self, _instance: object, kind: type[_Fields]) -> inspect.Signature:
        return inspect.signature(_dataclass_of(kind, init=True))


class _Fields(metaclass=_Fielded):  # noqa: PLW1641  # a draft, which changes, has no hash
    """The methods of records and drafts."""

    __match_args__: ClassVar[tuple[str, ...]]
    __defaults__: ClassVar[Mapping[str, Any]]
    __dataclass_fields__: ClassVar[Any] = _DataclassFields()
    __signature__: ClassVar[Any] = _Signature()

    def __init__(self, *values: Any, **named: Any) -> None:
        names = self.__match_args__
        if named or len(values) != len(names):
            values = _completed(self, values, named)
        any(map(object.__setattr__, repeat(self), names, values))  # every one: None is false

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Fields) or other.__class__ is not self.__class__:
            return NotImplemented
        return _values(self) == _values(other)

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, _values(self), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), _values(self)


def _completed(made: _Fields, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """A value for each field: those given in order, then those by name, then the defaults."""
    kind = type(made).__name__
    names = made.__match_args__
    if len(values) > len(names):
        raise TypeError(f"{kind} takes {len(names)} values and is given {len(values)}")
    rest = names[len(values) :]
    if named.keys() == set(rest):
        return values + tuple([named[name] for name in rest])
    given = dict(zip(names, values, strict=False))
    for name, value in named.items():
        if name not in names or name in given:
            raise TypeError(f"{kind} has no field {name!r} to give a value here")
        given[name] = value
    return tuple(given[name] if name in given else _default(made, name) for name in names)


def _default(made: _Fields, name: str) -> Any:
    """The value of a field that is given none."""
    default = made.__defaults__.get(name, MISSING)
    if default is MISSING:
        raise TypeError(f"{type(made).__name__} lacks a value for {name!r}")
    if isinstance(default, Field) and default.default_factory is not MISSING:
        return default.default_factory()
    return default


def _values(made: _Fields) -> tuple[Any, ...]:
    return tuple(getattr(made, name) for name in made.__match_args__)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(_Fields):
    """What stays as it was made."""

    __eq__ = _Fields.__eq__

    def __hash__(self) -> int:
        return hash(_values(self))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


@dataclass_transform(field_specifiers=(field,))
class Draft(_Fields):
    """What is filled in as work goes on."""
