"""What a program's queues are: each by its name, with what its entries assign and lease.

Depends on the tree and its walks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from serq.diagnostics import Span
from serq.link import tree
from serq.syntax import ast
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES
from serq.vocabulary.moments import SUPPLIED_NAMES

ROUTE = "route"
"""The entry of a gateway, which reads and sets the request's attributes by their own names."""


@dataclass(frozen=True, slots=True)
class Stations:
    """The queues of a program by name, and the relations by reader."""

    program: ast.Program
    queues: dict[str, ast.Queue] = field(init=False)
    pulls: dict[str, ast.Pull] = field(init=False)
    attributes: frozenset[str] = field(init=False)
    """What `set` and `choose` assign anywhere, as it is written there."""

    def __post_init__(self) -> None:
        queues = {queue.name: queue for queue in self.program.queues}
        object.__setattr__(self, "queues", queues)
        pulls = {pull.reader.name: pull for pull in self.program.pulls}
        object.__setattr__(self, "pulls", pulls)
        entries = [entry.body for queue in self.program.queues for entry in queue.entries]
        names = frozenset(
            statement.name
            for block in (*bodies(self.program), *entries)
            for statement in tree.statements(block)
            if isinstance(statement, ast.Set | ast.Choose)
        )
        object.__setattr__(self, "attributes", names)

    def lets_above(self, entry: ast.Entry) -> set[str]:
        """The constants an entry may read."""
        return {let.name for let in self.program.lets[: entry.lets]}

    def hidden(self) -> set[str]:
        """The request's attributes that an entry's body reads by their own names."""
        workload = self.program.workload
        return set() if workload is None else {item.name for item in workload.hidden}

    def meaning(self, name: str) -> str | None:
        """What a name of an entry already is in the program, as the end of a sentence."""
        if name in SUPPLIED_NAMES:
            return "a name the language supplies"
        if name in BUILTIN_ATTRIBUTES:
            return "a built-in attribute"
        if name in self.attributes:
            return "an attribute"
        if any(let.name == name for let in self.program.lets):
            return "a constant"
        if any(pool.name == name for pool in self.program.pools):
            return "a pool"
        if any(stage.name == name for stage in self.program.stages):
            return "a stage"
        return None

    def pool_named(self, name: str) -> tuple[ast.Queue, str] | None:
        """The queue and the short name of a pool written `QUEUE.pool`; None for any other name."""
        owner, _, short = name.partition(".")
        queue = self.queues.get(owner)
        if queue is None or short not in queue.pools:
            return None
        return queue, short

    def waits(self, stage: str) -> bool:
        """Whether a transfer over a stage waits for a link's latency first."""
        return stage in self.queues and self.queues[stage].latency


def assigned(entry: ast.Entry) -> dict[str, Span]:
    """The names an entry gives to attributes with `set` and `choose`, which are its queue's."""
    names: dict[str, Span] = {}
    for statement in tree.statements(entry.body):
        if isinstance(statement, ast.Set | ast.Choose):
            names.setdefault(statement.name, statement.name_span)
    return names


def moments(queue: ast.Queue) -> set[str]:
    """What others read of a queue as `QUEUE.name`: what its entries mark, and what they set
    except a route, whose attributes are the request's.
    """
    names: set[str] = set()
    for entry in queue.entries:
        for statement in tree.statements(entry.body):
            if isinstance(statement, ast.Mark) or (
                isinstance(statement, ast.Set | ast.Choose) and entry.verb != ROUTE
            ):
                names.add(statement.name)
    return names


def bodies(program: ast.Program) -> Iterator[ast.Block]:
    """Every block that is written outside an entry of a queue, and the routes of gateways."""
    workload = program.workload
    if workload is not None:
        yield from (block for block in (workload.init, workload.turn) if block is not None)
    yield from (block for block in (program.session, program.server) if block is not None)
    for queue in program.queues:
        yield from (entry.body for entry in queue.entries if entry.verb == ROUTE)
