"""How the names of an entry's body read in the place of one call (contract §2, *Queues*).

Parameters are what the caller wrote, the queue's pools and stage are the member's, `self` is its
index, and what the entry assigns is the queue's. Outside entries every name reads as it is
written. Depends on positions, stations and the walks over the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from serq.diagnostics import Note, Span
from serq.link import tree
from serq.link.queues.positions import Position, positions
from serq.link.queues.sees import SELF
from serq.link.queues.stations import ROUTE
from serq.link.unit import Unit
from serq.records import Draft, Record
from serq.syntax import ast


class Source(Record):
    """What a call's `from` takes: a pool, and the queue it belongs to."""

    pool: ast.Reference
    queue: str | None

    @property
    def index(self) -> ast.Expression | None:
        """The member of the source's family."""
        return self.pool.index if isinstance(self.pool, ast.Indexed) else None


MOST_PARTS = 1_000_000
"""Parts of expressions that all calls together may put in place."""


class TooMuchError(Exception):
    """The calls put too much in place; reported."""


class Written(Draft):
    """How many parts of expressions the calls of a program have put in place."""

    parts: int = 0


class Scope(Record):
    """The names of one text: an entry's in the place of the call at `call`, or any other's."""

    unit: Unit
    queue: ast.Queue | None = None
    entry: ast.Entry | None = None
    call: Span | None = None
    index: ast.Expression | None = None
    values: Mapping[str, ast.Expression] = field(default_factory=dict)
    assigned: frozenset[str] = frozenset()
    """Names that are the queue's: `QUEUE.name`."""
    source: Source | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    """How many parts each name that stands for an expression of the caller's has."""
    written: Written = field(default_factory=Written)

    @property
    def source_name(self) -> str | None:
        """What the entry calls its source."""
        written = None if self.entry is None else self.entry.source
        return None if written is None else written.name

    def binding(self, names: frozenset[str]) -> Scope:
        """The scope inside a hold that binds names."""
        if self.entry is None or self.entry.verb == ROUTE or not names:
            return self
        return replace(self, assigned=self.assigned | names)

    def attribute(self, name: str) -> str:
        """The attribute an assignment means."""
        if self.queue is None or name not in self.assigned:
            return name
        return ast.pool_of(self.queue.name, name)

    def expression(self, root: ast.Expression, *, in_index: bool = False) -> ast.Expression:
        """The expression as it reads at the call."""
        if self.queue is None:
            return root
        self._count(self.size(root))
        where = positions(root)

        def read(node: ast.Expression) -> ast.Expression | None:
            position = where.get(id(node))
            if isinstance(node, ast.Name):
                match position:
                    case None:
                        return self._value(node, in_index=in_index)
                    case Position.POOL:
                        return self._own_pool(node)
                    case Position.STAGE:
                        return self._own_stage(node)
                    case Position.INDEX:
                        return node
            if isinstance(node, ast.Indexed) and position in (Position.POOL, Position.STAGE):
                self._check_member(node, position)
            return None

        return tree.rewrite(root, read)

    def size(self, root: ast.Expression) -> int:
        """How many parts an expression has with its parameters in place."""
        names = (node.name if isinstance(node, ast.Name) else "" for node in tree.nodes(root))
        return sum(self.sizes.get(name, 1) for name in names)

    def _count(self, parts: int) -> None:
        self.written.parts += parts
        if self.written.parts > MOST_PARTS:
            self.unit.findings.report(
                "SQ125",
                "with the arguments in place the calls of entries write out more than a program may"
                f" have ({MOST_PARTS:,} parts)",
                self.call,
            )
            raise TooMuchError

    def pool(self, reference: ast.Reference) -> ast.Reference:
        """A pool that a statement names."""
        if isinstance(reference, ast.Name):
            return self._own_pool(reference) or reference
        self._check_member(reference, Position.POOL)
        return replace(reference, index=self.expression(reference.index, in_index=True))

    def stage(self, reference: ast.Reference) -> ast.Reference:
        """A stage that a statement names."""
        if isinstance(reference, ast.Name):
            return self._own_stage(reference) or reference
        self._check_member(reference, Position.STAGE)
        return replace(reference, index=self.expression(reference.index, in_index=True))

    def member(self, name: str, span: Span) -> ast.Reference:
        """The call's member of one of the queue's pools or stages, by its long name."""
        if self.index is None:
            return ast.Name(name, span)
        self._count(self.sizes.get(SELF, 1))
        return ast.Indexed(name, self.index, span, span)

    def _value(self, name: ast.Name, *, in_index: bool) -> ast.Expression | None:
        """A name that is read as a number."""
        assert self.queue is not None
        if name.name == SELF:
            return self._member_index(name)
        if name.name in self.values:
            return self.values[name.name]
        if name.name == self.source_name and in_index:
            return self._source_index(name)
        if name.name in self.assigned:
            return ast.Name(ast.pool_of(self.queue.name, name.name), name.span)
        return None

    def _member_index(self, name: ast.Name) -> ast.Expression | None:
        assert self.queue is not None
        if self.queue.size is not None:
            return self.index
        self.unit.findings.report(
            "SQ223",
            f"`self` is the index of a family's member, and the queue `{self.queue.name}` is one"
            " queue",
            self.call,
            notes=[Note("it is read here", name.span)],
        )
        return ast.Number(0.0, name.span)

    def _source_index(self, name: ast.Name) -> ast.Expression | None:
        if self.source is None:
            return None
        if self.source.index is not None:
            return self.source.index
        self.unit.findings.report(
            "SQ223",
            f"`{name.name}` is read as an index, and `{self.source.pool.name}` is no member of a"
            " family",
            self.call,
            notes=[Note("it is read here", name.span)],
        )
        return ast.Number(0.0, name.span)

    def _own_pool(self, name: ast.Name) -> ast.Reference | None:
        if self.queue is None:
            return None
        if name.name in self.queue.pools:
            return self.member(ast.pool_of(self.queue.name, name.name), name.span)
        if name.name == self.source_name and self.source is not None:
            return self.source.pool
        return None

    def _own_stage(self, name: ast.Name) -> ast.Reference | None:
        if self.queue is None or name.name != self.queue.name or not self.queue.serves:
            return None
        return self.member(name.name, name.span)

    def may_index(self, reference: ast.Reference) -> bool:
        """Whether a stage or queue may be named by member here; a finding says why not."""
        return isinstance(reference, ast.Name) or self._check_member(reference, Position.STAGE)

    def _check_member(self, reference: ast.Indexed, position: Position) -> bool:
        """Whether a member is of another family: the own pools and stage are the member's."""
        if self.queue is None:
            return True
        name = reference.name
        own = self.queue.pools if position is Position.POOL else (self.queue.name,)
        if name not in own:
            return True
        self.unit.findings.report(
            "SQ223",
            f"`{name}[…]` is read in the queue `{self.queue.name}`, whose {position.value} is the"
            " member's already",
            self.call,
            notes=[Note("it is named here", reference.span)],
            help=f"write `{name}`",
        )
        return False
