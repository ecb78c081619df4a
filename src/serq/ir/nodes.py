"""The IR: a serQ program as frozen data (contract §2 and §3; text is only one way to make one).

Attributes, observations, pools, stages and blocks are numbered; statements live in an arena
of blocks. Names of fields, operators and functions are the language's own words; the spelling
of the JSON form is known to `serq.ir.write` and `serq.ir.read` alone. There are no spans here:
they travel beside the IR (`serq.ir.spans`). Depends on the records.
"""

from __future__ import annotations

from serq.records import Record

# Expressions


class Number(Record):
    """A constant."""

    value: float


class Attribute(Record):
    """The evaluating session's attribute in `slot`."""

    slot: int


class Context(Record):
    """A context variable by its name in `serq.vocabulary.moments`."""

    name: str


class Draw(Record):
    """A random draw; `distribution` is a name of `serq.vocabulary.distributions`."""

    distribution: str
    arguments: tuple[Expression, ...]


class Call(Record):
    """A function of `serq.vocabulary.functions` (never `blocksize`, which is folded)."""

    function: str
    arguments: tuple[Expression | PoolReference | StageReference, ...]


class Unary(Record):
    """`-` or `!`."""

    operator: str
    operand: Expression


class Binary(Record):
    """An operator of `serq.vocabulary.operators.BINARY`."""

    operator: str
    left: Expression
    right: Expression


class Conditional(Record):
    """`test ? then : otherwise`; any test that is not 0 takes `then`."""

    test: Expression
    then: Expression
    otherwise: Expression


Expression = Number | Attribute | Context | Draw | Call | Unary | Binary | Conditional


class PoolReference(Record):
    """A pool: the one at `base`, or member `index` of the `count` pools from `base` on."""

    base: int
    count: int
    index: Expression | None = None


class StageReference(Record):
    """A stage: the one at `base`, or member `index` of the `count` stages from `base` on."""

    base: int
    count: int
    index: Expression | None = None


# Pools


class Spill(Record):
    """`spill POOL via STAGE (work) when (when)`: evicted units go to a tier (pool index `to`)."""

    to: int
    via: int
    work: Expression
    when: Expression


class Pool(Record):
    """A memory pool; units are tokens, slots or whatever the program counts.

    `evict` None is least recently released first, else ascending keys; `queue` None is first
    come first served, else ascending keys; `preempt` says whether a failed growth preempts
    the last admitted (`lifo`); `admit_via` is the step stage that serves the queue.
    """

    name: str
    index: int | None = None
    cap: float = float("inf")
    block: float | None = None
    evict: tuple[Expression, ...] | None = None
    preempt_lifo: bool = False
    queue: tuple[Expression, ...] | None = None
    spill: Spill | None = None
    admit_via: int | None = None

    @property
    def label(self) -> str:
        """`name`, or `name[index]` for a member of an array."""
        return self.name if self.index is None else f"{self.name}[{self.index}]"


# Stages


class Fifo(Record):
    """`servers` servers, jobs in arrival order at rate 1."""

    servers: int


class Ps(Record):
    """Processor sharing: `capacity` (may read `present`) is shared equally."""

    capacity: Expression


class Delay(Record):
    """Every job at rate 1, no waiting."""


class ServeBy(Record):
    """Residents in ascending order of the keys, then in admission order."""

    keys: tuple[Expression, ...] = ()


class ExclusivePrefill(Record):
    """An iteration is one prefill alone, or decodes only."""


class Step(Record):
    """An engine that runs iterations of at most `budget` tokens, each lasting `cost`.

    `chunk` 0 or less is no cap on a prefill's tokens; `memory` is the pool whose units
    `kv_decode` and `kv_prefill` count.
    """

    budget: Expression
    cost: Expression
    chunk: Expression
    serve: ServeBy | ExclusivePrefill
    memory: int | None = None


StageKind = Fifo | Ps | Delay | Step


class Stage(Record):
    """A stage: what it is called and how it serves."""

    name: str
    kind: StageKind
    index: int | None = None

    @property
    def label(self) -> str:
        """`name`, or `name[index]` for a member of an array."""
        return self.name if self.index is None else f"{self.name}[{self.index}]"


# Statements


class Turn(Record):
    """The next turn's attributes: the trace's, then the workload's `turn` block."""


class End(Record):
    """The session leaves."""


