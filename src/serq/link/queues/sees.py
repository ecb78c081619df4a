"""An entry sees its own (contract §2, *Queues*): what it may read, hold and assign.

A header reads the parameters, the queue's pools and stage and the constants above; a body reads
`now`, `cached`, the request's hidden attributes and what the entry assigns as well, and nothing
else the session has set. Statements hold, grow, load and release the queue's pools and the pool
its `from` names. Depends on stations, positions and the walks over the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from serq.diagnostics import Note, Span
from serq.link import tree
from serq.link.queues.allocations import acted_on
from serq.link.queues.positions import Position, positions
from serq.link.queues.stations import Stations, assigned
from serq.link.unit import Unit
from serq.records import Draft
from serq.syntax import ast
from serq.vocabulary.attributes import NOT_HIDEABLE
from serq.vocabulary.moments import CONTEXT_VARIABLES, INFINITY

SELF = "self"
MOST_NOTES = 6


class View(Draft):
    """What one entry may read, and what it reads that it may not, in the order of the text."""

    queue: ast.Queue
    entry: ast.Entry
    header: set[str]
    body: set[str]
    in_header: dict[str, Span] = field(default_factory=dict)
    in_body: dict[str, Span] = field(default_factory=dict)
    source_values: list[Span] = field(default_factory=list)
    foreign_pools: dict[str, Span] = field(default_factory=dict)
    kept: dict[str, ast.Binding] = field(default_factory=dict)
    """Bindings that a body reads, which become attributes."""

    @property
    def source(self) -> str | None:
        """The name of what the entry takes with `from`."""
        return None if self.entry.source is None else self.entry.source.name

    def owns(self, name: str) -> bool:
        """Whether a statement of the entry may act on a pool of this name."""
        return name in self.queue.pools or name == self.source


def check_entry(unit: Unit, stations: Stations, queue: ast.Queue, entry: ast.Entry) -> None:
    """Report what an entry reads, holds or assigns that is not its own."""
    own = assigned(entry)
    parameters = {parameter.name for parameter in entry.parameters}
    lets = stations.lets_above(entry)
    context = set(CONTEXT_VARIABLES)
    header = parameters | lets | (context - {"now"}) | NOT_HIDEABLE | {SELF, INFINITY}
    body = header | {"now"} | set(own) | stations.hidden()
    view = View(queue, entry, header, body)
    for statement, bindings in _statements(entry.body, {}):
        _read_statement(stations, view, statement, bindings)
    _check_names(unit, view, own, parameters, lets)
    _check_kept(unit, stations, view, lets)
    _report_reads(unit, view)
    _report_pools(unit, view)


Bindings = Mapping[str, ast.Binding]
"""What the holds around a statement bind at admission, by name."""

NO_BINDINGS: Bindings = {}


def _statements(block: ast.Block, bindings: Bindings) -> Iterator[tuple[ast.Statement, Bindings]]:
    """Every statement in the order of the text, with the bindings of the holds around it."""
    pending: list[tuple[ast.Statement, Bindings]] = [
        (statement, bindings) for statement in reversed(block.statements)
    ]
    while pending:
        statement, around = pending.pop()
        yield statement, around
        inside = around
        if isinstance(statement, ast.Hold) and statement.bindings:
            inside = {**around, **_bound(statement)}
        for inner in reversed(tree.nested(statement)):
            pending.extend((each, inside) for each in reversed(inner.statements))


def _read_statement(
    stations: Stations, view: View, statement: ast.Statement, bindings: Bindings
) -> None:
    for word, pool in acted_on(statement):
        called = word == "from" and isinstance(statement, ast.EntryCall)
        if pool is None or called or view.owns(pool.name):
            continue
        owner = stations.pool_named(pool.name)
        if owner is None or owner[0] is view.queue:
            view.foreign_pools.setdefault(pool.name, _name_span(pool))
    for index in tree.indices(statement):
        _read(view, index, view.in_body, view.body, bindings, in_index=True)
    for expression in tree.expressions(statement):
        _read(view, expression, view.in_body, view.body, bindings)
    if isinstance(statement, ast.Hold):
        own = _bound(statement)
        bound = {**bindings, **own}
        for expression in _admission(statement):
            _read(view, expression, view.in_header, view.header, bound, header_of=own)
        for expression in _ending(statement):
            _read(view, expression, view.in_body, view.body, bound, header_of=own)


def _bound(hold: ast.Hold) -> dict[str, ast.Binding]:
    return {binding.name: binding for binding in hold.bindings}


def _admission(hold: ast.Hold) -> Iterator[ast.Expression]:
    """What is evaluated when a hold is admitted."""
    for pool in hold.pools:
        yield pool.units
        if pool.reserve is not None:
            yield pool.reserve
    if hold.reuse is not None:
        yield hold.reuse


def _ending(hold: ast.Hold) -> Iterator[ast.Expression]:
    """What is evaluated when a hold ends."""
    if hold.cache is not None:
        yield hold.cache
    if hold.lease is not None:
        yield hold.lease.time


def _read(
    view: View,
    root: ast.Expression,
    refused: dict[str, Span],
    legal: set[str],
    bindings: Bindings,
    *,
    in_index: bool = False,
    header_of: Bindings = NO_BINDINGS,
) -> None:
    """Note what an expression reads that it may not; a binding reads what its value reads.

    A binding that is read elsewhere than in the clauses of its own hold is read by a body.
    """
    pending, seen = [root], set[str]()
    while pending:
        expression = pending.pop()
        where = positions(expression)
        for node in tree.nodes(expression):
            if not isinstance(node, ast.Name | ast.Indexed):
                continue
            position = where.get(id(node))
            if position in (Position.POOL, Position.STAGE):
                if node.name not in legal:  # else no pool at all, which linking the call reports
                    _read_state(view, node, position, refused)
            elif isinstance(node, ast.Name) and position is None:
                if node.name in bindings:
                    if node.name not in seen:
                        seen.add(node.name)
                        pending.append(bindings[node.name].value)
                    if node.name not in header_of:
                        view.kept.setdefault(node.name, bindings[node.name])
                elif node.name == view.source:
                    if not in_index:
                        view.source_values.append(node.span)
                elif node.name not in legal:
                    refused.setdefault(node.name, node.span)


def _read_state(
    view: View,
    node: ast.Name | ast.Indexed,
    position: Position | None,
    refused: dict[str, Span],
) -> None:
    """A pool or a stage whose state is read: the queue's own, or the pool of the `from`."""
    own = view.owns(node.name) if position is Position.POOL else node.name == view.queue.name
    if not own:
        refused.setdefault(node.name, node.span)


