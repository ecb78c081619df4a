"""Expressions: names to slots and numbers, sugar written out, every node with its place.

A name is an attribute, else a constant, else a context variable, else `inf` (contract §2). Where
a function wants a pool or a stage, a name is one. Constants become numbers; arithmetic on them
stays as written. Nothing here recurses. Depends on references, aggregates and the unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
from math import inf
from typing import assert_never

from serq.diagnostics import Note, Span
from serq.ir import nodes as ir
from serq.ir.spans import Path
from serq.link import aggregates, references, tree
from serq.link.evaluation import known_value, wrong_count
from serq.link.names import REFUSED, Family, suggestion
from serq.link.unit import Unit
from serq.records import Draft
from serq.syntax import ast
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import FUNCTIONS, Function, Kind
from serq.vocabulary.moments import CONTEXT_VARIABLES, INFINITY, OLD_SPELLINGS

Value = ir.Expression | ir.PoolReference | ir.StageReference
Step = Callable[[], None]

NOTHING: Mapping[str, ast.Expression] = {}

_NO_VALUE = ir.Number(0.0)
"""Stands where the text was refused; the checks pass over its expression."""


class Conversion(Draft):
    """One expression on its way to the IR: steps to do, values built, the nodes' places in the
    order of `serq.ir.walk.nodes`.
    """

    unit: Unit
    pending: list[Step] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    """The numbers of nodes whose text was refused."""

    def convert(self, root: ast.Expression) -> ir.Expression:
        """Do every step."""
        self.visit(root)
        while self.pending:
            self.pending.pop()()
        value = self.values[0]
        assert not isinstance(value, ir.PoolReference | ir.StageReference)
        return value

    def visit(self, node: ast.Expression) -> None:
        """Convert a node, or have its children converted and then built."""
        match node:
            case ast.Number():
                self._leaf(ir.Number(node.value), node.span)
            case ast.Name():
                self._name(node)
            case ast.Indexed():
                self._misplaced_member(node)
            case ast.Draw():
                self._draw(node)
            case ast.Call():
                self._call(node)
            case ast.Unary():
                operator = node.operator
                self._build(node.span, (node.operand,), lambda a: ir.Unary(operator, a))
            case ast.Binary():
                op, below = node.operator, (node.left, node.right)
                self._build(node.span, below, lambda a, b: ir.Binary(op, a, b))
            case ast.Conditional():
                self._build(node.span, (node.test, node.then, node.otherwise), ir.Conditional)
            case ast.Aggregate():
                raise AssertionError("aggregates are written out before")
            case _:
                assert_never(node)

    def _leaf(self, value: Value, span: Span) -> None:
        self.spans.append(self.unit.findings.place(span))
        self.values.append(value)

    def _build(
        self, span: Span, below: tuple[ast.Expression, ...], make: Callable[..., Value]
    ) -> None:
        self.spans.append(self.unit.findings.place(span))
        self.pending.append(partial(self._finish, len(below), make))
        self._visit_all(below)

    def _visit_all(self, below: tuple[ast.Expression, ...]) -> None:
        self.pending.extend(partial(self.visit, node) for node in reversed(below))

    def _finish(self, count: int, make: Callable[..., Value]) -> None:
        first = len(self.values) - count
        parts = self.values[first:]
        del self.values[first:]
        self.values.append(make(*parts))

    def _refuse(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        notes: tuple[Note, ...] = (),
        help: str | None = None,
    ) -> None:
        self.unit.findings.report(code, message, span, notes=notes, help=help)
        self._give_up(span)

    def _give_up(self, span: Span) -> None:
        self.refused.append(len(self.spans))
        self._leaf(_NO_VALUE, span)

    def _name(self, node: ast.Name) -> None:
        names = self.unit.names
        slot = names.attributes.get(node.name)
        if slot is not None:
            self._leaf(ir.Attribute(slot), node.span)
        elif node.name in names.constants:
            value = names.constants[node.name].value
            if value is None:
                self._give_up(node.span)
            else:
                self._leaf(ir.Number(value), node.span)
        elif node.name in CONTEXT_VARIABLES:
            self._leaf(ir.Context(node.name), node.span)
        elif node.name == INFINITY:
            self._leaf(ir.Number(inf), node.span)
        elif node.name == REFUSED:
            self._give_up(node.span)
        else:
            self._unknown_name(node)

    def _unknown_name(self, node: ast.Name) -> None:
        names, name = self.unit.names, node.name
        if name in OLD_SPELLINGS:
            now = OLD_SPELLINGS[name]
            message = f"`{name}` is an old spelling; the context variable is called `{now}`"
            self._refuse("SQ213", message, node.span, help=f"write `{now}`")
            return
        help, notes = names.suggest(name, names.values)
        kind = "pool" if name in names.pools else "stage" if name in names.stages else None
        if kind is not None:
            reads = "used" if kind == "pool" else "queue"
            help = f"`{name}` is a {kind}; functions read it, such as `{reads}({name})`"
            notes = ()
        message = f"`{name}` is no attribute, no constant and no context variable"
        help = help or f"assign it with `set {name} = …;` or declare `let {name} = …;`"
        self._refuse("SQ201", message, node.span, notes=notes, help=help)

    def _misplaced_member(self, node: ast.Indexed) -> None:
        message = (
            f"`{node.name}[…]` names a pool or a stage, and an expression is wanted here; a "
            "function reads a member"
        )
        self._refuse(
            "SQ209", message, node.name_span, help="such as `used(kv[0])` or `queue(replica[0])`"
        )

    def _draw(self, node: ast.Draw) -> None:
        law = DISTRIBUTIONS.get(node.distribution)
        if law is None:
            help, notes = suggestion(node.distribution, dict.fromkeys(DISTRIBUTIONS))
            listed = ", ".join(f"`~{name}`" for name in DISTRIBUTIONS)
            message = f"there is no distribution `{node.distribution}`; there are {listed}"
            self._refuse("SQ216", message, node.name_span, notes=notes, help=help)
        elif len(node.arguments) != len(law.parameters):
            takes = ", ".join(law.parameters)
            message = f"`~{law.name}` takes ({takes}) and is given {len(node.arguments)}"
            self._refuse("SQ208", message, node.name_span)
        else:
            name = law.name
            self._build(node.span, node.arguments, lambda *parts: ir.Draw(name, parts))

    def _call(self, node: ast.Call) -> None:
        function = FUNCTIONS.get(node.function)
        if function is None:
            help, notes = suggestion(node.function, dict.fromkeys(FUNCTIONS))
            message = f"there is no function `{node.function}`"
            help = help or "the functions are " + ", ".join(f"`{name}`" for name in FUNCTIONS)
            self._refuse("SQ207", message, node.name_span, notes=notes, help=help)
        elif len(node.arguments) != len(function.parameters):
            self._refuse("SQ208", wrong_count(node), node.name_span)
        elif function.folded:
            self._block_size(node)
        else:
            self._apply(node, function)

    def _apply(self, node: ast.Call, function: Function) -> None:
        name = function.name
        number = len(self.spans)
        self.spans.append(self.unit.findings.place(node.span))
        count = len(node.arguments)
        self.pending.append(lambda: self._finish(count, lambda *parts: ir.Call(name, parts)))
        for kind, argument in reversed(list(zip(function.parameters, node.arguments, strict=True))):
            if kind is Kind.VALUE:
                self._visit_all((argument,))
            else:
                self.pending.append(partial(self._reference, node, number, kind, argument))

    def _family(self, node: ast.Call, kind: Kind, argument: ast.Expression) -> Family | None:
        """The pool or stage an argument names; None, with a finding, when it names none."""
        if not isinstance(argument, ast.Name | ast.Indexed):
            word = "pool" if kind is Kind.POOL else "stage"
            self.unit.findings.report(
                "SQ209",
                f"`{node.function}` reads {kind.value}, and is given an expression",
                node.name_span,
                help=f"name {kind.value}, such as `{node.function}({word})`",
            )
            return None
        span = argument.span if isinstance(argument, ast.Name) else argument.name_span
        find = references.find_pool if kind is Kind.POOL else references.find_stage
        return find(self.unit, argument.name, span)

    def _reference(self, node: ast.Call, number: int, kind: Kind, argument: ast.Expression) -> None:
        """Convert an argument that names a pool or a stage; the call is node `number`."""
        family = self._family(node, kind, argument)
        if family is None:
            self.refused.append(number)
            self._give_up(argument.span)
            return
        make = ir.PoolReference if kind is Kind.POOL else ir.StageReference
        index = argument.index if isinstance(argument, ast.Indexed) else None
        if index is None:
            if family.count > 1:
                references.index_missing(self.unit, family, node.name_span)
                self.refused.append(len(self.spans))
            self._leaf(make(family.base, family.count), argument.span)
            return
        self.member(family, make, index, argument.span)

    def member(
        self,
        family: Family,
        make: type[ir.PoolReference] | type[ir.StageReference],
        index: ast.Expression,
        span: Span,
    ) -> None:
        """Convert a member of a family: a constant index becomes its number."""
        self.spans.append(self.unit.findings.place(span))
        self.pending.append(partial(self._fold_index, family, make, index, len(self.spans)))
        self._visit_all((index,))

    def _fold_index(
        self,
        family: Family,
        make: type[ir.PoolReference] | type[ir.StageReference],
        index: ast.Expression,
        first: int,
    ) -> None:
        """Build the reference; a constant index is one node, its number."""
        linked = self.values.pop()
        value = constant_index(self.unit, index)
        if value is not None:
            linked = ir.Number(value)
            del self.spans[first + 1 :]
        assert not isinstance(linked, ir.PoolReference | ir.StageReference)
        self.values.append(make(family.base, family.count, linked))

    def _block_size(self, node: ast.Call) -> None:
        """`blocksize(pool)` is the number in the pool's declaration."""
        argument = node.arguments[0]
        family = self._family(node, Kind.POOL, argument)
        if family is None:
            self._give_up(node.span)
            return
        index = argument.index if isinstance(argument, ast.Indexed) else None
        if index is None and family.count > 1:
            references.index_missing(self.unit, family, node.name_span)
            self._give_up(node.span)
            return
        if index is not None and not self._names_member(family, index, argument.span):
            self._give_up(node.span)
            return
        self._fold_block(node, family, argument.span)

    def _names_member(self, family: Family, index: ast.Expression, span: Span) -> bool:
        """Whether the index of a folded reference is right; findings say when it is not."""
        other = Conversion(self.unit)
        other.member(family, ir.PoolReference, index, span)
        while other.pending:
            other.pending.pop()()
        member = other.values[0]
        assert isinstance(member, ir.PoolReference)
        number = member.index
        if isinstance(number, ir.Number) and not 0.0 <= number.value < family.count:
            self.unit.findings.report(
                "SQ212",
                f"`{family.name}[{number.value:g}]` is no member: `{family.name}` has "
                f"{family.count}, from 0",
                span,
            )
            return False
        return not other.refused

    def _fold_block(self, node: ast.Call, family: Family, span: Span) -> None:
        block = self.unit.block_sizes.get(family.name, None)
        if block is not None:
            self._leaf(ir.Number(block), node.span)
        elif family.name in self.unit.block_sizes:
            self._give_up(node.span)
        else:
            self._refuse(
                "SQ209",
                f"the pool `{family.name}` has no `block`: it allocates by the unit",
                span,
                notes=(Note(f"`{family.name}` is declared here", family.span),),
                help="give the pool a `block`, or use a constant",
            )


