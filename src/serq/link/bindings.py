"""`at admission (x = e, …)`: names a hold's header is written in (contract §3, *at admission*).

A binding is substituted into the header; one the body reads is set at the body's top and becomes
an attribute. So it may not draw, sees only the bindings before it, and a body reads only those
whose value is the same there as at the admission. Depends on the unit, aggregates, sides and
`serq.link.tree`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from serq.diagnostics import Note, Span
from serq.ir.recursion import Recursive, run
from serq.link import aggregates, tree
from serq.link.names import REFUSED
from serq.link.sides import spliced
from serq.link.unit import Unit
from serq.records import Draft, Record
from serq.syntax import ast
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES, CACHED
from serq.vocabulary.functions import FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES

Reads = dict[str, Span]
"""Names that are read, and where first."""


class Clause(Record):
    """The bindings of one hold: the value of each in terms of what is around the hold, and those
    the body reads, in the order of the clause.

    `refused` holds the names of those that the body should not read.
    """

    values: dict[str, ast.Expression] = field(default_factory=dict)
    sets: tuple[ast.Binding, ...] = ()
    refused: frozenset[str] = frozenset()


NO_BINDINGS = Clause()


class Bindings(Draft):
    """The clauses of a program's holds."""

    unit: Unit
    clauses: dict[int, Clause] = field(default_factory=dict)
    read_by_bodies: list[tuple[ast.Binding, Span]] = field(default_factory=list)

    def of(self, hold: ast.Hold) -> Clause:
        """The clause of a hold of the program."""
        return self.clauses.get(id(hold), NO_BINDINGS)

    def resolve(
        self, program: ast.Program, parts: Iterable[tuple[ast.Block, ast.Block | None]]
    ) -> None:
        """Resolve the clauses of all holds in blocks, each with its server."""
        if not any(_has_bindings(each) for part in parts for each in part if each is not None):
            return
        reads = self._reads_of_declarations(program)
        for block, server in parts:
            _add(reads, run(self._block(block, server)))
        self._check_strays(reads)

    def _reads_of_declarations(self, program: ast.Program) -> Reads:
        """The names that pools, stages and arrivals read; a gauge reads no attribute at all."""
        reads: Reads = {}
        for pool in program.pools:
            _add_all(reads, tree.pool_expressions(pool))
        for stage in program.stages:
            _add_all(reads, tree.stage_expressions(stage))
        workload = program.workload
        if workload is not None and workload.arrive is not None and workload.arrive.argument:
            _add(reads, tree.free_names(workload.arrive.argument))
        return reads

    def _check_strays(self, reads: Reads) -> None:
        """A name that a body's binding sets is not read where no hold binds it."""
        for binding, span in self.read_by_bodies:
            if binding.name in reads:
                self.unit.findings.report(
                    "SQ130",
                    f"`{binding.name}` is bound for this hold and its body, and is read outside "
                    "of them",
                    span,
                    notes=[Note("it is read here", reads[binding.name])],
                    help="name a value for the rest of the session with `set`",
                )

    def _block(self, block: ast.Block, server: ast.Block | None) -> Recursive[Reads]:
        reads: Reads = {}
        for statement, inner_server in spliced(self.unit, block, server):
            if isinstance(statement, ast.Hold):
                found = yield self._hold(statement, inner_server)
                _add(reads, found)
                continue
            _add_all(reads, tree.indices(statement))
            _add_all(reads, tree.expressions(statement))
            for inner in tree.nested(statement):
                found = yield self._block(inner, inner_server)
                _add(reads, found)
        return reads

    def _hold(self, hold: ast.Hold, server: ast.Block | None) -> Recursive[Reads]:
        reads: Reads = {}
        _add_all(reads, tree.indices(hold))
        values = self._values(hold)
        in_header: Reads = {}
        _add_all(in_header, tree.header(hold))
        _add(reads, {name: span for name, span in in_header.items() if name not in values})
        in_body = yield self._block(hold.body, server)
        sets = tuple(binding for binding in _last(hold) if binding.name in in_body)
        substituted = {name for name in values if name in in_header or name in in_body}
        for name in substituted:
            _add(reads, tree.free_names(values[name]))
        _add(reads, {name: span for name, span in in_body.items() if name not in values})
        refused = {
            binding.name for binding in sets if not self._may_be_set(binding, values[binding.name])
        }
        if values:
            self.clauses[id(hold)] = Clause(values, sets, frozenset(refused))
        return reads

    def _values(self, hold: ast.Hold) -> dict[str, ast.Expression]:
        """The value of every binding, the ones before it substituted."""
        values: dict[str, ast.Expression] = {}
        sizes: dict[str, int] = {}
        for position, binding in enumerate(hold.bindings):
            before, after = hold.bindings[:position], hold.bindings[position + 1 :]
            value = aggregates.expand(self.unit, binding.value)
            if not self._check(binding, before, after):
                value = ast.Name(REFUSED, binding.value.span)
            size = _size(value, sizes)
            if self._too_large(size, f"`{binding.name}`", binding.name_span):
                value, size = ast.Name(REFUSED, binding.value.span), 1
            values[binding.name] = tree.substitute(value, values)
            sizes[binding.name] = size
        size = sum(_size(expression, sizes) for expression in tree.header(hold)) if values else 0
        if self._too_large(size, "the header", hold.span):
            values = {name: ast.Name(REFUSED, hold.span) for name in values}
        return values

    def _too_large(self, size: int, what: str, span: Span) -> bool:
        """Whether substitution passes what a program may write out; a finding says so."""
        self.unit.written_out += size
        if self.unit.written_out <= aggregates.MOST_NODES:
            return False
        self.unit.written_out -= size
        self.unit.findings.report(
            "SQ125",
            f"with its bindings substituted {what} writes out more than a program may have "
            f"({aggregates.MOST_NODES:,} parts)",
            span,
        )
        return True

    def _check(
        self,
        binding: ast.Binding,
        before: tuple[ast.Binding, ...],
        after: tuple[ast.Binding, ...],
    ) -> bool:
        """A binding has a name of its own in the clause, does not draw, reads none after it."""
        once = self._check_once(binding, before)
        drawless = self._check_draws(binding)
        return self._check_order(binding, before, after) and once and drawless

    def _check_once(self, binding: ast.Binding, before: tuple[ast.Binding, ...]) -> bool:
        for other in before:
            if other.name == binding.name:
                self.unit.findings.report(
                    "SQ130",
                    f"`{binding.name}` is bound twice in one clause",
                    binding.name_span,
                    notes=[Note("bound here first", other.name_span)],
                )
                return False
        return True

    def _check_draws(self, binding: ast.Binding) -> bool:
        for node in tree.nodes(binding.value):
            if isinstance(node, ast.Draw):
                self.unit.findings.report(
                    "SQ302",
                    f"`{binding.name}` draws; a binding is written in the place of its name, so "
                    "a name read twice would draw twice",
                    node.span,
                    help="draw into an attribute above the hold: `set x = ~…;`",
                )
                return False
        return True

    def _check_order(
        self,
        binding: ast.Binding,
        before: tuple[ast.Binding, ...],
        after: tuple[ast.Binding, ...],
    ) -> bool:
        earlier = {other.name for other in before}
        later = {other.name: other for other in after if other.name not in earlier}
        for name in tree.free_names(binding.value):
            if name in later:
                self.unit.findings.report(
                    "SQ130",
                    f"`{binding.name}` reads `{name}`, which is bound after it; a binding reads "
                    "the ones before it",
                    binding.name_span,
                    notes=[Note(f"`{name}` is bound here", later[name].name_span)],
                    help=f"move `{name} = …` before `{binding.name} = …`",
                )
                return False
        return True

    def _may_be_set(self, binding: ast.Binding, value: ast.Expression) -> bool:
        """Whether the body may read a binding: its name is its own, its value the same there."""
        place = self.unit.findings.place(binding.name_span)
        report = self.unit.findings.report
        of_queue = "." in binding.name  # as an entry writes it, the name has been checked
        meaning = None if of_queue else self.unit.names.meaning(binding.name)
        live = _live(value)
        if meaning is not None:
            report(
                "SQ130",
                f"the body reads `{binding.name}`, which is also {meaning}; it could not say "
                "which it means",
                binding.name_span,
                help="rename the binding",
            )
        elif binding.name in tree.free_names(value):
            message = f"the binding `{binding.name}` reads itself"
            report("SQ130", message, binding.name_span, help="rename the binding")
        elif live is not None:
            report(
                "SQ131",
                f"the body reads `{binding.name}`, and `{binding.name}` reads `{live}`, which has "
                "another value in the body than at the admission",
                binding.name_span,
                help="in the body read `cached`, the units the admission consumed"
                if live in ("cached", "cachedin")
                else "set an attribute at the top of the body instead",
            )
        else:
            self.read_by_bodies.append((binding, place))
            return True
        return False


