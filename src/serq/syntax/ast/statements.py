"""Statements as they were written (contract §2, *stmt*).

Depends on `serq.diagnostics` and the expressions.
"""

from __future__ import annotations

from serq.diagnostics import Span
from serq.records import Record
from serq.syntax.ast.expressions import Expression, Name, Reference


class Block(Record):
    """Statements between braces."""

    statements: tuple[Statement, ...]
    span: Span


class Turn(Record):
    """`turn;`"""

    span: Span


class End(Record):
    """`end;`"""

    span: Span


class Request(Record):
    """`request;`, the server's statements in its place, or `request GATEWAY;`, a route's."""

    span: Span
    gateway: Name | None = None


class Set(Record):
    """`set name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


class Observe(Record):
    """`observe name = value;`"""

    name: str
    value: Expression
    span: Span
    name_span: Span


class HoldPool(Record):
    """`POOL (units) [reserve (reserve)]`."""

    pool: Reference
    units: Expression
    reserve: Expression | None
    span: Span


class Binding(Record):
    """One `name = value` of an `at admission` clause."""

    name: str
    value: Expression
    span: Span
    name_span: Span


class Lease(Record):
    """`lease POOL (time)`."""

    pool: Reference
    time: Expression
    span: Span


class Hold(Record):
    """`hold pools [reuse] [at admission] { body } [cache] [lease]`."""

    pools: tuple[HoldPool, ...]
    reuse: Expression | None
    bindings: tuple[Binding, ...]
    body: Block
    cache: Expression | None
    lease: Lease | None
    span: Span
    """The header: from `hold` to the brace that opens the body."""


class Grow(Record):
    """`grow POOL (units);`"""

    pool: Reference
    units: Expression
    span: Span


class Load(Record):
    """`load POOL (units);`"""

    pool: Reference
    units: Expression
    span: Span


class Drop(Record):
    """`drop POOL;`"""

    pool: Reference
    span: Span


class Release(Record):
    """`release POOL;`"""

    pool: Reference
    span: Span


class Run(Record):
    """`run stages [mode] (work) [growing POOL];`; `mode` is `plain`, `prefill` or `decode`.

    Without a stage it runs on the stage of the queue whose entry it stands in.
    """

    stages: tuple[Reference, ...]
    mode: str
    work: Expression
    growing: Reference | None
    span: Span


class Serving(Record):
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


class Branch(Record):
    """`branch (test)`, or `branch with (p)` when `draws`."""

    test: Expression
    draws: bool
    then: Block
    otherwise: Block | None
    span: Span
    """The header: from `branch` to the closing parenthesis of the guard."""


class Loop(Record):
    """`loop { … }`; `span` covers the word."""

    body: Block
    span: Span


class Choose(Record):
    """`choose name in count by (keys);`"""

    name: str
    count: Expression
    keys: tuple[Expression, ...]
    span: Span
    name_span: Span


class Transfer(Record):
    """`transfer [[index] | on stages] work from POOL to POOL (tokens);`.

    It runs on the stages of `on`, or on the stage that plays the role, at `index`; of the
    program's stages those count that are `declared` above. Where neither is written, an entry of
    a queue that pulls reads over the NICs of its relation.
    """

    index: Expression | None
    on: tuple[Reference, ...]
    work: Expression
    source: Reference
    target: Reference
    tokens: Expression
    declared: int
    span: Span
    role_span: Span


class Mark(Record):
    """`mark name;`: the moment, which the entry's caller reads as `QUEUE.name`."""

    name: str
    span: Span
    name_span: Span


class EntryCall(Record):
    """`QUEUE [index] . verb (arguments) [from source] [to target (tokens)];`."""

    queue: Reference
    verb: str
    arguments: tuple[Expression, ...]
    source: Reference | None
    target: Reference | None
    tokens: Expression | None
    span: Span
    verb_span: Span


class Splice(Record):
    """The statements of an entry, `QUEUE.verb`, in the place of its call at `span`.

    Nobody writes it: it is what a call has become.
    """

    entry: str
    block: Block
    span: Span


Statement = (
    Turn | End | Request | Set | Observe | Hold | Grow | Load | Drop | Release | Run | Serving
    | Transfer | Branch | Loop | Choose | Mark | EntryCall | Splice
)  # fmt: skip
