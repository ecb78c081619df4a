"""Checks of pools: sizes, keys, spills and the stage that admits (contract §2, *poolopt*).

Depends on the expression checks and the report.
"""

from __future__ import annotations

from serq.ir.nodes import Pool, Spill, Step
from serq.ir.spans import Path
from serq.ir.validate_expressions import check_expression
from serq.ir.validate_report import Checks
from serq.vocabulary.moments import Moment


def check_pools(checks: Checks) -> None:
    """Check every pool."""
    for number, pool in enumerate(checks.program.pools):
        path: Path = ("pools", number)
        _check_sizes(checks, pool, path)
        for option, keys, moment in (
            ("evict", pool.evict, Moment.EVICT_KEY),
            ("queue", pool.queue, Moment.QUEUE_KEY),
        ):
            for i, key in enumerate(keys or ()):
                check_expression(checks, key, (*path, option, i), moment)
        if pool.queue == ():
            checks.report("SQ503", "`queue by` has at least one key", path)
        if pool.spill is not None:
            _check_spill(checks, pool.spill, (*path, "spill"))
        if pool.admit_via is not None:
            _check_admit_via(checks, pool, pool.admit_via, (*path, "admit_via"))


def _check_sizes(checks: Checks, pool: Pool, path: Path) -> None:
    if pool.cap != pool.cap:
        checks.report("SQ401", "a capacity is a number or `inf`, never NaN", (*path, "cap"))
    if pool.block is not None and not pool.block > 0.0:
        code = "SQ401" if pool.block != pool.block else "SQ402"
        message = f"a block of {pool.block:g} units holds nothing; a block is above 0"
        help = "leave `block` out to allocate by the unit"
        checks.report(code, message, (*path, "block"), help=help)


def _check_spill(checks: Checks, spill: Spill, path: Path) -> None:
    check_pool_number(checks, spill.to, path)
    check_stage_number(checks, spill.via, path)
    check_expression(checks, spill.work, (*path, "work"), Moment.SPILL)
    check_expression(checks, spill.when, (*path, "when"), Moment.SPILL)


def check_pool_number(checks: Checks, number: int, path: Path) -> bool:
    """Whether there is a pool of that number; a finding says when there is none."""
    count = len(checks.program.pools)
    if 0 <= number < count:
        return True
    checks.report("SQ504", f"there is no pool {number}; the program has {count}, from 0", path)
    return False


def check_stage_number(checks: Checks, number: int, path: Path) -> bool:
    """Whether there is a stage of that number; a finding says when there is none."""
    count = len(checks.program.stages)
    if 0 <= number < count:
        return True
    checks.report("SQ504", f"there is no stage {number}; the program has {count}, from 0", path)
    return False


def _check_admit_via(checks: Checks, pool: Pool, via: int, path: Path) -> None:
    if not check_stage_number(checks, via, path):
        return
    stage = checks.program.stages[via]
    if not isinstance(stage.kind, Step):
        checks.report(
            "SQ414",
            f"`{stage.name}` is no step engine, and only an engine's iterations admit; nobody "
            f"would ever enter `{pool.name}`",
            path,
            notes=checks.note(f"`{stage.name}` is declared here", ("stages", via)),
            help="name a step stage, or leave `admit via` out",
        )
