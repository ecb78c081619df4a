"""The items of a program, and the program (contract §2, *item*).

Depends on `serq.diagnostics`, the expressions and statements, and queues.
"""

from __future__ import annotations

from serq.diagnostics import Span
from serq.records import Record
from serq.syntax.ast.expressions import Expression, Name
from serq.syntax.ast.queues import Pull, Queue
from serq.syntax.ast.statements import Block


class Let(Record):
    """`let name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


class Spill(Record):
    """`spill POOL via STAGE (work) when (when);`"""

    to: Name
    via: Name
    work: Expression
    when: Expression
    span: Span


class Pool(Record):
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


class Fifo(Record):
    """`fifo` or `fifo(servers)`."""

    servers: Expression | None
    span: Span


class Ps(Record):
    """`ps(capacity)`."""

    capacity: Expression
    span: Span


class Delay(Record):
    """`delay`."""

    span: Span


class Serve(Record):
    """A step stage's `serve`; `rule` is `admission`, `by` (with keys), `decode first` or
    `exclusive prefill`.
    """

    rule: str
    keys: tuple[Expression, ...]
    span: Span


class Step(Record):
    """`step { budget cost chunk serve memory }`; `cost` is always there."""

    budget: Expression | None
    cost: Expression
    chunk: Expression | None
    serve: Serve | None
    memory: Name | None
    span: Span


StageKind = Fifo | Ps | Delay | Step


class Stage(Record):
    """`stage name [size] : kind`."""

    name: str
    size: int | None
    kind: StageKind
    span: Span
    name_span: Span
    size_span: Span | None = None


class Gauge(Record):
    """`gauge name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


class Share(Record):
    """`share maxmin;` or `share bottleneck;`"""

    policy: str
    span: Span


class Arrive(Record):
    """`arrive kind (argument);`, `kind` one of `serq.vocabulary.keywords.ARRIVALS`.

    The argument of `trace` is its `scale`, None where none is written.
    """

    kind: str
    argument: Expression | None
    span: Span


class Trace(Record):
    """`trace "path" [ordered];`"""

    path: str
    ordered: bool
    span: Span


class Hidden(Record):
    """One name of `hidden name, …;`"""

    name: str
    span: Span


class Workload(Record):
    """`workload { … }`; `session` is its session side, when written in two sides."""

    arrive: Arrive | None
    trace: Trace | None
    init: Block | None
    turn: Block | None
    session: Block | None
    hidden: tuple[Hidden, ...]
    span: Span


class RunOptions(Record):
    """`run { horizon warmup seed arrivals }`, merged over all `run` items of the program."""

    horizon: Expression | None
    warmup: Expression | None
    seed: Expression | None
    arrivals: Expression | None
    span: Span


class Program(Record):
    """A whole program, its items by kind in the order of the text.

    `session` is the path of every session with every `request;` still in place; `server` is
    what replaces them. The pools and stages of a queue are among the program's, under their long
    names.
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
    span: Span
    queues: tuple[Queue, ...] = ()
    pulls: tuple[Pull, ...] = ()
