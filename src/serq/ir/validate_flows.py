"""Checks of runs over several stages: one policy, and links of a fixed capacity (contract §3,
*Stages*).

Depends on the walk and the report.
"""

from __future__ import annotations

from serq.ir.nodes import Number, Ps, Run, Stage, StageReference
from serq.ir.spans import Path
from serq.ir.validate_blocks import members_of
from serq.ir.validate_report import Checks

POLICIES = ("maxmin", "bottleneck")


def check_flows(checks: Checks) -> None:
    """A program with a run over several stages has a share, one without has none."""
    share = checks.program.share
    if share is not None and share not in POLICIES:
        checks.report("SQ503", f"there is no policy `{share}`", ("share",))
    flows = 0
    for number, block in enumerate(checks.program.blocks):
        for position, statement in enumerate(block):
            if isinstance(statement, Run) and statement.also:
                path: Path = ("blocks", number, position)
                flows += 1
                _check_flow(checks, statement, path)
                if share is None:
                    _check_share(checks, path, flows)
    if share is not None and flows == 0:
        checks.report(
            "SQ416",
            "`share` divides runs over several stages, and the program has none",
            ("share",),
            help="remove it",
        )


def _check_share(checks: Checks, path: Path, flows: int) -> None:
    if flows == 1:
        checks.report(
            "SQ416",
            "a run over several stages needs the program's `share`, which has no default",
            path,
            help="write `share maxmin;` or `share bottleneck;`",
        )


def _check_flow(checks: Checks, run: Run, path: Path) -> None:
    named: list[tuple[StageReference, Path]] = [(run.stage, (*path, "stage"))]
    named.extend((stage, (*path, "also", i)) for i, stage in enumerate(run.also))
    taken: list[tuple[int, int]] = []
    for reference, at in named:
        members = members_of(checks, reference)
        if not members:
            continue
        first, last = reference.base, reference.base + reference.count
        if any(first < end and start < last for start, end in taken):
            checks.report(
                "SQ415",
                f"`{members[0].name}` is named twice in one run; a job holds a link once",
                at,
            )
        taken.append((first, last))
        for position, stage in enumerate(members):
            if not _is_link(checks, stage, first + position):
                checks.report(
                    "SQ415",
                    f"`{stage.name}` is held together with another stage, so it is "
                    "`ps(…)` of a number above 0",
                    at,
                    notes=checks.note(f"`{stage.name}` is declared here", ("stages", first)),
                )
                break


def _is_link(checks: Checks, stage: Stage, number: int) -> bool:
    kind = stage.kind
    if not isinstance(kind, Ps):
        return False
    if ("stages", number, "capacity") in checks.refused:
        return True
    return isinstance(kind.capacity, Number) and kind.capacity.value > 0.0
