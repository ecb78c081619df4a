"""Where the reference parts from serQ by decision: the page on compatibility, rule by rule.

A program that meets such a rule is compared without what the rule touches, or not at all. The
rules look at the finished IR, so a program that is being shrunk can not drift into one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from serq.ir import nodes as ir
from serq.ir.walk import Node, expressions, nodes, references

STRICTER = {
    "SQ406",  # `grow`, `growing` outside a hold: the reference fails when it gets there
    "SQ410",  # a rate or a constant gap that is not positive: it panics, hangs or accepts
    "SQ411",  # counts that are no whole numbers: it truncates
    "SQ414",  # `admit via` a stage that is no engine: it accepts, and admits nobody
}
"""Codes of programs that are refused here and not there."""


@dataclass
class Known:
    """What of a program is known to differ."""

    excluded: str = ""
    """Why it is not compared at all; nothing when it is."""
    holders: set[int] = field(default_factory=set)
    """Pools a session may hold twice: their `mean_holders` is not compared."""
    rounded: set[str] = field(default_factory=set)
    """Observations whose last bits depend on the order of a hash table there."""


def known(program: ir.Program) -> Known:
    """What of `program` is known to differ."""
    found = Known(holders=held_twice(program))
    several_holds(program, found)
    drawing_keys(program, found)
    work_of_several_jobs(program, found)
    served_decodes(program, found)
    return found


# Several holds of one session on one pool: here each is a holder, there a release forgets all.


def held_twice(program: ir.Program) -> set[int]:
    """Pools that one session may hold or lease more than once at a time."""
    return Holders(program).twice


class Holders:
    """Follows what a session may hold and lease from statement to statement."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.twice: set[int] = set()
        self.block(program.session, frozenset(), frozenset())

    def block(self, block: int, held: frozenset[int], leased: frozenset[int]) -> frozenset[int]:
        """What may be leased after a block, with `held` around it and `leased` before it."""
        for statement in self.program.blocks[block]:
            match statement:
                case ir.Hold():
                    leased = self.hold(statement, held, leased)
                case ir.Loop():
                    while (after := leased | self.block(statement.body, held, leased)) != leased:
                        leased = after
                case ir.Branch():
                    leased = self.block(statement.then, held, leased) | self.block(
                        statement.otherwise, held, leased
                    )
                case ir.Release() if len(pools := members(statement.pool)) == 1:
                    leased -= set(pools) - held
        return leased

    def hold(
        self, statement: ir.Hold, held: frozenset[int], leased: frozenset[int]
    ) -> frozenset[int]:
        """A victim executes its hold again, with what its body had leased."""
        while True:
            around = held
            for part in statement.pools:
                pools = frozenset(members(part.pool))
                self.twice |= pools & (around | leased)
                around |= pools
            after = self.block(statement.body, around, leased)
            if after <= leased:
                break
            leased |= after
        return leased if statement.lease is None else leased | {*members(statement.lease.pool)}


def several_holds(program: ir.Program, found: Known) -> None:
    """Who is a holder matters where it is read, and where it makes a victim."""
    if not found.holders:
        return
    if any(program.pools[pool].preempt_lifo for pool in found.holders):
        found.excluded = "a pool held twice has victims"
    for node in every_node(program):
        if isinstance(node, ir.Call) and node.function == "holders":
            found.excluded = "reads the holders of a pool held twice"


def members(reference: ir.PoolReference) -> range:
    """The pools a reference may mean."""
    if isinstance(reference.index, ir.Number):
        member = reference.base + int(reference.index.value)
        return range(member, member + 1)
    return range(reference.base, reference.base + reference.count)


# An eviction key that draws: the draws fall on the entries in the order of a hash table there.


def drawing_keys(program: ir.Program, found: Known) -> None:
    """No key that draws is compared."""
    for pool in program.pools:
        for key in pool.evict or ():
            if any(isinstance(node, ir.Draw) for node in all_nodes(key)):
                found.excluded = "an eviction key draws"


# `work(s)` of several jobs: added up in the order of a hash table there. As an observation it is
# compared up to rounding; where it decides something, the program is not compared. An empty sum
# is -0.0 there and 0.0 here, which a division tells apart.


def work_of_several_jobs(program: ir.Program, found: Known) -> None:
    """Where work is read."""
    for block in program.blocks:
        for statement in block:
            for part in expressions(statement):
                if not reads_work(part.expression):
                    continue
                if isinstance(statement, ir.Observe) and is_sum(statement.value):
                    found.rounded.add(program.observes[statement.observe])
                else:
                    found.excluded = "work decides something"
    if any(reads_work(node) for node in declared(program)):
        found.excluded = "work decides something"


def is_sum(value: ir.Expression) -> bool:
    """Whether it is the work of stages, added up."""
    if isinstance(value, ir.Binary):
        return value.operator == "+" and is_sum(value.left) and is_sum(value.right)
    return isinstance(value, ir.Call) and value.function == "work"


def reads_work(expression: ir.Expression) -> bool:
    """Whether it reads the work of a stage."""
    return any(
        isinstance(node, ir.Call) and node.function == "work" for node in all_nodes(expression)
    )


# Exclusive prefill with growth in a pool that is not the engine's memory: a decode that was
# served already may be the victim. Its tokens return to the budget here, and are lost there
# (with any other order of serving the reference panics).


def served_decodes(program: ir.Program, found: Known) -> None:
    """Runs on an engine with exclusive prefill that grow elsewhere."""
    for block in program.blocks:
        for statement in block:
            if not isinstance(statement, ir.Run) or statement.growing is None:
                continue
            for index in range(statement.stage.base, statement.stage.base + statement.stage.count):
                kind = program.stages[index].kind
                if not isinstance(kind, ir.Step) or not isinstance(kind.serve, ir.ExclusivePrefill):
                    continue
                grown = members(statement.growing)
                if any(program.pools[pool].preempt_lifo for pool in grown) and (
                    list(grown) != [kind.memory]
                ):
                    found.excluded = "exclusive prefill grows in another pool"


# Walks


def all_nodes(expression: ir.Expression) -> Iterator[Node]:
    """Every node of an expression."""
    return nodes(expression)


def declared(program: ir.Program) -> Iterator[ir.Expression]:
    """The expressions outside statements."""
    for pool in program.pools:
        yield from pool.evict or ()
        yield from pool.queue or ()
        if pool.spill is not None:
            yield pool.spill.work
            yield pool.spill.when
    for stage in program.stages:
        if isinstance(stage.kind, ir.Ps):
            yield stage.kind.capacity
        elif isinstance(stage.kind, ir.Step):
            yield from (stage.kind.budget, stage.kind.cost, stage.kind.chunk)
            if isinstance(stage.kind.serve, ir.ServeBy):
                yield from stage.kind.serve.keys
    yield from (gauge.value for gauge in program.gauges)


def every_node(program: ir.Program) -> Iterator[Node]:
    """Every node of every expression of the program."""
    for expression in declared(program):
        yield from all_nodes(expression)
    for block in program.blocks:
        for statement in block:
            for part in expressions(statement):
                yield from all_nodes(part.expression)
            for named in references(statement):
                if named.reference.index is not None:
                    yield from all_nodes(named.reference.index)
