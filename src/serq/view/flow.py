"""The path of a session through a deployment, as a graph of stops.

The session is followed statement by statement. Where it waits or spends time there is a stop: a
queue in front of pools (`Gate`), a stage, several stages held at once, a router, a hold in which
no time passes. A stage visited at several places is one stop. What is left between stops are the
guards of branches. Depends on the IR and its words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, assert_never

from serq.ir.constants import constant_value
from serq.ir.nodes import (
    Branch,
    Choose,
    Draw,
    Drop,
    End,
    Expression,
    Grow,
    Hold,
    Load,
    Loop,
    Number,
    Observe,
    Program,
    Release,
    Run,
    Set,
    Statement,
    Turn,
)
from serq.ir.recursion import Recursive, run
from serq.ir.walk import nested_blocks
from serq.view.guards import Guard, both
from serq.view.units import Unit, Units
from serq.view.words import Words, number


class Kind(Enum):
    """What a stop is."""

    SOURCE = "source"
    GATE = "gate"
    STATION = "station"
    FLOW = "flow"
    ROUTER = "router"
    PASS = "pass"
    JUNCTION = "junction"
    LOOP = "loop"
    SINK = "sink"


@dataclass(slots=True)
class Stop:
    """A stop and what is known of it: its stages or its pool, the lines that tell of its visits,
    the pools held at every visit and those held at some.
    """

    key: str
    kind: Kind
    units: tuple[Unit, ...] = ()
    lines: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    always: dict[str, Unit] | None = None
    ever: dict[str, Unit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Way:
    """A step from a stop (after its visit `visit`) to another, under guards."""

    source: str
    visit: int
    target: str
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A pool that is held, by which hold."""

    hold: int
    pool: Unit


_MOST_ENDS: Final = 12
"""Where a session may come from more places than these, the ways meet in a junction."""

Ends = list[tuple[str, int, tuple[Guard, ...]]]
"""Where the session may come from: a stop, the visit, and the guards since."""


