"""Records and drafts behave as dataclasses with slots do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any

import pytest

from serq.records import Draft, Record


class Point(Record):
    """Two numbers."""

    x: float
    y: float = 0.0


class Other(Record):
    """The same fields."""

    x: float
    y: float = 0.0


class Named(Point):
    """The fields of a record, and one of its own."""

    name: str = "p"


class Notes(Draft):
    """What can be changed."""

    title: str
    lines: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True, slots=True)
class Reference:
    """What a record is to be like."""

    x: float
    y: float = 0.0


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((1.0, 2.0), {}),
        ((1.0,), {}),
        ((), {"x": 1.0}),
        ((1.0,), {"y": 2.0}),
        ((), {"y": 2.0, "x": 1.0}),
    ],
)
def test_it_is_made_as_a_dataclass_is(values: tuple[float, ...], named: dict[str, float]) -> None:
    made, wanted = Point(*values, **named), Reference(*values, **named)
    assert dataclasses.astuple(made) == dataclasses.astuple(wanted)
    assert repr(made) == repr(wanted).replace("Reference", "Point")
    assert hash(made) == hash(wanted)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((), {}),
        ((), {"y": 1.0}),
        ((1.0, 2.0, 3.0), {}),
        ((1.0,), {"x": 1.0}),
        ((1.0,), {"z": 1.0}),
    ],
)
def test_what_a_dataclass_refuses_it_refuses(values: Any, named: Any) -> None:
    for kind in (Point, Reference):
        with pytest.raises(TypeError):
            kind(*values, **named)


def test_it_can_not_be_changed() -> None:
    made: Any = Point(1.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.x = 2.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.z = 2.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        del made.x
    assert not hasattr(made, "__dict__")


def test_equality_is_of_a_class() -> None:
    assert Point(1.0) == Point(1.0, 0.0)
    assert Point(1.0) != Point(1.0, 1.0)
    different: tuple[Any, ...] = (Other(1.0), Reference(1.0), (1.0, 0.0))
    assert all(Point(1.0) != other for other in different)
    assert len({Point(1.0), Point(1.0), Point(2.0)}) == 2


def test_it_is_a_dataclass_to_the_standard_library() -> None:
    made = Point(1.0, 2.0)
    assert dataclasses.is_dataclass(made)
    assert [field.name for field in dataclasses.fields(made)] == ["x", "y"]
    assert dataclasses.replace(made, y=3.0) == Point(1.0, 3.0)
    assert inspect.signature(Point) == inspect.signature(Reference)
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made
    match made:
        case Point(x, y=y):
            assert (x, y) == (1.0, 2.0)


def test_fields_of_its_base_come_first() -> None:
    made = Named(1.0, 2.0, "q")
    assert repr(made) == "Named(x=1.0, y=2.0, name='q')"
    assert Named(1.0) == Named(1.0, 0.0, "p")
    assert [field.name for field in dataclasses.fields(made)] == ["x", "y", "name"]
    assert [field.name for field in dataclasses.fields(Point)] == ["x", "y"]


def test_a_draft_is_changed() -> None:
    made, other = Notes("a"), Notes("a")
    made.lines.append("b")
    assert (made.lines, other.lines) == (["b"], [])
    made.title = "c"
    assert repr(made) == "Notes(title='c', lines=['b'])"
    assert made == Notes("c", ["b"]) != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)
    with pytest.raises(AttributeError):
        made.place = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="Notes lacks a value for 'title'"):
        Notes()  # type: ignore[call-arg]
    assert dataclasses.replace(made, title="d").lines is made.lines
