"""A call and the entry it enters: which there is, with which member, arguments and source
(contract §2, *Queues*).

Everything that is wrong with a call is reported where the call begins. Depends on stations,
scopes and leases.
"""

from __future__ import annotations

from dataclasses import replace

from serq.diagnostics import Note, nearest
from serq.link import tree
from serq.link.queues.leases import entry_without_lease, leased_pool
from serq.link.queues.scope import Scope, Source
from serq.link.queues.sees import SELF
from serq.link.queues.stations import ROUTE, Stations, assigned
from serq.link.unit import Unit
from serq.syntax import ast


def enter(unit: Unit, stations: Stations, call: ast.EntryCall, outer: Scope) -> Scope | None:
    """The scope of the entry that a call in `outer` enters; None, with a finding, when it can not
    be entered.
    """
    name = call.queue.name
    queue = stations.queues.get(name)
    if queue is None:
        guess = nearest(name, stations.queues)
        listed = ", ".join(f"`{each}`" for each in stations.queues)
        _refuse(
            unit,
            call,
            "SQ220",
            f"`{name}.{call.verb}` calls a queue, and no queue `{name}` is declared",
            help=f"did you mean `{guess}`?"
            if guess
            else (f"the queues are {listed}" if listed else "the program declares no queue"),
        )
        return None
    if not outer.may_index(call.queue):
        return None
    entry = _entry(unit, queue, call)
    if entry is None or not _fits(unit, queue, entry, call):
        return None
    source = None
    if call.source is not None:
        source = _source(unit, stations, call, call.source, outer)
        if source is None:
            return None
    index = None
    if isinstance(call.queue, ast.Indexed):
        index = outer.expression(call.queue.index, in_index=True)
    values = {
        parameter.name: outer.expression(argument)
        for parameter, argument in zip(entry.parameters, call.arguments, strict=True)
    }
    scope = scope_of(unit, queue, entry, call, outer, index=index, values=values)
    sizes = {
        parameter.name: outer.size(argument)
        for parameter, argument in zip(entry.parameters, call.arguments, strict=True)
    }
    if index is not None:
        sizes[SELF] = outer.size(call.queue)
    if source is not None and entry.source is not None and call.source is not None:
        sizes[entry.source.name] = outer.size(call.source)
    return replace(scope, source=source, sizes=sizes)


def scope_of(
    unit: Unit,
    queue: ast.Queue,
    entry: ast.Entry,
    call: ast.EntryCall | ast.Request,
    outer: Scope,
    *,
    index: ast.Expression | None = None,
    values: dict[str, ast.Expression] | None = None,
) -> Scope:
    """The scope of an entry in the place of a call or a request."""
    own = frozenset[str]() if entry.verb == ROUTE else frozenset(assigned(entry))
    place = call.gateway.span if isinstance(call, ast.Request) and call.gateway else call.span
    return Scope(unit, queue, entry, place, index, values or {}, own, written=outer.written)


def _entry(unit: Unit, queue: ast.Queue, call: ast.EntryCall) -> ast.Entry | None:
    """The entry of the call's verb: for a decode with `from`, the one that takes a source."""
    of_verb = [entry for entry in queue.entries if entry.verb == call.verb]
    taking = call.source is not None and call.verb != "transfer"
    for entry in of_verb:
        if (entry.source is not None) == taking:
            return entry
    if of_verb:
        found = f"the queue `{queue.name}` has no `{call.verb}` that takes a `from`"
        way_out = "declare one, such as `decode (prompt) from src { … }`"
        if of_verb[0].source is not None:
            found = f"the queue `{queue.name}` has only a `{call.verb}` that takes a `from`"
            way_out = "say where the KV is: `from QUEUE`"
    else:
        found = f"the queue `{queue.name}` has no entry `{call.verb}`"
        verbs = list(dict.fromkeys(entry.verb for entry in queue.entries))
        guess = nearest(call.verb, verbs)
        way_out = f"did you mean `{guess}`?" if guess else ""
        if not guess and verbs:
            way_out = "its entries are " + ", ".join(f"`{verb}`" for verb in verbs)
        if call.verb == "transfer" and "link" in queue.roles:
            way_out = f"its `serve` is what a transfer costs: `transfer on {queue.name} …`"
    _refuse(unit, call, "SQ221", found, notes=(_declared(queue),), help=way_out or None)
    return None


