"""The syntax tree of a program: what was written, with its places. Private to the front end.

Sugar is still here (serving forms, aggregates, header bindings, the two sides); `serq.link`
rewrites it to the kernel statements of the IR. Uses of definitions are already expanded: the
parser reads the definition's tokens in place, and a span's `expansion` says through which use.
Depends on `serq.diagnostics`.
"""

from __future__ import annotations

from dataclasses import dataclass

from serq.diagnostics import Span

# Expressions


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number."""

    value: float
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: an attribute, a constant, a context variable, a pool or a stage."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Indexed:
    """`name[index]`: a member of an array, legal where a pool or a stage is."""

    name: str
    index: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Draw:
    """`~name(arguments)`."""

    distribution: str
    arguments: tuple[Expression, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments)`."""

    function: str
    arguments: tuple[Expression, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`max j in count (term)`; `function` is `max`, `min` or `sum`."""

    function: str
    index: str
    count: Expression
    term: Expression
    span: Span
    index_span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` or `!` before an operand."""

    operator: str
    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands with an operator between them; `operator_span` covers the operator."""

    operator: str
    left: Expression
    right: Expression
    span: Span
    operator_span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? then : otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression
    span: Span


Expression = Number | Name | Indexed | Draw | Call | Aggregate | Unary | Binary | Conditional
Reference = Name | Indexed
"""A pool or a stage, where the grammar wants one."""


# Statements


@dataclass(frozen=True, slots=True)
class Block:
    """Statements between braces."""

    statements: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Turn:
    """`turn;`"""

    span: Span


@dataclass(frozen=True, slots=True)
class End:
    """`end;`"""

    span: Span


@dataclass(frozen=True, slots=True)
class Request:
    """`request;`: the server's statements in its place."""

    span: Span


@dataclass(frozen=True, slots=True)
class Set:
    """`set name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Observe:
    """`observe name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class HoldPool:
    """`POOL (units) [reserve (reserve)]`."""

    pool: Reference
    units: Expression
    reserve: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Binding:
    """One `name = value` of an `at admission` clause."""

    name: str
    value: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Lease:
    """`lease POOL (time)`."""

    pool: Reference
    time: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Hold:
    """`hold pools [reuse] [at admission] { body } [cache] [lease]`."""

    pools: tuple[HoldPool, ...]
    reuse: Expression | None
    bindings: tuple[Binding, ...]
    body: Block
    cache: Expression | None
    lease: Lease | None
    span: Span
    """The header: from `hold` to the brace that opens the body."""


@dataclass(frozen=True, slots=True)
class Grow:
    """`grow POOL (units);`"""

    pool: Reference
    units: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Load:
    """`load POOL (units);`"""

    pool: Reference
    units: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Drop:
    """`drop POOL;`"""

    pool: Reference
    span: Span


@dataclass(frozen=True, slots=True)
class Release:
    """`release POOL;`"""

    pool: Reference
    span: Span


@dataclass(frozen=True, slots=True)
class Run:
    """`run stages [mode] (work) [growing POOL];`; `mode` is `plain`, `prefill` or `decode`."""

    stages: tuple[Reference, ...]
    mode: str
    work: Expression
    growing: Reference | None
    span: Span


@dataclass(frozen=True, slots=True)
class Serving:
    """`prefill`, `decode` or `tool`: a run on the role's stage.

    The stage is `on`'s, or the role's array at `index`, or the role's stage; `declared` is how
    many of the program's stages stand above the form (only those qualify).
    """

    role: str
    index: Expression | None
    on: Reference | None
    work: Expression
    growing: Reference | None
    declared: int
    span: Span
    role_span: Span


@dataclass(frozen=True, slots=True)
class Branch:
    """`branch (test)`, or `branch with (p)` when `draws`."""

    test: Expression
    draws: bool
    then: Block
    otherwise: Block | None
    span: Span
    """The header: from `branch` to the closing parenthesis of the guard."""


@dataclass(frozen=True, slots=True)
class Loop:
    """`loop { … }`; `span` covers the word."""

    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Choose:
    """`choose name in count by (keys);`"""

    name: str
    count: Expression
    keys: tuple[Expression, ...]
    span: Span
    name_span: Span


Statement = (
    Turn | End | Request | Set | Observe | Hold | Grow | Load | Drop | Release | Run | Serving
    | Branch | Loop | Choose
)  # fmt: skip


# Items


@dataclass(frozen=True, slots=True)
class Let:
    """`let name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Spill:
    """`spill POOL via STAGE (work) when (when);`"""

    to: Name
    via: Name
    work: Expression
    when: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Pool:
    """`pool name [size] { options }`. An option not written is None.

    `evict` and `queue` are () for `lru` and `fifo`, else the keys; `preempt` is `none` or
    `lifo`; `size` is None unless an array was declared, and `size_span` its place.
    """

    name: str
    size: int | None
    cap: Expression | None
    block: Expression | None
    evict: tuple[Expression, ...] | None
    preempt: str | None
    queue: tuple[Expression, ...] | None
    admit_via: Name | None
    spill: Spill | None
    span: Span
    name_span: Span
    size_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Fifo:
    """`fifo` or `fifo(servers)`."""

    servers: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Ps:
    """`ps(capacity)`."""

    capacity: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Delay:
    """`delay`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Serve:
    """A step stage's `serve`; `rule` is `admission`, `by` (with keys), `decode first` or
    `exclusive prefill`.
    """

    rule: str
    keys: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """`step { budget cost chunk serve memory }`; `cost` is always there."""

    budget: Expression | None
    cost: Expression
    chunk: Expression | None
    serve: Serve | None
    memory: Name | None
    span: Span


StageKind = Fifo | Ps | Delay | Step


@dataclass(frozen=True, slots=True)
class Stage:
    """`stage name [size] : kind`."""

    name: str
    size: int | None
    kind: StageKind
    span: Span
    name_span: Span
    size_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Gauge:
    """`gauge name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class Share:
    """`share maxmin;` or `share bottleneck;`"""

    policy: str
    span: Span


@dataclass(frozen=True, slots=True)
class Arrive:
    """`arrive kind (argument);`, `kind` one of `serq.vocabulary.keywords.ARRIVALS`."""

    kind: str
    argument: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Trace:
    """`trace "path" [ordered];`"""

    path: str
    ordered: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Hidden:
    """One name of `hidden name, …;`"""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Workload:
    """`workload { … }`; `session` is its session side, when written in two sides."""

    arrive: Arrive | None
    trace: Trace | None
    init: Block | None
    turn: Block | None
    session: Block | None
    hidden: tuple[Hidden, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RunOptions:
    """`run { horizon warmup seed arrivals }`, merged over all `run` items of the program."""

    horizon: Expression | None
    warmup: Expression | None
    seed: Expression | None
    arrivals: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program, its items by kind in the order of the text.

    `session` is the path of every session with every `request;` still in place; `server` is
    what replaces them. `array_lets` names the constants that size an array, directly or
    through other constants: those can not be overridden.
    """

    lets: tuple[Let, ...]
    pools: tuple[Pool, ...]
    stages: tuple[Stage, ...]
    gauges: tuple[Gauge, ...]
    share: Share | None
    workload: Workload | None
    session: Block | None
    server: Block | None
    run: RunOptions | None
    array_lets: frozenset[str]
    span: Span
