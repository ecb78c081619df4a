"""Expressions and references as JSON, without recursion: an expression may be nested as deep
as the text that wrote it. Depends on the nodes, the spellings and `serq.ir.shapes`.

Both directions keep a stack of work. Encoding fills each node's array through a reference to
it; decoding is post-order: the parts of a node are decoded, then the node is built of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from serq.ir import nodes, spelling
from serq.ir.json_text import Json
from serq.ir.shapes import (
    COUNT,
    INDEX,
    REAL_OR_INFINITY,
    MismatchError,
    Place,
    Word,
    describe,
    tagged,
    unknown,
)
from serq.records import Record

_CONTEXT: Final = Word("a context variable", spelling.CONTEXT)
_DISTRIBUTION: Final = Word("a distribution", spelling.DISTRIBUTIONS)
_FUNCTION: Final = Word("a function", spelling.FUNCTIONS)
_UNARY: Final = Word("a unary operator", spelling.UNARY)
_BINARY: Final = Word("a binary operator", spelling.BINARY)

_Operand = nodes.Expression | nodes.PoolReference | nodes.StageReference


def encode(node: _Operand) -> Json:
    """The JSON of an expression or of a reference."""
    root: list[Json] = [None]
    work: list[tuple[_Operand, list[Json] | dict[str, Json], Any]] = [(node, root, 0)]
    while work:
        current, target, key = work.pop()
        json, parts = _encode_one(current)
        target[key] = json
        work.extend(parts)
    return root[0]


_Parts = list[tuple[_Operand, list[Json] | dict[str, Json], Any]]


def _encode_one(node: _Operand) -> tuple[Json, _Parts]:
    """A node's own JSON, and its parts with where each one goes."""
    match node:
        case nodes.Number(value):
            return {"Num": REAL_OR_INFINITY.encode(value)}, []
        case nodes.Attribute(slot):
            return {"Attr": slot}, []
        case nodes.Context(name):
            return {"Ctx": _CONTEXT.encode(name)}, []
        case nodes.Draw(distribution, arguments):
            return _encode_list("Sample", _DISTRIBUTION.encode(distribution), arguments)
        case nodes.Call(function, arguments):
            return _encode_call(function, arguments)
        case nodes.Unary(operator, operand):
            return _encode_row("Unary", [_UNARY.encode(operator)], (operand,))
        case nodes.Binary(operator, left, right):
            return _encode_row("Binary", [_BINARY.encode(operator)], (left, right))
        case nodes.Conditional(test, then, otherwise):
            return _encode_row("Cond", [], (test, then, otherwise))
        case nodes.PoolReference(base, count, index) | nodes.StageReference(base, count, index):
            reference: dict[str, Json] = {"base": base, "count": count, "index": None}
            return reference, [] if index is None else [(index, reference, "index")]


def _encode_row(tag: str, first: list[Json], parts: Sequence[_Operand]) -> tuple[Json, _Parts]:
    row: list[Json] = [*first, *[None] * len(parts)]
    return {tag: row}, [(part, row, len(first) + at) for at, part in enumerate(parts)]


def _encode_list(tag: str, name: Json, parts: Sequence[_Operand]) -> tuple[Json, _Parts]:
    listed: list[Json] = [None] * len(parts)
    return {tag: [name, listed]}, [(part, listed, at) for at, part in enumerate(parts)]


def _encode_call(function: str, arguments: Sequence[_Operand]) -> tuple[Json, _Parts]:
    listed: list[Json] = []
    parts: _Parts = []
    for argument in arguments:
        match argument:
            case nodes.PoolReference():
                tag = "Pool"
            case nodes.StageReference():
                tag = "Stage"
            case _:
                tag = "Expr"
        wrapped: dict[str, Json] = {tag: None}
        listed.append(wrapped)
        parts.append((argument, wrapped, tag))
    return {"Call": [_FUNCTION.encode(function), listed]}, parts


class _Read(Record):
    """Work: decode this JSON here, by this rule."""

    rule: Callable[[_Decoding, Json, Place], None]
    json: Json
    place: Place


class _Build(Record):
    """Work: build a node of the last `parts` operands decoded."""

    node: Callable[..., Any]
    parts: int


class _Decoding:
    """One decoding: what is left to do, and the operands built so far."""

    def __init__(self) -> None:
        self.work: list[_Read | _Build] = []
        self.built: list[Any] = []
        self.refused = False

    def run(self, rule: Callable[[_Decoding, Json, Place], None], json: Json, place: Place) -> Any:
        self.work.append(_Read(rule, json, place))
        while self.work:
            item = self.work.pop()
            if isinstance(item, _Build):
                first = len(self.built) - item.parts
                parts = self.built[first:]
                del self.built[first:]
                self.built.append(item.node(*parts))
                continue
            try:
                item.rule(self, item.json, item.place)
            except MismatchError:
                self.refused = True
                self.built.append(nodes.Number(0.0))
        if self.refused:
            raise MismatchError
        return self.built.pop()

    def build(self, node: Callable[..., Any], parts: list[_Read]) -> None:
        """Decode the parts in order, then build the node."""
        self.work.append(_Build(node, len(parts)))
        self.work.extend(reversed(parts))


