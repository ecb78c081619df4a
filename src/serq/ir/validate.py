"""The checks of a finished IR: whatever passes is safe to run (contract §2 and §3).

The same rules hold for an IR from text and for one from a stranger's JSON; with the places of a
text a finding says where it was written. Each rule is stated here once. Depends on the nodes,
their walk, `serq.vocabulary` and diagnostics.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from serq.diagnostics import Diagnostic
from serq.ir.nodes import Program
from serq.ir.spans import Path, SpanTable
from serq.ir.validate_blocks import check_blocks
from serq.ir.validate_flows import check_flows
from serq.ir.validate_pools import check_pools
from serq.ir.validate_program import check_gauges, check_hidden, check_run, check_slots
from serq.ir.validate_report import Checks
from serq.ir.validate_scopes import check_scopes
from serq.ir.validate_stages import check_stages
from serq.ir.validate_workload import check_arrival, check_arrivals


def validate(
    program: Program, spans: SpanTable | None = None, name: str | None = None
) -> list[Diagnostic]:
    """What is wrong with a program. `name` stands for the file where no place is known."""
    return check(program, spans, name, frozenset())


def check(
    program: Program, spans: SpanTable | None, name: str | None, refused: AbstractSet[Path]
) -> list[Diagnostic]:
    """The same for a program some parts of which were refused already: they are passed over."""
    checks = Checks(program, spans, name, refused)
    check_slots(checks)
    if check_blocks(checks):
        check_scopes(checks)
    check_flows(checks)
    check_pools(checks)
    check_stages(checks)
    check_arrival(checks)
    check_arrivals(checks)
    check_hidden(checks)
    check_run(checks)
    check_gauges(checks)
    return checks.diagnostics
