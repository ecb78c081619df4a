"""The workload: arrivals, the trace and the hidden attributes (contract §2, *wlitem*).

Depends on constants, expressions and the unit.
"""

from __future__ import annotations

from serq.diagnostics import Note, Span, nearest
from serq.ir import nodes as ir
from serq.link import constants
from serq.link.expressions import link_expression
from serq.link.unit import Unit
from serq.syntax import ast
from serq.vocabulary.attributes import NOT_HIDEABLE


def link_arrive(unit: Unit, arrive: ast.Arrive | None) -> ir.Arrival:
    """`arrive …`; nobody arrives where nothing is said."""
    if arrive is None:
        return ir.NoArrivals()
    unit.at(("arrival",), arrive.span)
    argument = arrive.argument
    if arrive.kind == "trace":
        return link_trace_arrivals(unit, argument)
    if argument is None:
        return ir.NoArrivals()
    match arrive.kind:
        case "poisson":
            return link_poisson(unit, argument)
        case "renewal":
            return ir.Renewal(link_expression(unit, argument, ("arrival", "gap")))
        case "closed":
            population = constants.whole(unit, argument, "the closed population", least=0)
            return ir.Closed(_or_refused(unit, population))
        case "batch":
            size = constants.whole(unit, argument, "the size of the batch", least=0)
            return ir.Batch(_or_refused(unit, size))
        case _:
            return ir.NoArrivals()


def link_poisson(unit: Unit, argument: ast.Expression) -> ir.Poisson:
    """`arrive poisson (rate)`."""
    unit.at(("arrival", "rate"), argument.span)
    rate = constants.evaluate(unit, argument, "the arrival rate")
    if rate is None:
        unit.refused.add(("arrival",))
    return ir.Poisson(1.0 if rate is None else rate)


def link_trace_arrivals(unit: Unit, scale: ast.Expression | None) -> ir.TraceArrivals:
    """`arrive trace [scale (x)]`."""
    if scale is None:
        return ir.TraceArrivals(1.0)
    unit.at(("arrival", "scale"), scale.span)
    value = constants.evaluate(unit, scale, "the scale of the trace's times")
    if value is None:
        unit.refused.add(("arrival",))
    return ir.TraceArrivals(1.0 if value is None else value)


def _or_refused(unit: Unit, count: int | None) -> int:
    if count is None:
        unit.refused.add(("arrival",))
        return 1
    return count


def link_trace(unit: Unit, trace: ast.Trace | None) -> tuple[str | None, bool]:
    """`trace "path" [ordered]`: the path as written, and whether it is replayed in order."""
    if trace is None:
        return None, False
    unit.at(("trace",), trace.span)
    return trace.path, trace.ordered


def link_hidden(unit: Unit, hidden: tuple[ast.Hidden, ...]) -> tuple[int, ...]:
    """`hidden name, …`: the slots of attributes the scheduler may not read."""
    slots: list[int] = []
    for item in hidden:
        slot = unit.names.attributes.get(item.name)
        if slot is None:
            _unknown_hidden(unit, item)
        else:
            unit.at(("hidden", len(slots)), item.span)
            slots.append(slot)
    return tuple(slots)


def _unknown_hidden(unit: Unit, item: ast.Hidden) -> None:
    attributes = [name for name in unit.names.attributes if name not in NOT_HIDEABLE]
    near = nearest(item.name, attributes)
    span: Span | None = None if near is None else unit.names.attribute_spans.get(near)
    unit.findings.report(
        "SQ201",
        f"`{item.name}` is no attribute: no `set` and no `choose` assigns it",
        item.span,
        notes=[] if span is None else [Note(f"`{near}` is assigned here", span)],
        help=f"assign `{item.name}`, or hide it no more"
        if near is None
        else f"did you mean `{near}`?",
    )
