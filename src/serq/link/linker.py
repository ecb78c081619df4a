"""Linking: the whole of a syntax tree to an IR and the places of its parts.

The order is that of the parts' dependence: queues, which nothing after them knows, constants,
then names, then expressions, then the checks of the finished IR, which know which parts were
refused already. Depends on all of `serq.link`, and on the checks and lints of `serq.ir`.
"""

from __future__ import annotations

from dataclasses import field

from serq.diagnostics import Diagnostic, has_errors
from serq.ir import nodes as ir
from serq.ir.lints import lint
from serq.ir.spans import SpanTable
from serq.ir.validate import check
from serq.link import names as naming
from serq.link import queues
from serq.link.attributes import assigned_names, number_attributes
from serq.link.bindings import Bindings
from serq.link.constants import link_lets
from serq.link.findings import Findings
from serq.link.gauges import link_gauges
from serq.link.overrides import NO_OVERRIDES, Overrides, overridden_lets
from serq.link.pools import link_pools
from serq.link.run_options import link_run_options
from serq.link.sides import server_of
from serq.link.stages import link_stages
from serq.link.statements import Statements
from serq.link.unit import Unit
from serq.link.workload import link_arrive, link_hidden, link_trace
from serq.records import Draft
from serq.syntax import ast


class LinkResult(Draft):
    """The IR, when nothing was wrong, with the places of its parts; what was found, in the order
    of the text.
    """

    program: ir.Program | None
    spans: SpanTable
    diagnostics: list[Diagnostic] = field(default_factory=list)


def link(program: ast.Program, overrides: Overrides = NO_OVERRIDES) -> LinkResult:
    """Link a program. Never raises: what is wrong with it is in the result's diagnostics."""
    unit = Unit(Findings())
    program = queues.lower(unit, program)
    if has_errors(found := unit.findings.sorted()):
        return LinkResult(None, unit.spans, found)
    linked = _link(unit, program, overrides)
    for diagnostic in check(linked, unit.spans, None, unit.refused):
        unit.findings.add(diagnostic)
    for diagnostic in lint(linked, unit.spans, None, unit.refused):
        unit.findings.add(diagnostic)
    diagnostics = unit.findings.sorted()
    return LinkResult(None if has_errors(diagnostics) else linked, unit.spans, diagnostics)


def _link(unit: Unit, program: ast.Program, overrides: Overrides) -> ir.Program:
    names = unit.names
    workload = program.workload or ast.Workload(None, None, None, None, None, (), program.span)
    parts = _blocks(unit, program)
    bindings = _declare(unit, program, parts, overrides)
    pools = link_pools(unit)
    stages = link_stages(unit)
    arrival = link_arrive(unit, workload.arrive)
    statements = Statements(unit, program, bindings)
    init = statements.workload(workload.init)
    turn = statements.workload(workload.turn)
    session = statements.session(*parts[2])
    options = link_run_options(unit, program, overrides)
    trace, ordered = link_trace(unit, workload.trace)
    if program.share is not None:
        unit.at(("share",), program.share.span)
    return ir.Program(
        attributes=tuple(names.attributes),
        observes=tuple(names.observes),
        pools=pools,
        stages=stages,
        arrival=arrival,
        trace=trace if overrides.trace is None else overrides.trace,
        trace_ordered=ordered,
        init=init,
        turn=turn,
        session=session,
        blocks=tuple(unit.blocks),
        horizon=options.horizon,
        warmup=options.warmup,
        seed=options.seed,
        arrivals=options.arrivals,
        hidden=link_hidden(unit, workload.hidden),
        share=None if program.share is None else program.share.policy,
        gauges=link_gauges(unit, program.gauges),
    )


Part = tuple[ast.Block | None, ast.Block | None]
"""A block, and the server its requests stand for."""


def _blocks(unit: Unit, program: ast.Program) -> tuple[Part, Part, Part]:
    """`init`, `turn` and the session."""
    workload = program.workload
    init = None if workload is None else workload.init
    turn = None if workload is None else workload.turn
    return (init, None), (turn, None), (program.session, server_of(unit, program))


def _declare(
    unit: Unit, program: ast.Program, parts: tuple[Part, ...], overrides: Overrides
) -> Bindings:
    """Make the tables of names; the bindings of every hold, which name attributes too."""
    names, findings = unit.names, unit.findings
    lets = overridden_lets(program, overrides, findings)
    names.later_constants = {let.name: let.name_span for let in lets}
    names.assigned = assigned_names(parts)
    naming.declare_pools(names, program.pools, findings)
    naming.declare_stages(names, program.stages, findings)
    naming.check_constant_names(lets, findings)
    link_lets(unit, lets)
    written = [(block, server) for block, server in parts if block is not None]
    bindings = Bindings(unit)
    bindings.resolve(program, written)
    for block, server in written:
        number_attributes(unit, bindings, block, server)
    naming.check_attribute_names(names, findings)
    return bindings
