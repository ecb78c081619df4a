"""Queues and the relations between them as they were written (contract §2, *Queues*).

Depends on `serq.diagnostics`, the expressions and the statements.
"""

from __future__ import annotations

from serq.diagnostics import Span
from serq.records import Record
from serq.syntax.ast.expressions import Expression, Name
from serq.syntax.ast.statements import Block


class Entry(Record):
    """`verb [(parameters)] [from source] { body }`: what a queue does with one request."""

    verb: str
    parameters: tuple[Name, ...]
    source: Name | None
    body: Block
    lets: int
    """How many constants are declared above it; those it may read."""
    span: Span
    """The verb."""


class Queue(Record):
    """`queue name [size] : roles { … }`.

    Its pools stand among the program's as `name.pool`, its stage as `name`, its NIC as
    `name.nic`, the wait of a link before a transfer as `name.latency`; here is which of those it
    has. `engine` says that its stage is a step stage.
    """

    name: str
    size: int | None
    roles: tuple[str, ...]
    pools: tuple[str, ...]
    serves: bool
    engine: bool
    nic: bool
    latency: bool
    entries: tuple[Entry, ...]
    span: Span
    name_span: Span


class Pull(Record):
    """`reader pull source [latency expression] share policy;`."""

    reader: Name
    source: Name
    latency: Expression | None
    policy: str
    span: Span


def pool_of(queue: str, pool: str) -> str:
    """The long name of a queue's pool, or of what else a queue has."""
    return f"{queue}.{pool}"


def time_of(stage: str) -> str:
    """The constant that holds how long the wait at a latency stage takes."""
    return f"{stage}.time"
