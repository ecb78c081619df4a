"""Checks of stages: server counts, capacities, budgets, costs, keys and memory (contract §2,
*kind*).

Depends on the expression checks and the report.
"""

from __future__ import annotations

from typing import assert_never

from serq.ir.nodes import Call, Delay, ExclusivePrefill, Fifo, Ps, ServeBy, StageReference, Step
from serq.ir.spans import Path
from serq.ir.validate_expressions import check_expression
from serq.ir.validate_pools import check_pool_number
from serq.ir.validate_report import Checks
from serq.ir.walk import nodes
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
    _check_budgets_end(checks)


def _check_budgets_end(checks: Checks) -> None:
    """No budget or chunk may ask, by `budget_left`, for a budget that asks for it in turn.

    The members of an array share what their stage says, so arrays are looked at as one.
    """
    stages = checks.program.stages
    asked: dict[str, set[str]] = {}
    asks: list[tuple[str, str, Path]] = []
    seen: set[int] = set()
    for number, stage in enumerate(stages):
        if not isinstance(stage.kind, Step) or id(stage.kind) in seen:
            continue
        seen.add(id(stage.kind))
        for part in ("budget", "chunk"):
            for node in nodes(getattr(stage.kind, part)):
                if isinstance(node, Call) and node.function == "budget_left":
                    reference = node.arguments[0]
                    if isinstance(reference, StageReference) and reference.base < len(stages):
                        of = stages[reference.base].name
                        asked.setdefault(stage.name, set()).add(of)
                        asks.append((stage.name, of, ("stages", number, part)))
    for name, of, path in asks:
        if name in _reached(of, asked):
            message = (
                f"`budget_left({of})` is read to tell how much `{name}` may schedule, which is "
                f"itself what `budget_left({of})` has to know"
            )
            checks.report("SQ301", message, path)
            return


def _reached(start: str, asked: dict[str, set[str]]) -> set[str]:
    """The stages whose budgets are evaluated when that of `start` is."""
    found = {start}
    stack = [start]
    while stack:
        for name in asked.get(stack.pop(), ()):
            if name not in found:
                found.add(name)
                stack.append(name)
    return found


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
