"""Pools: capacities and blocks to numbers, keys to expressions, an array to its members
(contract §2, *poolopt*).

Depends on constants, expressions and references.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from serq.diagnostics import Note, Span
from serq.ir import nodes as ir
from serq.ir.spans import Path
from serq.link import constants, references
from serq.link.expressions import link_expression
from serq.link.names import Family
from serq.link.unit import Unit
from serq.syntax import ast


def link_sizes(unit: Unit) -> dict[str, tuple[float, float | None]]:
    """The capacity and block of every pool, which expressions may read as `blocksize`."""
    return {name: _sizes(unit, pool) for name, pool in unit.names.pool_declarations.items()}


def _sizes(unit: Unit, pool: ast.Pool) -> tuple[float, float | None]:
    cap: float | None = inf
    if pool.cap is not None:
        cap = constants.evaluate(unit, pool.cap, f"the capacity of `{pool.name}`")
    block = None
    if pool.block is not None:
        block = constants.evaluate(unit, pool.block, f"the block of `{pool.name}`")
        unit.block_sizes[pool.name] = block
    return inf if cap is None else cap, block


def link_pools(unit: Unit) -> tuple[ir.Pool, ...]:
    """Every pool of the program, the members of an array one by one."""
    sizes = link_sizes(unit)
    pools: list[ir.Pool] = []
    for name, pool in unit.names.pool_declarations.items():
        pools.extend(_members(unit, pool, unit.names.pools[name], sizes[name]))
    return tuple(pools)


def _members(
    unit: Unit, pool: ast.Pool, family: Family, sizes: tuple[float, float | None]
) -> Iterator[ir.Pool]:
    at: Path = ("pools", family.base)
    for option, written in (("cap", pool.cap), ("block", pool.block)):
        if written is not None:
            unit.at((*at, option), written.span)
    evict = _keys(unit, pool.evict, (*at, "evict"))
    queue = _keys(unit, pool.queue, (*at, "queue"))
    spill = None if pool.spill is None else _spill(unit, pool.spill, at)
    via = None
    if pool.admit_via is not None:
        unit.at((*at, "admit_via"), pool.admit_via.span)
        stage = references.find_stage(unit, pool.admit_via.name, pool.admit_via.span)
        via = join(unit, family, stage, "admit via", pool.admit_via.span)
    for member in range(family.count):
        unit.at(("pools", family.base + member), pool.name_span)
        yield ir.Pool(
            pool.name,
            index=member if family.array else None,
            cap=sizes[0],
            block=sizes[1],
            evict=evict,
            preempt_lifo=pool.preempt == "lifo",
            queue=queue,
            spill=spill,
            admit_via=member_of(via, member),
        )


def _keys(
    unit: Unit, keys: tuple[ast.Expression, ...] | None, at: Path
) -> tuple[ir.Expression, ...] | None:
    """Eviction or queue keys; None for `lru` and `fifo`."""
    if not keys:
        return None
    return tuple(link_expression(unit, key, (*at, i)) for i, key in enumerate(keys))


def _spill(unit: Unit, spill: ast.Spill, pool: Path) -> ir.Spill | None:
    """`spill POOL via STAGE (work) when (when)`; of an array, its first member."""
    at = (*pool, "spill")
    unit.at(at, spill.span)
    to = references.find_pool(unit, spill.to.name, spill.to.span)
    via = references.find_stage(unit, spill.via.name, spill.via.span)
    work = link_expression(unit, spill.work, (*at, "work"))
    when = link_expression(unit, spill.when, (*at, "when"))
    if to is None or via is None:
        return None
    return ir.Spill(to.base, via.base, work, when)


def join(
    unit: Unit, family: Family, other: Family | None, option: str, span: Span
) -> Family | None:
    """`other` where it can be joined to `family`: member for member, or one for all."""
    if other is None or other.count in (1, family.count):
        return other
    unit.findings.report(
        "SQ215",
        f"`{option}` joins `{family.name}`, {_count(family)}, to `{other.name}`, "
        f"{_count(other)}; arrays are joined member for member, or all to a single one",
        span,
        notes=[Note(f"`{other.name}` is declared here", other.span)],
        help="declare both with one size, or name a single one",
    )
    return None


def _count(family: Family) -> str:
    return "which is single" if family.count == 1 else f"an array of {family.count}"


def member_of(other: Family | None, member: int) -> int | None:
    """The index of what a joined family gives to a member."""
    if other is None:
        return None
    return other.base if other.count == 1 else other.base + member