def constant_index(unit: Unit, index: ast.Expression) -> float | None:
    """The value of a constant index; None for one that the session computes or draws."""
    if any(isinstance(node, ast.Draw) for node in tree.nodes(index)):
        return None
    return known_value(unit.names, index)


def link_index(unit: Unit, index: ast.Expression, path: Path) -> ir.Expression:
    """The index of a pool or stage that a statement names: a constant one becomes its number."""
    written_out = aggregates.expand(unit, index)
    linked = link_expression(unit, written_out, path)
    value = constant_index(unit, written_out)
    if value is None or path in unit.refused:
        return linked
    unit.spans.add_expression(path, (unit.findings.place(index.span),))
    return ir.Number(value)


def link_expression(
    unit: Unit,
    expression: ast.Expression,
    path: Path,
    values: Mapping[str, ast.Expression] = NOTHING,
) -> ir.Expression:
    """The expression as IR; its places, or that it was refused, are recorded at `path`.

    `values` stand in the place of the names a hold's header binds.
    """
    written_out = aggregates.expand(unit, expression)
    if values:
        written_out = tree.substitute(written_out, values)
    conversion = Conversion(unit)
    value = conversion.convert(written_out)
    unit.spans.add_expression(path, tuple(conversion.spans))
    if conversion.refused:
        unit.refused.add(path)
        unit.refused.update((*path, number) for number in conversion.refused)
    return value