def _fits(unit: Unit, queue: ast.Queue, entry: ast.Entry, call: ast.EntryCall) -> bool:
    """Whether the call names a member, passes what the entry takes, and draws nothing."""
    called = f"{queue.name}.{entry.verb}"
    if not _names_member(unit, queue, call.queue, call, f"`{called}`"):
        return False
    if call.target is not None and call.verb != "transfer":
        _refuse(unit, call, "SQ143", f"`to` says where a link's `transfer` goes, not `{called}`")
        return False
    if call.verb == "transfer" and (call.source is None or call.target is None):
        _refuse(
            unit,
            call,
            "SQ143",
            f"`{called}` says whence and where the KV goes",
            help=f"write `{called} (n) from P to Q (m);`",
        )
        return False
    if len(call.arguments) != len(entry.parameters):
        takes, found = len(entry.parameters), len(call.arguments)
        plural = "" if takes == 1 else "s"
        found_text = f"`{called}` takes {takes} argument{plural}, found {found}"
        _refuse(unit, call, "SQ208", found_text, notes=(_declared(queue),))
        return False
    for parameter, argument in zip(entry.parameters, call.arguments, strict=True):
        if any(isinstance(node, ast.Draw) for node in tree.nodes(argument)):
            _refuse(
                unit,
                call,
                "SQ302",
                f"the argument for `{parameter.name}` of `{called}` draws, and is put in the place"
                " of its name: a name read twice would draw twice",
                help="`set` the draw first and pass the attribute",
            )
            return False
    return True


def _names_member(
    unit: Unit,
    queue: ast.Queue,
    reference: ast.Reference,
    call: ast.EntryCall,
    what: str,
) -> bool:
    """Whether a reference names one member of a family, or a single queue."""
    indexed = isinstance(reference, ast.Indexed)
    if queue.size is not None and not indexed:
        _refuse(
            unit,
            call,
            "SQ211",
            f"{what}: `{queue.name}` is a family of {queue.size}; say which member",
            notes=(_declared(queue),),
            help=f"write `{queue.name}[0]`, or an index that was chosen",
        )
        return False
    if queue.size is None and indexed:
        _refuse(
            unit,
            call,
            "SQ210",
            f"{what}: `{queue.name}` is one queue and has no members",
            notes=(_declared(queue),),
            help=f"write `{queue.name}`, or declare a family `queue {queue.name}[1]`",
        )
        return False
    return True


def _source(
    unit: Unit,
    stations: Stations,
    call: ast.EntryCall,
    written: ast.Reference,
    outer: Scope,
) -> Source | None:
    """What a `from` takes: the pool a queue leases, or a pool by its name."""
    queue = stations.queues.get(written.name)
    owned = outer.queue is not None and written.name in outer.queue.pools
    if queue is None or owned or written.name == outer.source_name:
        of_queue = outer.source.queue if _is_source(outer, written) and outer.source else None
        return Source(outer.pool(written), of_queue)
    what = f"`from {queue.name}`"
    if not _names_member(unit, queue, written, call, what):
        return None
    pool = leased_pool(queue)
    if pool is None:
        _refuse(
            unit,
            call,
            "SQ144",
            f"{what} takes what `{queue.name}` leases, and none of its entries leases a pool",
            notes=(_declared(queue),),
            help="let the hold of the KV end with `lease kv (inf)`",
        )
        return None
    without = entry_without_lease(queue, pool)
    if without is not None:
        _refuse(
            unit,
            call,
            "SQ144",
            f"{what} takes `{pool}`, and there is a way through `{queue.name}.{without.verb}` that"
            " does not lease it",
            notes=(Note("this entry", without.span),),
            help=f"every way through every entry of `{queue.name}` leases `{pool}`",
        )
        return None
    name = ast.pool_of(queue.name, pool)
    if isinstance(written, ast.Indexed):
        index = outer.expression(written.index, in_index=True)
        return Source(ast.Indexed(name, index, written.span, written.name_span), queue.name)
    return Source(ast.Name(name, written.span), queue.name)


def _is_source(outer: Scope, written: ast.Reference) -> bool:
    return isinstance(written, ast.Name) and written.name == outer.source_name


def _declared(queue: ast.Queue) -> Note:
    return Note(f"`{queue.name}` is declared here", queue.name_span)


def _refuse(
    unit: Unit,
    call: ast.EntryCall,
    code: str,
    message: str,
    *,
    notes: tuple[Note, ...] = (),
    help: str | None = None,
) -> None:
    unit.findings.report(code, message, call.span, notes=notes, help=help)