def _expression(decoding: _Decoding, json: Json, place: Place) -> None:
    tag, carried = tagged(json)
    at = place.down(tag or "")
    match tag:
        case "Num":
            decoding.built.append(nodes.Number(REAL_OR_INFINITY.decode(carried, at)))
        case "Attr":
            decoding.built.append(nodes.Attribute(INDEX.decode(carried, at)))
        case "Ctx":
            decoding.built.append(nodes.Context(_CONTEXT.decode(carried, at)))
        case "Sample":
            name, parts = _named(carried, at, _DISTRIBUTION, _expression)
            decoding.build(lambda *each: nodes.Draw(name, each), parts)
        case "Call":
            name, parts = _named(carried, at, _FUNCTION, _argument)
            decoding.build(lambda *each: nodes.Call(name, each), parts)
        case "Unary":
            operator, parts = _operator(carried, at, _UNARY, 1)
            decoding.build(lambda each: nodes.Unary(operator, each), parts)
        case "Binary":
            operator, parts = _operator(carried, at, _BINARY, 2)
            decoding.build(lambda left, right: nodes.Binary(operator, left, right), parts)
        case "Cond":
            row = _row(carried, at, "[test, then, otherwise]", 3)
            parts = [_Read(_expression, each, at.down(i)) for i, each in enumerate(row)]
            decoding.build(nodes.Conditional, parts)
        case _:
            tags = ("Num", "Attr", "Ctx", "Sample", "Call", "Unary", "Binary", "Cond")
            raise unknown(place, "an expression", tags, tag or json)


def _named(
    json: Json, place: Place, names: Word, rule: Callable[[_Decoding, Json, Place], None]
) -> tuple[str, list[_Read]]:
    row = _row(json, place, "[name, [arguments]]", 2)
    name = names.decode(row[0], place.down(0))
    arguments, at = row[1], place.down(1)
    if not isinstance(arguments, list):
        raise at.expected("an array", arguments)
    return name, [_Read(rule, each, at.down(i)) for i, each in enumerate(arguments)]


def _operator(json: Json, place: Place, names: Word, operands: int) -> tuple[str, list[_Read]]:
    shown = "[operator, operand]" if operands == 1 else "[operator, left, right]"
    row = _row(json, place, shown, operands + 1)
    operator = names.decode(row[0], place.down(0))
    return operator, [_Read(_expression, row[i], place.down(i)) for i in range(1, operands + 1)]


def _row(json: Json, place: Place, shown: str, length: int) -> list[Json]:
    if not isinstance(json, list) or len(json) != length:
        raise place.refuse(f"should be `{shown}`, but is {describe(json)}")
    return json


def _argument(decoding: _Decoding, json: Json, place: Place) -> None:
    tag, carried = tagged(json)
    at = place.down(tag or "")
    match tag:
        case "Expr":
            _expression(decoding, carried, at)
        case "Pool":
            _reference(decoding, carried, at, nodes.PoolReference)
        case "Stage":
            _reference(decoding, carried, at, nodes.StageReference)
        case _:
            raise unknown(place, "an argument", ("Expr", "Pool", "Stage"), tag or json)


def _reference(decoding: _Decoding, json: Json, place: Place, node: type[Any]) -> None:
    if not isinstance(json, dict):
        raise place.expected("a reference `{base, count, index}`", json)
    numbers: list[int] = []
    for key, shape in (("base", INDEX), ("count", COUNT)):
        if key not in json:
            raise place.refuse(f"lacks the member `{key}`")
        numbers.append(shape.decode(json[key], place.down(key)))
    index = json.get("index")
    parts = [] if index is None else [_Read(_expression, index, place.down("index"))]
    decoding.build(lambda *index: node(*numbers, *index), parts)


class _ExpressionShape:
    """An expression."""

    def encode(self, node: nodes.Expression) -> Json:
        """Its JSON."""
        return encode(node)

    def decode(self, json: Json, place: Place) -> Any:
        """Its node."""
        return _Decoding().run(_expression, json, place)


class _ReferenceShape:
    """A reference to a pool or a stage."""

    def __init__(self, node: type[Any]) -> None:
        self.node = node

    def encode(self, node: nodes.PoolReference | nodes.StageReference) -> Json:
        """Its JSON."""
        return encode(node)

    def decode(self, json: Json, place: Place) -> Any:
        """Its node."""

        def reference(decoding: _Decoding, json: Json, place: Place) -> None:
            _reference(decoding, json, place, self.node)

        return _Decoding().run(reference, json, place)


EXPRESSION: Final = _ExpressionShape()
POOL: Final = _ReferenceShape(nodes.PoolReference)
STAGE: Final = _ReferenceShape(nodes.StageReference)
