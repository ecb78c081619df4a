"""Stages: server counts to numbers, capacities and costs to expressions, an array to its members
(contract §2, *kind*).

A step stage without `budget` has no limit, without `chunk` no cap, and serves in admission order.
Depends on constants, expressions, references and the joining of families.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import assert_never

from serq.ir import nodes as ir
from serq.ir.spans import Path
from serq.link import constants, references
from serq.link.expressions import link_expression
from serq.link.names import Family
from serq.link.pools import join, member_of
from serq.link.unit import Unit
from serq.syntax import ast


def link_stages(unit: Unit) -> tuple[ir.Stage, ...]:
    """Every stage of the program, the members of an array one by one."""
    stages: list[ir.Stage] = []
    for name, stage in unit.names.stage_declarations.items():
        family = unit.names.stages[name]
        for member, kind in enumerate(_kinds(unit, stage, family)):
            unit.at(("stages", family.base + member), stage.name_span)
            stages.append(ir.Stage(stage.name, kind, member if family.array else None))
    return tuple(stages)


def _kinds(unit: Unit, stage: ast.Stage, family: Family) -> Iterator[ir.StageKind]:
    """The kind of each member; only a step stage's memory differs between them."""
    at: Path = ("stages", family.base)
    match stage.kind:
        case ast.Fifo():
            kind: ir.StageKind = link_fifo(unit, stage.kind, stage.name, at)
        case ast.Ps():
            kind = ir.Ps(link_expression(unit, stage.kind.capacity, (*at, "capacity")))
        case ast.Delay():
            kind = ir.Delay()
        case ast.Step():
            yield from link_step(unit, stage.kind, family)
            return
        case _:
            assert_never(stage.kind)
    for _ in range(family.count):
        yield kind


def link_fifo(unit: Unit, kind: ast.Fifo, name: str, at: Path) -> ir.Fifo:
    """`fifo` or `fifo(servers)`, a whole number of servers."""
    if kind.servers is None:
        return ir.Fifo(1)
    unit.at((*at, "servers"), kind.servers.span)
    servers = constants.whole(unit, kind.servers, f"the number of servers of `{name}`", least=1)
    return ir.Fifo(1 if servers is None else servers)


def link_step(unit: Unit, kind: ast.Step, family: Family) -> Iterator[ir.Step]:
    """`step { … }`, with its defaults, for each member."""
    at: Path = ("stages", family.base)
    budget: ir.Expression = ir.Number(inf)
    if kind.budget is not None:
        budget = link_expression(unit, kind.budget, (*at, "budget"))
    cost = link_expression(unit, kind.cost, (*at, "cost"))
    chunk: ir.Expression = ir.Number(0.0)
    if kind.chunk is not None:
        chunk = link_expression(unit, kind.chunk, (*at, "chunk"))
    serve = link_serve(unit, kind.serve, (*at, "serve"))
    memory = None
    if kind.memory is not None:
        unit.at((*at, "memory"), kind.memory.span)
        pool = references.find_pool(unit, kind.memory.name, kind.memory.span)
        memory = join(unit, family, pool, "memory", kind.memory.span)
    for member in range(family.count):
        yield ir.Step(budget, cost, chunk, serve, member_of(memory, member))


def link_serve(unit: Unit, serve: ast.Serve | None, at: Path) -> ir.ServeBy | ir.ExclusivePrefill:
    """`serve`: an order by keys, or the rule `exclusive prefill`."""
    if serve is None:
        return ir.ServeBy()
    unit.at(at, serve.span)
    match serve.rule:
        case "exclusive prefill":
            return ir.ExclusivePrefill()
        case "decode first":
            decoding = ir.Context("decoding")
            return ir.ServeBy((ir.Conditional(decoding, ir.Number(0.0), ir.Number(1.0)),))
        case _:
            keys = enumerate(serve.keys)
            return ir.ServeBy(tuple(link_expression(unit, key, (*at, i)) for i, key in keys))
