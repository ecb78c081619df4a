"""Statements: one function a construct, from what was written to the kernel (contract §2).

Blocks are numbered when they are entered, depth first in the order of the text. What a finished
statement must satisfy (moments, scopes, modes) is a check of the IR, not of the linker. Depends
on expressions, references, bindings, serving forms and sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from serq.diagnostics import Span
from serq.ir import nodes as ir
from serq.ir.recursion import Recursive, run
from serq.ir.spans import Path
from serq.link import references, serving
from serq.link.bindings import Bindings, Clause
from serq.link.expressions import link_expression, link_index
from serq.link.names import REFUSED, Family
from serq.link.sides import spliced
from serq.link.unit import Unit
from serq.records import Draft
from serq.syntax import ast

Reference = TypeVar("Reference", ir.PoolReference, ir.StageReference)

UNKNOWN = 2**62
"""Where a pool or stage stands that the program does not have; its statement is refused."""


class Statements(Draft):
    """Links the statements of one program."""

    unit: Unit
    program: ast.Program
    bindings: Bindings

    def session(self, block: ast.Block | None, server: ast.Block | None) -> int:
        """Link a block with everything in it; its number."""
        return self._empty() if block is None else run(self._block(block, server, ()))

    def workload(self, block: ast.Block | None) -> int:
        """Link `init` or `turn`; the checks refuse what is neither `set` nor `observe`."""
        number = self._empty()
        linked: list[ir.Statement] = []
        for statement in () if block is None else block.statements:
            path: Path = ("blocks", number, len(linked))
            self.unit.at(path, statement.span)
            match statement:
                case ast.Set():
                    linked.append(self.link_set(statement, path))
                case ast.Observe():
                    linked.append(self.link_observe(statement, path))
                case _:
                    linked.append(ir.Turn())
        self.unit.blocks[number] = tuple(linked)
        return number

    def _empty(self) -> int:
        self.unit.blocks.append(())
        return len(self.unit.blocks) - 1

    def _block(
        self, block: ast.Block, server: ast.Block | None, sets: tuple[ast.Set, ...]
    ) -> Recursive[int]:
        number = self._empty()
        linked: list[ir.Statement] = []
        for bound in sets:
            path: Path = ("blocks", number, len(linked))
            self.unit.at(path, bound.span)
            linked.append(self.link_set(bound, path))
        for statement, inner_server in spliced(self.unit, block, server):
            path = ("blocks", number, len(linked))
            self.unit.at(path, statement.span)
            match statement:
                case ast.Hold():
                    linked.append((yield self._hold(statement, path, inner_server)))
                case ast.Branch():
                    linked.append((yield self._branch(statement, path, inner_server)))
                case ast.Loop():
                    linked.append(ir.Loop((yield self._block(statement.body, inner_server, ()))))
                case _:
                    linked.append(self._simple(statement, path))
        self.unit.blocks[number] = tuple(linked)
        return number

    def _simple(self, statement: ast.Statement, path: Path) -> ir.Statement:
        match statement:
            case ast.Turn() | ast.Request():
                return ir.Turn()
            case ast.End():
                return ir.End()
            case ast.Set():
                return self.link_set(statement, path)
            case ast.Observe():
                return self.link_observe(statement, path)
            case ast.Grow() | ast.Load() | ast.Drop() | ast.Release():
                return self._on_pool(statement, path)
            case ast.Run():
                return self.link_run(statement, path)
            case ast.Serving():
                return self.link_serving(statement, path)
            case ast.Choose():
                return self.link_choose(statement, path)
            case _:
                raise AssertionError(statement)

    def link_set(self, statement: ast.Set, path: Path) -> ir.Set:
        """`set name = value;`"""
        slot = self.unit.names.attributes[statement.name]
        return ir.Set(slot, link_expression(self.unit, statement.value, (*path, "value")))

    def link_observe(self, statement: ast.Observe, path: Path) -> ir.Observe:
        """`observe name = value;`"""
        observes = self.unit.names.observes
        number = observes.setdefault(statement.name, len(observes))
        if number == len(observes) - 1 and ("observes", number) not in self.unit.spans.places:
            self.unit.at(("observes", number), statement.name_span)
        return ir.Observe(number, link_expression(self.unit, statement.value, (*path, "value")))

    def _hold(
        self, hold: ast.Hold, path: Path, server: ast.Block | None
    ) -> Recursive[ir.Statement]:
        """`hold …`: the bindings substituted into the header, set at the body's top."""
        clause = self.bindings.of(hold)
        pools = tuple(
            self._hold_pool(pool, path, (*path, "pools", i), clause.values)
            for i, pool in enumerate(hold.pools)
        )

        def part(expression: ast.Expression | None, name: str) -> ir.Expression | None:
            if expression is None:
                return None
            return link_expression(self.unit, expression, (*path, name), clause.values)

        reuse = part(hold.reuse, "reuse")
        sets = tuple(_set(clause, binding) for binding in clause.sets)
        body = yield self._block(hold.body, server, sets)
        cache = part(hold.cache, "cache")
        lease = None
        if hold.lease is not None:
            pool = self._pool(hold.lease.pool, path, (*path, "lease", "pool"))
            at = (*path, "lease", "time")
            time = link_expression(self.unit, hold.lease.time, at, clause.values)
            lease = ir.Lease(pool, time)
        return ir.Hold(pools, reuse, body, cache, lease)

    def _hold_pool(
        self,
        pool: ast.HoldPool,
        path: Path,
        at: Path,
        values: Mapping[str, ast.Expression],
    ) -> ir.HoldPool:
        reference = self._pool(pool.pool, path, (*at, "pool"))
        units = link_expression(self.unit, pool.units, (*at, "units"), values)
        if pool.reserve is None:
            return ir.HoldPool(reference, units)
        reserve = link_expression(self.unit, pool.reserve, (*at, "reserve"), values)
        return ir.HoldPool(reference, units, reserve)

    def _branch(
        self, branch: ast.Branch, path: Path, server: ast.Block | None
    ) -> Recursive[ir.Statement]:
        """`branch (test)`, or `branch with (p)`, a test of a draw."""
        test = branch.test
        if branch.draws:
            test = ast.Draw("bernoulli", (test,), test.span, test.span)
        linked = link_expression(self.unit, test, (*path, "test"))
        then = yield self._block(branch.then, server, ())
        if branch.otherwise is None:
            otherwise = self._empty()
        else:
            otherwise = yield self._block(branch.otherwise, server, ())
        return ir.Branch(linked, then, otherwise)

    def _on_pool(
        self, statement: ast.Grow | ast.Load | ast.Drop | ast.Release, path: Path
    ) -> ir.Statement:
        """`grow`, `load`, `drop` and `release` name one pool."""
        pool = self._pool(statement.pool, path, (*path, "pool"))
        match statement:
            case ast.Drop():
                return ir.Drop(pool)
            case ast.Release():
                return ir.Release(pool)
            case ast.Grow() | ast.Load():
                units = link_expression(self.unit, statement.units, (*path, "units"))
                return (
                    ir.Grow(pool, units)
                    if isinstance(statement, ast.Grow)
                    else ir.Load(pool, units)
                )

    def link_run(self, statement: ast.Run, path: Path) -> ir.Run:
        """`run stages [mode] (work) [growing POOL];`"""
        first, *others = statement.stages
        stage = self._stage(first, path, (*path, "stage"))
        also = tuple(self._stage(other, path, (*path, "also", i)) for i, other in enumerate(others))
        work = link_expression(self.unit, statement.work, (*path, "work"))
        growing = self._growing(statement.growing, path)
        return ir.Run(stage, statement.mode, work, growing, also)

    def link_serving(self, form: ast.Serving, path: Path) -> ir.Run:
        """`prefill`, `decode` and `tool`: a run at the role's stage."""
        family = serving.stage_for(self.unit, self.program, form)
        on = form.on
        index = on.index if isinstance(on, ast.Indexed) else form.index
        place = _Place(path, (*path, "stage"), serving.place_of(form))
        stage = self._member(ir.StageReference, family, index, place)
        work = link_expression(self.unit, form.work, (*path, "work"))
        growing = self._growing(form.growing, path)
        mode = "plain" if family is None else serving.mode_at(self.unit, form, family)
        return ir.Run(stage, mode, work, growing)

    def link_choose(self, statement: ast.Choose, path: Path) -> ir.Choose:
        """`choose name in count by (keys);`"""
        slot = self.unit.names.attributes[statement.name]
        count = link_expression(self.unit, statement.count, (*path, "count"))
        keys = tuple(
            link_expression(self.unit, key, (*path, "keys", i))
            for i, key in enumerate(statement.keys)
        )
        return ir.Choose(slot, count, keys)

    def _growing(self, reference: ast.Reference | None, path: Path) -> ir.PoolReference | None:
        return None if reference is None else self._pool(reference, path, (*path, "growing"))

    def _pool(self, reference: ast.Reference, statement: Path, path: Path) -> ir.PoolReference:
        family = references.find_pool(self.unit, reference.name, references.name_of(reference))
        index = reference.index if isinstance(reference, ast.Indexed) else None
        place = _Place(statement, path, reference.span)
        return self._member(ir.PoolReference, family, index, place)

    def _stage(self, reference: ast.Reference, statement: Path, path: Path) -> ir.StageReference:
        family = references.find_stage(self.unit, reference.name, references.name_of(reference))
        index = reference.index if isinstance(reference, ast.Indexed) else None
        place = _Place(statement, path, reference.span)
        return self._member(ir.StageReference, family, index, place)

    def _member(
        self,
        make: type[Reference],
        family: Family | None,
        index: ast.Expression | None,
        place: _Place,
    ) -> Reference:
        """A reference of a statement; the statement is refused when there is none."""
        self.unit.at(place.path, place.span)
        linked = None if index is None else link_index(self.unit, index, (*place.path, "index"))
        if family is None:
            self.unit.refused.update((place.statement, place.path))
            return make(UNKNOWN, 1)
        if index is None and family.count > 1:
            references.index_missing(self.unit, family, place.span)
            self.unit.refused.update((place.statement, place.path))
            linked = ir.Number(0.0)
        return make(family.base, family.count, linked)


def _set(clause: Clause, binding: ast.Binding) -> ast.Set:
    """What sets a binding at the top of the body."""
    value = clause.values[binding.name]
    if binding.name in clause.refused:
        value = ast.Name(REFUSED, value.span)
    return ast.Set(binding.name, value, binding.span, binding.name_span)


class _Place(NamedTuple):
    """Where a reference stands: its statement, its own path, its text."""

    statement: Path
    path: Path
    span: Span
