"""Gauges: named functions of the deployment's state (contract §3, *Gauges*). Depends on
expressions and the unit.
"""

from __future__ import annotations

from collections.abc import Iterable

from serq.ir import nodes as ir
from serq.link.expressions import link_expression
from serq.link.unit import Unit
from serq.syntax import ast


def link_gauges(unit: Unit, gauges: Iterable[ast.Gauge]) -> tuple[ir.Gauge, ...]:
    """Every `gauge name = value;`."""
    linked: list[ir.Gauge] = []
    for i, gauge in enumerate(gauges):
        unit.at(("gauges", i), gauge.name_span)
        linked.append(
            ir.Gauge(gauge.name, link_expression(unit, gauge.value, ("gauges", i, "value")))
        )
    return tuple(linked)
