"""Attributes: every name that `set`, `choose` or a binding the body reads assigns, numbered in
the order of `init`, `turn` and the session (contract §2, *Expressions*).

The built-in ones come first. Depends on bindings, sides and the unit.
"""

from __future__ import annotations

from collections.abc import Iterable

from serq.diagnostics import Span
from serq.ir.recursion import Recursive, run
from serq.link import tree
from serq.link.bindings import Bindings
from serq.link.sides import spliced
from serq.link.unit import Unit
from serq.syntax import ast


def assigned_names(
    parts: Iterable[tuple[ast.Block | None, ast.Block | None]],
) -> dict[str, Span]:
    """The names that `set` and `choose` assign in blocks, each with its server."""
    names: dict[str, Span] = {}
    for part in parts:
        for block in part:
            for statement in () if block is None else tree.statements(block):
                if isinstance(statement, ast.Set | ast.Choose):
                    names.setdefault(statement.name, statement.name_span)
    return names


def number_attributes(
    unit: Unit, bindings: Bindings, block: ast.Block, server: ast.Block | None
) -> None:
    """Give every attribute assigned in the block a slot, where it has none."""
    run(_block(unit, bindings, block, server))


def _block(
    unit: Unit, bindings: Bindings, block: ast.Block, server: ast.Block | None
) -> Recursive[None]:
    for statement, inner_server in spliced(unit, block, server):
        if isinstance(statement, ast.Set | ast.Choose):
            _declare(unit, statement.name, statement.name_span)
        if isinstance(statement, ast.Hold):
            clause = bindings.of(statement)
            for binding in clause.sets:
                if binding.name in clause.refused:
                    unit.names.attributes.setdefault(binding.name, len(unit.names.attributes))
                else:
                    _declare(unit, binding.name, binding.name_span)
        for inner in tree.nested(statement):
            yield _block(unit, bindings, inner, inner_server)


def _declare(unit: Unit, name: str, span: Span) -> None:
    names = unit.names
    slot = names.attributes.setdefault(name, len(names.attributes))
    if name not in names.attribute_spans:
        place = unit.findings.place(span)
        names.attribute_spans[name] = place
        unit.spans.add(("attributes", slot), place)
