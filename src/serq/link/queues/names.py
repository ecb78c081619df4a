"""Names of queues read outside their entries: moments, pools and members (contract §2, *Queues*).

A moment is the request's and has no member; a pool is held by its queue's entries alone. Depends
on stations, positions and the walks over the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from serq.diagnostics import Note, Span, nearest
from serq.link import tree
from serq.link.queues.allocations import acted_on
from serq.link.queues.positions import Position, positions
from serq.link.queues.stations import ROUTE, Stations, bodies, moments
from serq.link.unit import Unit
from serq.syntax import ast


def check_names(unit: Unit, stations: Stations) -> None:
    """Report what is read of a queue that it does not have, in every text of the program."""
    known = {name: moments(queue) for name, queue in stations.queues.items()}
    for block in bodies(stations.program):
        for statement in tree.statements(block):
            for expression in _expressions(statement):
                _check_reads(unit, stations, known, expression)
    for block in (*bodies(stations.program), *_entries(stations)):
        for statement in tree.statements(block):
            for reference in tree.references(statement):
                if isinstance(reference, ast.Indexed):
                    _check_member(unit, stations, reference)
            for expression in _expressions(statement):
                _check_members(unit, stations, expression)
    for gauge in stations.program.gauges:
        _check_members(unit, stations, gauge.value)


def check_holds(unit: Unit, stations: Stations) -> None:
    """Report a pool of a queue that anything but an entry of it acts on."""
    owners = {id(entry.body): queue for queue in stations.program.queues for entry in queue.entries}
    for block in (*bodies(stations.program), *_entries(stations)):
        own = owners.get(id(block))
        for statement in tree.statements(block):
            for word, reference in acted_on(statement):
                if reference is None:
                    continue
                found = stations.pool_named(reference.name)
                if found is not None and found[0] is not own:
                    _refuse_hold(unit, word, reference, *found)


def _entries(stations: Stations) -> Iterator[ast.Block]:
    for queue in stations.program.queues:
        yield from (entry.body for entry in queue.entries if entry.verb != ROUTE)


def _expressions(statement: ast.Statement) -> Iterator[ast.Expression]:
    yield from tree.indices(statement)
    yield from tree.expressions(statement)
    if isinstance(statement, ast.Hold):
        yield from tree.header(statement)
        yield from (binding.value for binding in statement.bindings)


def _check_reads(
    unit: Unit, stations: Stations, moments_of: Mapping[str, set[str]], root: ast.Expression
) -> None:
    """A value `QUEUE.name` is a moment the queue marks, or an attribute it sets."""
    where = positions(root)
    for node in tree.nodes(root):
        if not isinstance(node, ast.Name) or id(node) in where or "." not in node.name:
            continue
        owner, _, name = node.name.partition(".")
        queue = stations.queues.get(owner)
        if queue is None or name in queue.pools:
            continue
        known = moments_of[owner]
        if name in known:
            continue
        guess = nearest(name, known)
        listed = ", ".join(f"`{owner}.{each}`" for each in sorted(known))
        unit.findings.report(
            "SQ201",
            f"`{node.name}` is read, and no entry of `{owner}` marks or sets `{name}`",
            node.span,
            notes=[Note(f"`{owner}` is declared here", queue.name_span)],
            help=f"did you mean `{owner}.{guess}`?"
            if guess
            else (f"there are {listed}" if listed else f"`mark {name};` in an entry names it"),
        )


def _check_members(unit: Unit, stations: Stations, root: ast.Expression) -> None:
    where = positions(root)
    for node in tree.nodes(root):
        if isinstance(node, ast.Indexed) and where.get(id(node)) is not Position.INDEX:
            _check_member(unit, stations, node)


def _check_member(unit: Unit, stations: Stations, reference: ast.Indexed) -> None:
    """`QUEUE[i].name` is a member of a pool, and of nothing else."""
    owner, _, name = reference.name.partition(".")
    queue = stations.queues.get(owner)
    if queue is None or not name or name in queue.pools:
        return
    span = reference.span
    part = Span(span.source, span.end - len(name), span.end, span.expansion)
    unit.findings.report(
        "SQ223",
        f"`{owner}[…].{name}` is no pool of `{owner}`: only a queue's pools and its stage are named"
        " by member",
        part,
        help=f"what a queue marks or sets is read as `{owner}.{name}`",
    )


def _refuse_hold(
    unit: Unit, word: str, reference: ast.Reference, queue: ast.Queue, pool: str
) -> None:
    span: Span = reference.span if isinstance(reference, ast.Name) else reference.name_span
    verbs = [entry.verb for entry in queue.entries]
    unit.findings.report(
        "SQ141",
        f"`{word} {reference.name}`: `{pool}` is a pool of the queue `{queue.name}`, and only its"
        " entries act on it",
        span,
        notes=[Note(f"`{queue.name}` is declared here", queue.name_span)],
        help=f"call an entry, such as `{queue.name}.{verbs[0]} (…)`" if verbs else None,
    )
