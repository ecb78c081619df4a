"""The JSON Schema of the IR, made of the shapes that read and write it.

It states the form: which members there are, and of which type. What a reader checks beyond it
(that a number names an entry of its table, that a variable is read at its moment) is in
`serq.ir.validate`. Members nobody knows are allowed, as they are when an IR is read. Depends on the
shapes and the spellings.
"""

from __future__ import annotations

from typing import Any, Final

from serq.ir import spelling
from serq.ir.expressions_json import EXPRESSION, POOL, STAGE
from serq.ir.program_json import PROGRAM, EvictShape, PreemptShape, SlotValueShape
from serq.ir.shapes import (
    COUNT,
    INDEX,
    REAL,
    REAL_OR_INFINITY,
    Many,
    Member,
    Optional,
    Real,
    Row,
    Scalar,
    Shape,
    Struct,
    Variants,
    Word,
    Wrap,
)
from serq.ir.version import IR_VERSION

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> Schema:
    """The schema of a program, as JSON values; its parts are named under `$defs`."""
    parts = _Parts()
    members = [*PROGRAM.before.members, *PROGRAM.slots.members, *PROGRAM.after.members]
    program = parts.object(members)
    program["properties"] = {"version": {"const": IR_VERSION}} | program["properties"]
    program["required"] = ["version", *program["required"]]
    return {
        "$schema": DIALECT,
        "title": f"A serQ program: the IR, version {IR_VERSION}",
        **program,
        "$defs": parts.named,
    }


class _Parts:
    """The schemas of shapes, those of nodes by name."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}
        self.named["reference"] = {}
        self.named["expression"] = {}
        self.named["reference"] = self.reference()
        self.named["expression"] = self.expression()

    def of(self, shape: Shape) -> Schema:
        """The schema of a shape."""
        match shape:
            case Scalar():
                return _scalar(shape)
            case Real():
                return _real(shape)
            case Word():
                return _words(shape.spelling.values())
            case Optional():
                return {"anyOf": [self.of(shape.shape), {"type": "null"}]}
            case Many():
                return {"type": "array", "items": self.of(shape.shape)}
            case Row():
                return _row(*(self.of(each) for _, each in shape.fields))
            case Wrap():
                return self.of(shape.shape)
            case Struct() | Variants():
                return self.node(shape)
            case EvictShape():
                return self.node(shape.shape)
            case PreemptShape():
                return self.of(shape.word)
            case SlotValueShape():
                return _row(self.of(INDEX), self.of(REAL))
        if shape is EXPRESSION:
            return _named("expression")
        if shape in (POOL, STAGE):
            return _named("reference")
        raise TypeError(f"no schema for {shape!r}")

    def node(self, shape: Struct | Variants) -> Schema:
        """A reference to the named schema of a node, which is made when it is first needed."""
        name = shape.what.partition(" ")[2].replace(" ", "_")
        if name not in self.named:
            self.named[name] = {}
            self.named[name] = (
                self.object(shape.members) if isinstance(shape, Struct) else self.variants(shape)
            )
        return _named(name)

    def object(self, members: list[Member] | tuple[Member, ...]) -> Schema:
        """An object with a member a field."""
        return {
            "type": "object",
            "properties": {member.key: self.of(member.shape) for member in members},
            "required": [
                member.key
                for member in members
                if member.omitted is Ellipsis and not isinstance(member.shape, Optional)
            ],
        }

    def variants(self, shape: Variants) -> Schema:
        """A tag alone, or an object whose one member is the tag."""
        kinds = [
            {"const": tag} if carried is None else _tagged(tag, self.of(carried))
            for tag, _, carried in shape.kinds
        ]
        return {"anyOf": kinds}

    def reference(self) -> Schema:
        """One of the members from `base` on: a pool or a stage."""
        index = {"anyOf": [_named("expression"), {"type": "null"}]}
        return {
            "type": "object",
            "properties": {"base": self.of(INDEX), "count": self.of(COUNT), "index": index},
            "required": ["base", "count"],
        }

    def expression(self) -> Schema:
        """An expression; its parts are expressions again."""
        inner, reference = _named("expression"), _named("reference")
        argument = {
            "anyOf": [
                _tagged("Expr", inner),
                _tagged("Pool", reference),
                _tagged("Stage", reference),
            ]
        }
        listed = {"type": "array", "items": inner}
        return {
            "anyOf": [
                _tagged("Num", _real(REAL_OR_INFINITY)),
                _tagged("Attr", _scalar(INDEX)),
                _tagged("Ctx", _words(spelling.CONTEXT.values())),
                _tagged("Sample", _row(_words(spelling.DISTRIBUTIONS.values()), listed)),
                _tagged(
                    "Call",
                    _row(_words(spelling.FUNCTIONS.values()), {"type": "array", "items": argument}),
                ),
                _tagged("Unary", _row(_words(spelling.UNARY.values()), inner)),
                _tagged("Binary", _row(_words(spelling.BINARY.values()), inner, inner)),
                _tagged("Cond", _row(inner, inner, inner)),
            ]
        }


def _named(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _tagged(tag: str, carried: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {tag: carried},
        "required": [tag],
        "additionalProperties": False,
    }


def _row(*items: Schema) -> Schema:
    return {"type": "array", "prefixItems": list(items), "items": False, "minItems": len(items)}


def _words(spellings: Any) -> Schema:
    return {"enum": list(spellings)}


def _scalar(shape: Scalar) -> Schema:
    (kind,) = shape.types
    if kind is not int:
        return {"type": {str: "string", bool: "boolean"}[kind]}
    return {"type": "integer", "minimum": shape.least, "maximum": shape.most}


def _real(shape: Real) -> Schema:
    number = {"type": "number"}
    return {"anyOf": [number, {"enum": ["inf", "-inf"]}]} if shape.infinite else number
