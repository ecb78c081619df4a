"""Checks of blocks and statements: what they name is there, and each stage is run in its mode
(contract §2, *stmt*).

Blocks run blocks, and none runs itself. Depends on the expression checks and the walk.
"""

from __future__ import annotations

from dataclasses import field

from serq.ir.nodes import (
    Choose,
    Hold,
    Number,
    Observe,
    Run,
    Set,
    Stage,
    StageReference,
    Statement,
    Step,
)
from serq.ir.spans import Path
from serq.ir.validate_expressions import check_expression, check_reference, check_slot
from serq.ir.validate_report import Checks
from serq.ir.walk import expressions, nested_blocks, references
from serq.records import Draft
from serq.vocabulary.moments import Moment

MODES = ("plain", "prefill", "decode")


def check_blocks(checks: Checks) -> bool:
    """Check every block; whether they can be followed: each is there and none runs itself."""
    program = checks.program
    count = len(program.blocks)
    sound = True
    for root in ("init", "turn", "session"):
        if not 0 <= getattr(program, root) < count:
            _no_block(checks, getattr(program, root), (root,))
            sound = False
    modes = _Modes(checks)
    workload = (program.init, program.turn)
    for number, block in enumerate(program.blocks):
        for position, statement in enumerate(block):
            path: Path = ("blocks", number, position)
            _check_statement(checks, statement, path, modes, number in workload)
            for inner in nested_blocks(statement):
                if not 0 <= inner < count:
                    _no_block(checks, inner, path)
                    sound = False
    return sound and _check_acyclic(checks)


def _no_block(checks: Checks, number: int, path: Path) -> None:
    message = f"there is no block {number}; the program has {len(checks.program.blocks)}, from 0"
    checks.report("SQ504", message, path)


def _check_statement(
    checks: Checks, statement: Statement, path: Path, modes: _Modes, in_workload: bool
) -> None:
    if in_workload and not isinstance(statement, Set | Observe):
        checks.report(
            "SQ409",
            "the workload's `init` and `turn` only `set` and `observe`",
            path,
            help="what a session does is written in the session",
        )
        return
    for named in references(statement):
        at = (*path, *named.path)
        check_reference(checks, named.reference, at)
        index = named.reference.index
        if index is not None and not isinstance(index, Number):
            check_expression(checks, index, (*at, "index"), Moment.STATEMENT)
    for part in expressions(statement):
        moment = Moment.WORKLOAD if in_workload else part.moment
        check_expression(checks, part.expression, (*path, *part.path), moment)
    match statement:
        case Set() | Choose():
            check_slot(checks, statement.slot, path)
            if isinstance(statement, Choose) and not statement.keys:
                checks.report("SQ503", "a `choose` has at least one key", path)
        case Observe():
            count = len(checks.program.observes)
            if not 0 <= statement.observe < count:
                message = f"there is no observation {statement.observe}; the program has {count}"
                checks.report("SQ504", message, path)
        case Hold():
            if not statement.pools:
                checks.report("SQ503", "a `hold` is of at least one pool", path)
        case Run():
            modes.check(statement, path)
        case _:
            pass


class _Modes(Draft):
    """Whether runs are in the mode of their stage; the kinds of a family are looked at once."""

    checks: Checks
    kinds: dict[tuple[int, int], tuple[str | None, str | None]] = field(default_factory=dict)

    def check(self, run: Run, path: Path) -> None:
        """The rule of modes: `prefill` and `decode` on step stages, and nowhere else."""
        if run.mode not in MODES:
            self.checks.report("SQ503", f"there is no mode `{run.mode}`", path)
            return
        engine, other = self._kinds(run.stage)
        if run.mode == "plain" and engine is not None and not run.also:
            self.checks.report(
                "SQ404",
                f"`{engine}` is a step engine; a run there is a `prefill` or a `decode`",
                path,
                help=f"write `run {engine} prefill (tokens)` or `run {engine} decode (tokens)`",
            )
        if other is None and not run.also:
            return
        if run.mode != "plain":
            message = f"`{run.mode}` is a run on a step engine"
            message += " alone" if other is None else f", and `{other}` is none"
            help = "write `run STAGE (work)`" if other is None else f"write `run {other} (work)`"
            self.checks.report("SQ405", message, path, help=help)
        elif run.growing is not None:
            message = "`growing` grows a hold with the tokens of a step engine"
            message += "" if other is None else f", and `{other}` is none"
            self.checks.report("SQ405", message, path, help="enlarge the hold with `grow`")

    def _kinds(self, reference: StageReference) -> tuple[str | None, str | None]:
        """The name of a step stage in a family, and that of another stage in it."""
        key = (reference.base, reference.count)
        if key not in self.kinds:
            engine = other = None
            for stage in members_of(self.checks, reference):
                if isinstance(stage.kind, Step):
                    engine = stage.name
                else:
                    other = stage.name
            self.kinds[key] = (engine, other)
        return self.kinds[key]


def members_of(checks: Checks, reference: StageReference) -> tuple[Stage, ...]:
    """The stages a reference may name; none when it is out of range."""
    stages = checks.program.stages
    base, count = reference.base, reference.count
    if base < 0 or count < 1 or base + count > len(stages):
        return ()
    return stages[base : base + count]


def _check_acyclic(checks: Checks) -> bool:
    """Whether no block runs itself, directly or through others."""
    blocks = checks.program.blocks
    below = [[inner for each in block for inner in nested_blocks(each)] for block in blocks]
    done: set[int] = set()
    for root in range(len(blocks)):
        stack = [(root, 0)]
        entered = {root}
        while stack and root not in done:
            block, position = stack.pop()
            if position == len(below[block]):
                entered.discard(block)
                done.add(block)
                continue
            stack.append((block, position + 1))
            inner = below[block][position]
            if inner in entered:
                message = f"block {inner} runs itself through block {block}; blocks do not recurse"
                checks.report("SQ507", message, ("blocks", block, 0))
                return False
            if inner not in done:
                entered.add(inner)
                stack.append((inner, 0))
    return True
