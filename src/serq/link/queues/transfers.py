"""`transfer`: the link takes the time, the tokens count as computed where they go, the source is
given back (contract §2, *The serving vocabulary* and *Queues*).

Over stages named with `on` the links among them wait first. In an entry that takes a source and
names no stage, it is the read of a pull relation. Elsewhere the stage that plays the role is the
linker's to find, as for any serving form. Depends on scopes and stations.
"""

from __future__ import annotations

from serq.diagnostics import Note, Span
from serq.link.queues.scope import Scope
from serq.link.queues.stations import Stations
from serq.link.unit import Unit
from serq.syntax import ast

ROLE = "transfer"


def lower_transfer(
    unit: Unit, stations: Stations, transfer: ast.Transfer, scope: Scope
) -> tuple[ast.Statement, ...]:
    """The kernel statements, or nothing, with a finding, where there is no way to go."""
    runs = _runs(unit, stations, transfer, scope)
    if runs is None:
        return ()
    span = transfer.span
    tokens = scope.expression(transfer.tokens)
    return (
        *runs,
        ast.Load(scope.pool(transfer.target), tokens, span),
        ast.Release(scope.pool(transfer.source), span),
    )


def _runs(
    unit: Unit, stations: Stations, transfer: ast.Transfer, scope: Scope
) -> tuple[ast.Statement, ...] | None:
    """What takes the time."""
    span, work = transfer.span, scope.expression(transfer.work)
    if transfer.on:
        _check_declared(unit, stations, transfer)
        stages = tuple(scope.stage(stage) for stage in transfer.on)
        waits = (_wait(stage, "latency", span) for stage in stages if stations.waits(stage.name))
        return (*waits, ast.Run(stages, "plain", work, None, span))
    if transfer.index is None and scope.source_name is not None:
        return _read(unit, stations, transfer, scope, work)
    index = None
    if transfer.index is not None:
        index = scope.expression(transfer.index, in_index=True)
    form = ast.Serving(ROLE, index, None, work, None, transfer.declared, span, transfer.role_span)
    return (form,)


def _check_declared(unit: Unit, stations: Stations, transfer: ast.Transfer) -> None:
    """The stages of `on` stand above, like those of any serving form."""
    stages = stations.program.stages
    above = {stage.name for stage in stages[: transfer.declared]}
    below = {stage.name: stage for stage in stages[transfer.declared :]}
    for named in transfer.on:
        if named.name in below and named.name not in above:
            unit.findings.report(
                "SQ206",
                f"the stage `{named.name}` is declared below this transfer; a serving form names a"
                " stage declared above it",
                named.span if isinstance(named, ast.Name) else named.name_span,
                notes=[Note("it is declared here", below[named.name].name_span)],
                help=f"move the declaration of `{named.name}` above",
            )


def _wait(stage: ast.Reference, part: str, span: Span) -> ast.Run:
    """The wait at a link before a transfer over it."""
    name = ast.pool_of(stage.name, part)
    delay: ast.Reference = ast.Name(name, stage.span)
    if isinstance(stage, ast.Indexed):
        delay = ast.Indexed(name, stage.index, stage.span, stage.name_span)
    return ast.Run((delay,), "plain", ast.Name(ast.time_of(name), span), None, span)


def _read(
    unit: Unit,
    stations: Stations,
    transfer: ast.Transfer,
    scope: Scope,
    work: ast.Expression,
) -> tuple[ast.Statement, ...] | None:
    """The read of a pull relation: the reader waits, and the bytes go over both NICs."""
    queue, source = scope.queue, scope.source
    assert queue is not None
    if transfer.source.name != scope.source_name:
        unit.findings.report(
            "SQ146",
            f"the read takes from `{transfer.source.name}`, and what the entry was called with is"
            f" `{scope.source_name}`",
            transfer.source.span,
            help=f"write `from {scope.source_name}`, or name the stages: `transfer on …`",
        )
        return None
    pull = stations.pulls.get(queue.name)
    here = [Note("the transfer", transfer.role_span)]
    if pull is None:
        unit.findings.report(
            "SQ146",
            f"a transfer in `{queue.name}` names no stage, and `{queue.name}` pulls from no queue",
            scope.call,
            notes=here,
            help=f"declare `{queue.name} pull QUEUE share maxmin;`, or write `transfer on …`",
        )
        return None
    if source is None or source.queue != pull.source.name:
        found = "no queue" if source is None else f"`{source.pool.name}`"
        unit.findings.report(
            "SQ146",
            f"`{queue.name}` pulls from `{pull.source.name}`, and this call takes from {found}",
            scope.call,
            notes=[*here, Note("the relation", pull.span)],
        )
        return None
    span = transfer.span
    nic = scope.member(ast.pool_of(queue.name, "nic"), span)
    other = ast.pool_of(pull.source.name, "nic")
    far: ast.Reference = ast.Name(other, span)
    if source.index is not None:
        far = ast.Indexed(other, source.index, span, span)
    read = ast.Run((far, nic), "plain", work, None, span)
    if pull.latency is None:
        return (read,)
    delay = scope.member(ast.pool_of(queue.name, "nic.latency"), span)
    time = ast.Name(ast.time_of(ast.pool_of(queue.name, "pull")), span)
    return (ast.Run((delay,), "plain", time, None, span), read)
