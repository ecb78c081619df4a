"""Shapes: how a node of the IR and its JSON correspond, in both directions.

A shape encodes a node as JSON values and decodes JSON values into a node. Decoding collects
every mismatch it can find, each with its JSON path, what was expected and what stands there.
The shapes of the language's own nodes are in `serq.ir.expressions_json` and
`serq.ir.program_json`. Depends on the nodes and on `serq.ir.json_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from serq.diagnostics import nearest
from serq.ir.json_text import Json, JsonPath
from serq.records import Draft, Record

MOST_FINDINGS = 20
"""Mismatches reported at most; a file of another kind would have thousands."""


class Mismatch(Draft):
    """The value at `path` is not of the shape it should have."""

    path: JsonPath
    message: str
    help: str | None = None


class MismatchError(Exception):
    """The value can not be decoded; why is among the findings."""


class Place(Record):
    """A place in the document being decoded, as a chain to the root, and the findings."""

    findings: list[Mismatch]
    key: str | int = ""
    outer: Place | None = None

    def down(self, key: str | int) -> Place:
        """The place of a member."""
        return Place(self.findings, key, self)

    def path(self) -> JsonPath:
        """Keys and indices from the document down."""
        keys: list[str | int] = []
        place = self
        while place.outer is not None:
            keys.append(place.key)
            place = place.outer
        return tuple(reversed(keys))

    def refuse(self, message: str, help: str | None = None) -> MismatchError:
        """Record a mismatch here."""
        if len(self.findings) < MOST_FINDINGS:
            path = self.path()
            self.findings.append(Mismatch(path, f"`{show_path(path)}` {message}", help))
        return MismatchError()

    def expected(self, what: str, found: Json) -> MismatchError:
        """Record that `what` was expected here."""
        return self.refuse(f"should be {what}, but is {describe(found)}")


def show_path(path: JsonPath) -> str:
    """`blocks[2][0].Set[1]`."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text or "the document"


def describe(value: Json) -> str:
    """What a JSON value is, in a few words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value!r}"
        case str():
            return f'the string "{value if len(value) <= 30 else value[:29] + "…"}"'
        case list():
            return f"an array of {len(value)}" if value else "an empty array"
        case _:
            keys = list(value)
            return f"an object with `{keys[0]}`" if keys else "an empty object"


class Shape(Protocol):
    """One correspondence between a node and its JSON."""

    def encode(self, node: Any) -> Json:
        """The JSON of a node."""

    def decode(self, json: Json, place: Place) -> Any:
        """The node of a JSON value; raises `MismatchError` after recording why it has none."""


class Scalar(Record):
    """A value that is itself in the JSON: text, a truth value, or a whole number in a range."""

    what: str
    types: tuple[type, ...]
    least: int | None = None
    most: int | None = None

    def encode(self, node: Any) -> Json:
        """The value."""
        return node  # type: ignore[no-any-return]

    def decode(self, json: Json, place: Place) -> Any:
        """The value, when it is of the type and within the range."""
        inside = type(json) in self.types
        if inside and isinstance(json, int) and self.least is not None and self.most is not None:
            inside = self.least <= json <= self.most
        if not inside:
            raise place.expected(self.what, json)
        return json


TEXT: Final = Scalar("a string", (str,))
TRUTH: Final = Scalar("true or false", (bool,))
INDEX: Final = Scalar("a whole number from 0 on", (int,), 0, 2**32 - 1)
COUNT: Final = Scalar("a whole number from 0 to 2^64 - 1", (int,), 0, 2**64 - 1)


class Real(Record):
    """A float; a whole number in the JSON is one too. Infinity has no form here (`null`)."""

    infinite: bool = False
    """Whether `"inf"` and `"-inf"` stand for the infinities."""

    def encode(self, node: float) -> Json:
        """A float, or the name of an infinity."""
        if self.infinite and node in (float("inf"), float("-inf")):
            return "inf" if node > 0 else "-inf"
        return float(node)

    def decode(self, json: Json, place: Place) -> float:
        """The float."""
        if type(json) in (int, float):
            return float(json)  # type: ignore[arg-type]
        if self.infinite and json in ("inf", "-inf"):
            return float(str(json))
        raise place.expected('a number, "inf" or "-inf"' if self.infinite else "a number", json)


REAL: Final = Real()
REAL_OR_INFINITY: Final = Real(infinite=True)


class Word(Record):
    """A word of the language, spelt the JSON's way."""

    what: str
    spelling: Mapping[str, str]

    def encode(self, node: str) -> Json:
        """The spelling."""
        return self.spelling[node]

    def decode(self, json: Json, place: Place) -> str:
        """The word of a spelling."""
        for word, spelt in self.spelling.items():
            if spelt == json:
                return word
        raise unknown(place, self.what, self.spelling.values(), json)


def unknown(place: Place, what: str, known: Any, found: Json) -> MismatchError:
    """Record that none of the known spellings stands here."""
    known = list(known)
    listed = ", ".join(f"`{each}`" for each in known)
    near = nearest(found, known) if isinstance(found, str) else None
    help = f"did you mean `{near}`?" if near is not None else f"one of {listed}"
    return place.refuse(f"should be {what}, but is {describe(found)}", help)


