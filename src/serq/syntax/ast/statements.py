"""Statements as they were written (contract §2, *stmt*).

Depends on `serq.diagnostics` and the expressions.
"""

from __future__ import annotations

from dataclasses import dataclass

from serq.diagnostics import Span
from serq.syntax.ast.expressions import Expression, Name, Reference


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
    """`request;`, the server's statements in its place, or `request GATEWAY;`, a route's."""

    span: Span
    gateway: Name | None = None


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
    """`run stages [mode] (work) [growing POOL];`; `mode` is `plain`, `prefill` or `decode`.

    Without a stage it runs on the stage of the queue whose entry it stands in.
    """

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


@dataclass(frozen=True, slots=True)
class Transfer:
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


@dataclass(frozen=True, slots=True)
class Mark:
    """`mark name;`: the moment, which the entry's caller reads as `QUEUE.name`."""

    name: str
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class EntryCall:
    """`QUEUE [index] . verb (arguments) [from source] [to target (tokens)];`."""

    queue: Reference
    verb: str
    arguments: tuple[Expression, ...]
    source: Reference | None
    target: Reference | None
    tokens: Expression | None
    span: Span
    verb_span: Span


@dataclass(frozen=True, slots=True)
class Splice:
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