class Set(Record):
    """`set`: the attribute in `slot` becomes `value`."""

    slot: int
    value: Expression


class Observe(Record):
    """A sample of observation `observe` (an index of `Program.observes`)."""

    observe: int
    value: Expression


class HoldPool(Record):
    """One pool of a hold: `units` are taken, `reserve` must fit."""

    pool: PoolReference
    units: Expression
    reserve: Expression | None = None


class Lease(Record):
    """A pool whose allocation outlives its hold by at most `time`."""

    pool: PoolReference
    time: Expression


class Hold(Record):
    """Wait for room in every pool, run block `body`, give the units back."""

    pools: tuple[HoldPool, ...]
    reuse: Expression | None
    body: int
    cache: Expression | None
    lease: Lease | None = None


class Grow(Record):
    """Enlarge the innermost hold on the pool by `units`."""

    pool: PoolReference
    units: Expression


class Load(Record):
    """The KV of `units` tokens arrived: the innermost hold's position advances."""

    pool: PoolReference
    units: Expression


class Drop(Record):
    """Discard the session's own cached prefix."""

    pool: PoolReference


class Release(Record):
    """Give the innermost hold's allocation back now, or end a lease."""

    pool: PoolReference


class Run(Record):
    """`work` (time, or tokens on a step stage) at `stage`, and at every stage of `also`.

    `mode` is `plain`, `prefill` or `decode`; `growing` is the pool whose hold grows with the
    tokens.
    """

    stage: StageReference
    mode: str
    work: Expression
    growing: PoolReference | None = None
    also: tuple[StageReference, ...] = ()


class Branch(Record):
    """Block `then` when `test` is 1, block `otherwise` when it is 0."""

    test: Expression
    then: int
    otherwise: int


class Loop(Record):
    """Block `body` for ever."""

    body: int


class Choose(Record):
    """The attribute in `slot` becomes the index below `count` with the least keys."""

    slot: int
    count: Expression
    keys: tuple[Expression, ...]


Statement = (
    Turn | End | Set | Observe | Hold | Grow | Load | Drop | Release | Run | Branch | Loop | Choose
)
Block = tuple[Statement, ...]


# Arrivals


class Poisson(Record):
    """Open arrivals: one at time 0, then exponential gaps of mean 1 / `rate`."""

    rate: float


class Renewal(Record):
    """Open arrivals, each `gap` after the one before; the first after one gap."""

    gap: Expression


class Closed(Record):
    """`count` sessions live at any time: one that ends is replaced at once."""

    count: int


class Batch(Record):
    """`count` sessions at time 0."""

    count: int


class Preset(Record):
    """A session given in full: attributes by slot, and the attributes of each turn."""

    attributes: tuple[tuple[int, float], ...] = ()
    turns: tuple[tuple[tuple[int, float], ...], ...] = ()


class Sessions(Record):
    """These sessions, all at time 0."""

    sessions: tuple[Preset, ...]


class TraceArrivals(Record):
    """Open arrivals at the times of the trace's sessions, each multiplied by `scale`."""

    scale: float


class NoArrivals(Record):
    """Nobody."""


Arrival = Poisson | Renewal | Closed | Batch | Sessions | TraceArrivals | NoArrivals


# The program


class Gauge(Record):
    """A named function of the deployment's state."""

    name: str
    value: Expression


class Slots(Record):
    """Slots of the built-in attributes."""

    cached: int = 0
    serial: int = 1
    turn_no: int = 2
    new: int = 3
    out: int = 4
    think: int = 5
    more: int = 6
    forced: int = 7
    computed: int = 8


class Program(Record):
    """A program. `init`, `turn` and `session` are block ids; times are in the clock's unit.

    `share` is `maxmin`, `bottleneck` or None; `hidden` lists slots.
    """

    attributes: tuple[str, ...]
    observes: tuple[str, ...]
    pools: tuple[Pool, ...]
    stages: tuple[Stage, ...]
    arrival: Arrival
    trace: str | None
    trace_ordered: bool
    init: int
    turn: int
    session: int
    blocks: tuple[Block, ...]
    horizon: float
    warmup: float
    seed: int
    arrivals: int | None = None
    slots: Slots = Slots()
    hidden: tuple[int, ...] = ()
    share: str | None = None
    gauges: tuple[Gauge, ...] = ()
