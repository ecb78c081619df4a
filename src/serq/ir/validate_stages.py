"""Checks of stages: server counts, capacities, budgets, costs, keys and memory (contract §2,
*kind*).

Depends on the expression checks and the report.
"""

from __future__ import annotations

from typing import assert_never

from serq.ir.nodes import Delay, ExclusivePrefill, Fifo, Ps, ServeBy, Step
from serq.ir.spans import Path
from serq.ir.validate_expressions import check_expression
from serq.ir.validate_pools import check_pool_number
from serq.ir.validate_report import Checks
from serq.vocabulary.moments import Moment


def check_stages(checks: Checks) -> None:
    """Check every stage."""
    for number, stage in enumerate(checks.program.stages):
        path: Path = ("stages", number)
        match stage.kind:
            case Fifo(servers):
                if servers < 1:
                    message = f"a fifo stage has at least 1 server, and this has {servers}"
                    checks.report("SQ411", message, (*path, "servers"))
            case Ps(capacity):
                check_expression(checks, capacity, (*path, "capacity"), Moment.PS_CAPACITY)
            case Delay():
                pass
            case Step():
                _check_step(checks, stage.kind, path)
            case _:
                assert_never(stage.kind)


def _check_step(checks: Checks, step: Step, path: Path) -> None:
    check_expression(checks, step.budget, (*path, "budget"), Moment.BUDGET)
    check_expression(checks, step.cost, (*path, "cost"), Moment.COST)
    check_expression(checks, step.chunk, (*path, "chunk"), Moment.CHUNK)
    match step.serve:
        case ServeBy(keys):
            for i, key in enumerate(keys):
                check_expression(checks, key, (*path, "serve", i), Moment.SERVE_KEY)
        case ExclusivePrefill():
            pass
        case _:
            assert_never(step.serve)
    if step.memory is not None:
        check_pool_number(checks, step.memory, (*path, "memory"))