def _has_bindings(block: ast.Block) -> bool:
    return any(isinstance(each, ast.Hold) and each.bindings for each in tree.statements(block))


def _last(hold: ast.Hold) -> Iterable[ast.Binding]:
    """The bindings in the order of the clause; of two with one name, the last."""
    return {binding.name: binding for binding in hold.bindings}.values()


def _size(value: ast.Expression, sizes: dict[str, int]) -> int:
    """How many nodes a value has when the bindings it reads are written out."""
    size = 0
    for node in tree.nodes(value):
        size += sizes.get(node.name, 1) if isinstance(node, ast.Name) else 1
    return size


def _live(value: ast.Expression) -> str | None:
    """What a value reads that an admission changes: the state, the clock or `cached`."""
    for node in tree.nodes(value):
        if isinstance(node, ast.Call):
            function = FUNCTIONS.get(node.function)
            if function is not None and function.live:
                return node.function
        elif isinstance(node, ast.Name) and (
            node.name in CONTEXT_VARIABLES or node.name == BUILTIN_ATTRIBUTES[CACHED]
        ):
            return node.name
    return None


def _add(reads: Reads, more: Reads) -> None:
    for name, span in more.items():
        reads.setdefault(name, span)


def _add_all(reads: Reads, expressions: Iterable[ast.Expression]) -> None:
    for expression in expressions:
        _add(reads, tree.free_names(expression))