class Flow:
    """The stops of a program's session in the order of their first visit, and the ways."""

    def __init__(self, program: Program, units: Units, words: Words) -> None:
        self.stops: dict[str, Stop] = {}
        self.ways: list[Way] = []
        self.gates: dict[str, Unit] = {}
        self._program = program
        self._units = units
        self._words = words
        self._held: tuple[Held, ...] = ()
        self._numbers = 0
        source = self._stop("source", Kind.SOURCE)
        ends = run(self._block(program.session, [(source.key, 0, ())]))
        if ends:
            self._arrive(self._stop("sink", Kind.SINK), ends)
        self._without_loops()

    def _stop(self, key: str, kind: Kind, units: tuple[Unit, ...] = ()) -> Stop:
        return self.stops.setdefault(key, Stop(key, kind, units))

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _arrive(self, stop: Stop, ends: Ends, mode: str = "") -> Ends:
        """Draw the ways from where the session may be, and note what it holds."""
        for source, visit, guards in ends:
            straight_on = source == stop.key and not guards
            if not straight_on:
                self.ways.append(Way(source, visit, stop.key, guards))
        outside = stop.kind in (Kind.SINK, Kind.LOOP)
        holding = {} if outside else {held.pool.key: held.pool for held in self._held}
        stop.ever |= holding
        kept = holding if stop.always is None else stop.always
        stop.always = {key: unit for key, unit in kept.items() if key in holding}
        stop.modes.append(mode)
        return [(stop.key, len(stop.modes), ())]

    def _block(self, number: int, ends: Ends) -> Recursive[Ends]:
        for statement in self._program.blocks[number]:
            if not ends:
                break
            ends = yield self._statement(statement, ends)
        return ends

    def _statement(self, statement: Statement, ends: Ends) -> Recursive[Ends]:
        match statement:
            case Run():
                ends = self._run(statement, ends)
            case Hold():
                ends = yield self._hold(statement, ends)
            case Branch():
                ends = yield self._branch(statement, ends)
            case Loop():
                loop = self._stop(f"loop {statement.body}", Kind.LOOP)
                start = self._arrive(loop, ends)
                again = yield self._block(statement.body, start)
                self._arrive(loop, again)
                ends = []
            case Choose():
                ends = self._choose(statement, ends)
            case Release():
                self._release(self._units.pool(statement.pool))
            case End():
                self._arrive(self._stop("sink", Kind.SINK), ends)
                ends = []
            case Turn() | Set() | Observe() | Grow() | Load() | Drop():
                pass
            case _:
                assert_never(statement)
        return ends

    def _run(self, statement: Run, ends: Ends) -> Ends:
        references = (statement.stage, *statement.also)
        units = tuple(dict.fromkeys(self._units.stage(reference) for reference in references))
        kind = Kind.STATION if len(units) == 1 else Kind.FLOW
        stop = self._stop(" + ".join(unit.key for unit in units), kind, units)
        work = self._words.argument(statement.work)
        line = work if statement.mode == "plain" else f"{statement.mode} {work}"
        if statement.growing is not None:
            line += f" growing {self._words.reference(statement.growing)}"
        stop.lines.append(line)
        return self._arrive(stop, ends, statement.mode)

    def _choose(self, statement: Choose, ends: Ends) -> Ends:
        name = self._words.attribute(statement.slot)
        count = self._words.expression(statement.count)
        line = f"{name} in {count} {self._words.keys(statement.keys)}"
        if len(ends) == 1 and not ends[0][2] and self.stops[ends[0][0]].kind is Kind.ROUTER:
            self.stops[ends[0][0]].lines.append(line)
            return ends
        stop = self._stop(f"router {self._number()}", Kind.ROUTER)
        stop.lines.append(line)
        return self._arrive(stop, ends)

    def _hold(self, statement: Hold, ends: Ends) -> Recursive[Ends]:
        pools = [self._units.pool(each.pool) for each in statement.pools]
        if self._may_wait(pools):
            gate = self._stop(f"gate {pools[0].key}", Kind.GATE, (pools[0],))
            self.gates[pools[0].key] = pools[0]
            ends = self._arrive(gate, ends)
        hold = self._number()
        before = self._held
        self._held += tuple(
            Held(hold, pool)
            for pool, each in zip(pools, statement.pools, strict=True)
            if not _is_zero(each.units)
            or pool.key in computed_in(self._program, self._units, statement.body)
        )
        visits = len(self.ways), self._numbers
        ends = yield self._block(statement.body, ends)
        if ends and visits == (len(self.ways), self._numbers) and len(self._held) > len(before):
            stop = self._stop(f"pass {statement.body}", Kind.PASS)
            stop.lines += self._passing(statement.body)
            ends = self._arrive(stop, ends)
        self._leave(statement, hold)
        return ends

    def _may_wait(self, pools: list[Unit]) -> bool:
        declared = self._program.pools
        served = declared[pools[0].base].admit_via is not None
        return served or any(declared[pool.base].cap != float("inf") for pool in pools)

    def _passing(self, body: int) -> list[str]:
        """What happens in a hold in which no time passes."""
        lines: list[str] = []
        for statement in self._program.blocks[body]:
            word = type(statement).__name__.lower()
            match statement:
                case Grow() | Load():
                    amount = self._words.argument(statement.units)
                    lines.append(f"{word} {self._words.reference(statement.pool)} {amount}")
                case Release() | Drop():
                    lines.append(f"{word} {self._words.reference(statement.pool)}")
        return lines

    def _leave(self, statement: Hold, hold: int) -> None:
        """Give back what a hold still has; a lease keeps its pool beyond the scope."""
        kept: list[Held] = []
        leased = None if statement.lease is None else self._units.pool(statement.lease.pool)
        for held in self._held:
            if held.hold != hold:
                kept.append(held)
            elif held.pool == leased:
                kept.append(Held(-hold, held.pool))
        self._held = tuple(kept)

    def _release(self, pool: Unit) -> None:
        """`release`: the innermost hold on the pool, or else its lease."""
        mine = [held for held in self._held if held.pool == pool]
        if mine:
            scopes = [held for held in mine if held.hold > 0] or mine
            self._held = tuple(held for held in self._held if held is not scopes[-1])

    def _branch(self, statement: Branch, ends: Ends) -> Recursive[Ends]:
        known = constant_value(statement.test)
        if known in (0.0, 1.0):
            taken = statement.then if known == 1.0 else statement.otherwise
            ends = yield self._block(taken, ends)
            return ends
        number = self._number()
        before = self._held
        texts = self._guards(statement.test)
        after: list[Ends] = []
        kept: list[tuple[Held, ...]] = []
        for arm, block in enumerate((statement.then, statement.otherwise)):
            self._held = before
            guard = Guard(number, arm, *texts[arm])
            start = [(key, visit, (*guards, guard)) for key, visit, guards in ends]
            after.append((yield self._block(block, start)))
            if after[-1]:
                kept.append(self._held)
        shared = kept[0] if kept else ()
        self._held = tuple(held for held in shared if all(held in each for each in kept))
        joined = both(after[0], after[1], number)
        if len(joined) <= _MOST_ENDS:
            return joined
        return self._arrive(self._stop(f"junction {number}", Kind.JUNCTION), joined)

    def _guards(self, test: Expression) -> tuple[tuple[str, float | None], ...]:
        """The two guards of a test, each as text and, of a draw, its probability."""
        words = self._words.probability(test)
        if words is None or not isinstance(test, Draw):
            return (self._words.expression(test), None), ("else", None)
        likely = constant_value(test.arguments[0])
        if likely is None:
            return (f"w.p. {words}", None), ("else", None)
        return (f"w.p. {words}", likely), (f"w.p. {number(1.0 - likely)}", 1.0 - likely)

    def _without_loops(self) -> None:
        """Replace the stop that stands for a loop's head by ways past it."""
        for loop in [stop for stop in self.stops.values() if stop.kind is Kind.LOOP]:
            into = [way for way in self.ways if way.target == loop.key != way.source]
            out = [way for way in self.ways if way.source == loop.key != way.target]
            rest = [way for way in self.ways if loop.key not in (way.source, way.target)]
            past = [
                Way(a.source, a.visit, b.target, a.guards + b.guards) for a in into for b in out
            ]
            self.ways = list(dict.fromkeys([*rest, *past]))
            del self.stops[loop.key]


def computed_in(program: Program, units: Units, body: int) -> set[str]:
    """The pools whose hold something in a hold's body enlarges, or loads."""
    found: set[str] = set()
    pending = [body]
    while pending:
        for statement in program.blocks[pending.pop()]:
            pending.extend(nested_blocks(statement))
            match statement:
                case Grow() | Load():
                    found.add(units.pool(statement.pool).key)
                case Run(growing=named) if named is not None:
                    found.add(units.pool(named).key)
    return found


def _is_zero(units: Expression) -> bool:
    return isinstance(units, Number) and units.value == 0.0