def _name_span(reference: ast.Reference) -> Span:
    return reference.span if isinstance(reference, ast.Name) else reference.name_span


def _check_names(
    unit: Unit, view: View, own: dict[str, Span], parameters: set[str], lets: set[str]
) -> None:
    """No entry assigns its parameters, nor an attribute with a constant's name."""
    named = dict(own)
    for statement in tree.statements(view.entry.body):
        if isinstance(statement, ast.Hold):
            for binding in statement.bindings:
                if binding.name in parameters:
                    named.setdefault(binding.name, binding.name_span)
    taken = [name for name in named if name in parameters]
    called = _called(view)
    if taken:
        unit.findings.report(
            "SQ142",
            f"the entry `{called}` assigns its parameter `{taken[0]}`",
            view.entry.span,
            notes=[Note("it is assigned here", named[taken[0]])],
            help="a parameter stands for what the caller wrote; give the value another name",
        )
    for name, binding in view.kept.items():
        own.setdefault(name, binding.name_span)
    constants = [name for name in own if name in lets and name not in parameters]
    if constants:
        unit.findings.report(
            "SQ204",
            f"the entry `{called}` sets `{constants[0]}`, which is a constant: a header would read"
            " the constant and the body the attribute",
            view.entry.span,
            notes=[Note("it is set here", own[constants[0]])],
            help="give the attribute another name",
        )


def _check_kept(unit: Unit, stations: Stations, view: View, lets: set[str]) -> None:
    """A binding that a body reads has a name of its own in the whole program."""
    for name, binding in view.kept.items():
        meaning = stations.meaning(name)
        if meaning is None or name in lets:
            continue
        unit.findings.report(
            "SQ130",
            f"the body reads `{name}`, which is bound at admission and is also {meaning}; it could"
            " not say which it means",
            binding.name_span,
            help="give the binding another name",
        )


def _called(view: View) -> str:
    return f"{view.queue.name}.{view.entry.verb}"


def _report_reads(unit: Unit, view: View) -> None:
    if view.source_values:
        unit.findings.report(
            "SQ223",
            f"the entry `{_called(view)}` reads `{view.source}` as a number: it is the pool the"
            " request's KV is in, and in an index the member of its queue",
            view.entry.span,
            notes=[Note("it is read here", span) for span in view.source_values[:MOST_NOTES]],
        )
    reads = {**view.in_body, **view.in_header}
    if not reads:
        return
    spans = sorted(reads.items(), key=lambda item: item[1].start)
    listed = ", ".join(f"`{name}`" for name, _ in spans[:MOST_NOTES])
    notes = [Note(_why(view, name), span) for name, span in spans[:MOST_NOTES]]
    unit.findings.report(
        "SQ140",
        f"the entry `{_called(view)}` reads {listed}, and an entry sees its own",
        view.entry.span,
        notes=notes,
        help=_way_out(view, spans[0][0]),
    )


def _why(view: View, name: str) -> str:
    if "." in name:
        return f"`{name}` is read here, of a queue: what one needs of another its caller passes on"
    if name in view.in_header:
        return (
            f"`{name}` is read here at admission, where an entry sees its parameters, its queue's"
            " pools and stage, and the constants above"
        )
    return (
        f"`{name}` is read here, and is no parameter, no hidden attribute, no constant above and"
        " nothing the entry sets"
    )


def _way_out(view: View, name: str) -> str:
    if "." in name:
        return "read it where the entry is called, and pass the value"
    parameters = ", ".join(f"`{parameter.name}`" for parameter in view.entry.parameters)
    return f"the caller passes what the entry needs in {parameters or 'an argument'}"


def _report_pools(unit: Unit, view: View) -> None:
    if not view.foreign_pools:
        return
    spans = sorted(view.foreign_pools.items(), key=lambda item: item[1].start)
    pools = ", ".join(f"`{pool}`" for pool in view.queue.pools)
    has = f"its pools are {pools}" if pools else "it has none"
    source = "" if view.source is None else f", and `{view.source}` is what it takes"
    unit.findings.report(
        "SQ141",
        f"the entry `{_called(view)}` acts on `{spans[0][0]}`, which is no pool of the queue",
        view.entry.span,
        notes=[Note("it is named here", span) for _, span in spans[:MOST_NOTES]],
        help=f"{has}{source}",
    )