class Optional(Record):
    """A value or `null`; a member of an object may be missing instead."""

    shape: Shape

    def encode(self, node: Any) -> Json:
        """`null` for None."""
        return None if node is None else self.shape.encode(node)

    def decode(self, json: Json, place: Place) -> Any:
        """None for `null`."""
        return None if json is None else self.shape.decode(json, place)


class Many(Record):
    """A tuple of nodes as an array."""

    shape: Shape

    def encode(self, node: tuple[Any, ...]) -> Json:
        """An array."""
        return [self.shape.encode(each) for each in node]

    def decode(self, json: Json, place: Place) -> tuple[Any, ...]:
        """The nodes of an array, each looked at even when another is refused."""
        if not isinstance(json, list):
            raise place.expected("an array", json)
        return tuple(_all(json, lambda at, each: self.shape.decode(each, place.down(at))))


def _all(json: list[Json], decode: Callable[[int, Json], Any]) -> list[Any]:
    nodes: list[Any] = []
    refused = False
    for at, each in enumerate(json):
        try:
            nodes.append(decode(at, each))
        except MismatchError:
            refused = True
    if refused:
        raise MismatchError
    return nodes


class Member(Record):
    """A field of a node: the key it has in the JSON, its shape, and when it is left out."""

    field: str
    key: str
    shape: Shape
    omitted: Any = Ellipsis
    """The value that is left out of the JSON; Ellipsis when none is."""

    def missing(self, place: Place) -> Any:
        """The value of a member that is not there."""
        if self.omitted is not Ellipsis:
            return self.omitted
        if isinstance(self.shape, Optional):
            return None
        raise place.refuse(f"lacks the member `{self.key}`")


class Struct(Record):
    """A node as an object: one member a field. Members nobody knows are accepted."""

    what: str
    node: Callable[..., Any]
    members: tuple[Member, ...]

    def encode(self, node: Any) -> Json:
        """An object."""
        json: dict[str, Json] = {}
        for member in self.members:
            value = getattr(node, member.field)
            if member.omitted is Ellipsis or value != member.omitted:
                json[member.key] = member.shape.encode(value)
        return json

    def decode(self, json: Json, place: Place) -> Any:
        """The node, all its members looked at."""
        if not isinstance(json, dict):
            raise place.expected(self.what, json)
        fields: dict[str, Any] = {}
        for member in self.members:
            try:
                if member.key in json:
                    at = place.down(member.key)
                    fields[member.field] = member.shape.decode(json[member.key], at)
                else:
                    fields[member.field] = member.missing(place)
            except MismatchError:
                pass
        if len(fields) < len(self.members):
            raise MismatchError
        return self.node(**fields)


class Row(Record):
    """A node as an array of its fields, in order."""

    what: str
    node: Callable[..., Any]
    fields: tuple[tuple[str, Shape], ...]

    def encode(self, node: Any) -> Json:
        """An array."""
        return [shape.encode(getattr(node, name)) for name, shape in self.fields]

    def decode(self, json: Json, place: Place) -> Any:
        """The node of an array with one element a field."""
        if not isinstance(json, list) or len(json) != len(self.fields):
            raise place.expected(self.what, json)
        shapes = [shape for _, shape in self.fields]
        values = _all(json, lambda at, each: shapes[at].decode(each, place.down(at)))
        return self.node(
            **{name: value for (name, _), value in zip(self.fields, values, strict=True)}
        )


class Wrap(Record):
    """A node with one field, as that field's JSON."""

    node: Callable[..., Any]
    field: str
    shape: Shape

    def encode(self, node: Any) -> Json:
        """The field."""
        return self.shape.encode(getattr(node, self.field))

    def decode(self, json: Json, place: Place) -> Any:
        """The node of its field."""
        return self.node(**{self.field: self.shape.decode(json, place)})


class Variants(Record):
    """One of several kinds of node: `"Tag"`, or `{"Tag": …}` when it carries anything."""

    what: str
    kinds: tuple[tuple[str, type, Shape | None], ...]

    def encode(self, node: Any) -> Json:
        """The tag, with what the node carries."""
        for tag, kind, shape in self.kinds:
            if type(node) is kind:
                return tag if shape is None else {tag: shape.encode(node)}
        raise TypeError(f"{type(node).__name__} is not {self.what}")

    def decode(self, json: Json, place: Place) -> Any:
        """The node of the tag."""
        tag, carried = tagged(json)
        for known, kind, shape in self.kinds:
            if known == tag:
                if shape is None and not isinstance(json, str):
                    raise place.refuse(f'should be "{tag}" alone')
                if shape is not None and isinstance(json, str):
                    raise place.refuse(f'should be {{"{tag}": …}}, but is the string "{tag}"')
                return kind() if shape is None else shape.decode(carried, place.down(known))
        raise unknown(place, self.what, [known for known, _, _ in self.kinds], tag or json)


def tagged(json: Json) -> tuple[str | None, Json]:
    """The tag and what it carries: `"Tag"` or an object with one member."""
    if isinstance(json, str):
        return json, None
    if isinstance(json, dict) and len(json) == 1:
        return next(iter(json.items()))
    return None, None
