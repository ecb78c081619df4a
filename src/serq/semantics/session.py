"""A session: its attributes, where it is in its program, what it holds (contract §3,
*Configuration*).

A session runs one sequence of statements. It is ready, or waits for one thing: room in a pool's
queue, a job at a stage, room to grow. Its continuation is a stack of block frames; the scopes it
is in are its holds. Data only, with the two statements that need nothing else (`set` and
`observe`); the others are in `serq.semantics.statements`.

Depends on the IR and on expressions.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.ir.spans import Path
from serq.semantics.expressions import evaluate
from serq.semantics.numbers import saturate
from serq.semantics.scope import Scope

if TYPE_CHECKING:
    from serq.semantics.machine import Machine
    from serq.semantics.pool import Pool
    from serq.semantics.stages.stage import Job
    from serq.semantics.stages.tokens import Token

BEFORE_ANY = float("inf")
"""The admission number of a session that was never admitted."""


class Status(Enum):
    """What a session is doing.

    `DEFERRED` is ready again, after those that are ready already; `GROWING` waits for room to
    grow a hold.
    """

    READY = "ready"
    DEFERRED = "deferred"
    QUEUED = "queued"
    IN_STAGE = "in a stage"
    GROWING = "growing"
    ENDED = "ended"


class FrameKind(Enum):
    """What happens at the end of a block: go on after it, start it over, leave the scope."""

    PLAIN = "plain"
    LOOP = "loop"
    HOLD = "hold"


class Frame:
    """A block and the statement of it that comes next."""

    __slots__ = ("block", "kind", "next", "statements")

    def __init__(self, block: int, statements: ir.Block, kind: FrameKind) -> None:
        self.block = block
        self.statements = statements
        self.kind = kind
        self.next = 0


class Holding:
    """What a hold, or a lease, has on one pool: units, and how far its tokens are computed.

    `position` starts at the cached prefix the admission consumed and moves with a growing run
    or a load.
    """

    __slots__ = ("allocated", "hold", "pool", "position")

    def __init__(self, hold: Hold, pool: Pool, allocated: float, position: float) -> None:
        self.hold = hold
        self.pool = pool
        self.allocated = allocated
        self.position = position

    def computed(self) -> float:
        """Tokens whose KV is there: the position if the hold grew, else all that it took."""
        return self.position if self.hold.grown else self.allocated


class Hold:
    """A hold that was admitted and whose scope is not over.

    `holdings` is in the order of the statement; `release` takes one out. `leased` is the pool
    whose allocation will outlive the scope.
    """

    __slots__ = ("grown", "holdings", "leased", "place", "session", "statement")

    def __init__(
        self,
        session: Session,
        statement: ir.Hold,
        place: tuple[int, int],
        leased: Pool | None,
    ) -> None:
        self.session = session
        self.statement = statement
        self.place = place
        self.leased = leased
        self.holdings: list[Holding] = []
        self.grown = False

    def on(self, pool: Pool) -> Holding | None:
        """What it has on `pool`."""
        for holding in self.holdings:
            if holding.pool is pool:
                return holding
        return None


class Waiting:
    """A hold statement in a queue: it will be evaluated when its session is admitted.

    `front` marks a preempted one, which no key overtakes. `units` are those of the latest
    evaluation.
    """

    __slots__ = ("front", "leased", "place", "pools", "queued_at", "session", "statement", "units")

    def __init__(self, session: Session, statement: ir.Hold, place: tuple[int, int]) -> None:
        self.session = session
        self.statement = statement
        self.place = place
        self.pools: list[Pool] = []
        self.units: list[float] = []
        self.leased: Pool | None = None
        self.queued_at = 0.0
        self.front = False


class Lease:
    """An allocation that outlived its scope, until it is released, expires, or the session ends."""

    __slots__ = ("computed", "holding", "number")

    def __init__(self, number: int, holding: Holding, computed: float) -> None:
        self.number = number
        self.holding = holding
        self.computed = computed


class Growth:
    """A growth that waits for room: of which holding, by how many units, and for which job."""

    __slots__ = ("holding", "job", "units")

    def __init__(self, holding: Holding, units: float, job: Job | None) -> None:
        self.holding = holding
        self.units = units
        self.job = job


class Session:
    """A live session, or one that has ended and is still named somewhere."""

    __slots__ = (
        "admission",
        "attributes",
        "frames",
        "growth",
        "holds",
        "instant",
        "job",
        "leases",
        "positions",
        "scope",
        "serial",
        "statements",
        "status",
        "stuck",
        "token",
        "turns",
        "turns_taken",
        "waiting",
    )

    def __init__(self, machine: Machine, serial: int, attributes: int) -> None:
        self.serial = serial
        self.attributes = [0.0] * attributes
        self.scope = Scope(machine, machine.streams.session, self, self.attributes)
        self.status = Status.READY
        self.frames: list[Frame] = []
        self.holds: list[Hold] = []
        self.leases: list[Lease] = []
        self.waiting: Waiting | None = None
        self.job: Job | None = None
        self.growth: Growth | None = None
        self.admission = BEFORE_ANY
        self.turns: tuple[tuple[tuple[int, float], ...], ...] | None = None
        self.turns_taken = 0
        # per pool, the position at its latest preemption; and whether it was stuck since
        self.positions: dict[int, float] = {}
        self.stuck = False
        self.token: Token | None = None
        self.instant = -1.0  # at which it ran last
        self.statements = 0  # that it ran then

    def loop_place(self) -> Path:
        """Where in the IR the loop stands that it is in, or else what it comes to next."""
        frames = self.frames
        for outer, inner in zip(frames[-2::-1], frames[:0:-1], strict=True):
            if inner.kind is FrameKind.LOOP:
                return ("blocks", outer.block, outer.next - 1)
        if not frames or not frames[-1].statements:
            return ("arrival",)
        frame = frames[-1]
        return ("blocks", frame.block, min(frame.next, len(frame.statements) - 1))

    def innermost(self, pool: Pool) -> Holding | None:
        """Its allocation in the innermost scope that holds `pool`."""
        for hold in reversed(self.holds):
            holding = hold.on(pool)
            if holding is not None:
                return holding
        return None

    def allocated(self, pool: Pool) -> float:
        """Units of `pool` that its scopes hold; leases do not count."""
        total = 0.0
        for hold in self.holds:
            for holding in hold.holdings:
                if holding.pool is pool:
                    total += holding.allocated
        return total


def do_set(_machine: Machine, session: Session, statement: ir.Set) -> None:
    """`set x = e`."""
    session.attributes[statement.slot] = evaluate(statement.value, session.scope)


def do_observe(machine: Machine, session: Session, statement: ir.Observe) -> None:
    """`observe x = e`: a sample with its time, session and turn, after the warm-up."""
    value = evaluate(statement.value, session.scope)
    if not machine.warm:
        return
    if machine.sample_streams:
        machine.sample_streams[statement.observe].add(value)
        return
    seen = machine.observes[statement.observe]
    seen.samples.append(value)
    seen.times.append(machine.now)
    seen.sessions.append(session.serial)
    turn = session.attributes[machine.program.slots.turn_no]
    seen.turns.append(saturate(turn, 2**32 - 1))
