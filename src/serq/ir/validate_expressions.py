"""Checks of one expression: what it names is there, and may be read at its moment (contract §2,
*Expressions*; §3, *hidden*, *Gauges*).

Depends on the walk, `serq.vocabulary` and the report.
"""

from __future__ import annotations

from math import isnan
from typing import assert_never

from serq.ir.nodes import (
    Attribute,
    Binary,
    Call,
    Conditional,
    Context,
    Draw,
    Expression,
    Number,
    PoolReference,
    StageReference,
    Unary,
)
from serq.ir.spans import Path
from serq.ir.validate_report import Checks
from serq.ir.walk import Reference, nodes
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import FUNCTIONS, Function, Kind
from serq.vocabulary.moments import CONTEXT_VARIABLES, Moment
from serq.vocabulary.operators import BINARY, UNARY

HIDDEN_AT = frozenset(
    {
        Moment.HEADER,
        Moment.QUEUE_KEY,
        Moment.EVICT_KEY,
        Moment.SPILL,
        Moment.PS_CAPACITY,
        Moment.BUDGET,
        Moment.CHUNK,
        Moment.COST,
        Moment.SERVE_KEY,
    }
)
"""Where the scheduler reads, and a hidden attribute may not be read."""

_NO_DRAW = {
    Moment.QUEUE_KEY: "it is read anew before every admission",
    Moment.SERVE_KEY: "it is read for every resident at every iteration",
    Moment.GAUGE: "it only reads the state, and a draw would move the run's streams",
}


def check_expression(checks: Checks, root: Expression, path: Path, moment: Moment) -> None:
    """Check every node of an expression evaluated at `moment`."""
    key = (id(root), moment)
    if key in checks.checked:
        return
    checks.checked.add(key)
    passed_over = 0
    for number, node in enumerate(nodes(root)):
        if number < passed_over:
            continue
        match node:
            case Number():
                if isnan(node.value):
                    checks.report("SQ401", "NaN is no constant", path, node=number)
            case Attribute():
                _check_attribute(checks, node, path, number, moment)
            case Context():
                _check_context(checks, node, path, number, moment)
            case Draw():
                _check_draw(checks, node, path, number, moment)
            case Call():
                _check_call(checks, node, path, number, moment)
            case PoolReference() | StageReference():
                check_reference(checks, node, path, number)
                by_number = moment is Moment.GAUGE
                if by_number:
                    _check_gauge_index(checks, node, path, number)
                if by_number or isinstance(node.index, Number):
                    passed_over = number + sum(1 for _ in nodes(node))
            case Unary() | Binary() | Conditional():
                _check_operator(checks, node, path, number)
            case _:
                assert_never(node)


def _check_operator(
    checks: Checks, node: Unary | Binary | Conditional, path: Path, number: int
) -> None:
    if isinstance(node, Conditional):
        return
    if node.operator not in (UNARY if isinstance(node, Unary) else BINARY):
        _unknown(checks, "operator", node.operator, path, number)


def _unknown(checks: Checks, what: str, name: str, path: Path, number: int) -> None:
    checks.report("SQ503", f"there is no {what} `{name}`", path, node=number)


def _check_attribute(
    checks: Checks, node: Attribute, path: Path, number: int, moment: Moment
) -> None:
    if not check_slot(checks, node.slot, path, number):
        return
    name = checks.attribute(node.slot)
    if moment is Moment.GAUGE:
        message = f"`{name}` is an attribute of a session, and a gauge has no session"
        checks.report(
            "SQ307", message, path, node=number, help="use `observe` for a session's value"
        )
    elif moment is Moment.RENEWAL_GAP:
        message = f"`{name}` is an attribute of a session, and a gap is drawn before there is one"
        help = "a gap reads constants and draws"
        checks.report("SQ301", message, path, node=number, help=help)
    elif node.slot in checks.program.hidden and moment in HIDDEN_AT:
        checks.report(
            "SQ304",
            f"`{name}` is hidden from the scheduler, and {moment.value} is read by it",
            path,
            node=number,
            notes=checks.note(
                f"`{name}` is hidden here", ("hidden", checks.program.hidden.index(node.slot))
            ),
            help="read what the scheduler knows, such as a bound kept in an attribute of its own",
        )


def check_slot(checks: Checks, slot: int, path: Path, number: int | None = None) -> bool:
    """Whether there is an attribute in a slot; a finding says when there is none."""
    count = len(checks.program.attributes)
    if 0 <= slot < count:
        return True
    message = f"there is no attribute in slot {slot}; the program has {count}, from 0"
    checks.report("SQ504", message, path, node=number)
    return False


def _check_context(checks: Checks, node: Context, path: Path, number: int, moment: Moment) -> None:
    variable = CONTEXT_VARIABLES.get(node.name)
    if variable is None:
        _unknown(checks, "context variable", node.name, path, number)
        return
    if moment in variable.moments:
        return
    if moment is Moment.GAUGE and node.name == "now":
        message = "`now` moves between events, and a gauge is held from one to the next"
        checks.report("SQ307", message, path, node=number)
        return
    message = f"`{node.name}` ({variable.meaning}) does not exist in {moment.value}"
    legal = "in " + " or ".join(each.value for each in Moment if each in variable.moments)
    if node.name == "now":
        legal = "everywhere in a run but in gauges and in renewal gaps"
    checks.report("SQ301", message, path, node=number, help=f"it is read {legal}")


def _check_draw(checks: Checks, node: Draw, path: Path, number: int, moment: Moment) -> None:
    law = DISTRIBUTIONS.get(node.distribution)
    if law is None:
        _unknown(checks, "distribution", node.distribution, path, number)
        return
    if len(node.arguments) != len(law.parameters):
        takes = f"`~{law.name}` takes ({', '.join(law.parameters)})"
        message = f"{takes} and is given {len(node.arguments)} of them"
        checks.report("SQ208", message, path, node=number)
    if moment in _NO_DRAW:
        checks.report(
            "SQ302",
            f"{moment.value} does not draw: {_NO_DRAW[moment]}",
            path,
            node=number,
            help="draw into an attribute, and read that" if moment is Moment.QUEUE_KEY else None,
        )


def _check_call(checks: Checks, node: Call, path: Path, number: int, moment: Moment) -> None:
    function = FUNCTIONS.get(node.function)
    if function is None or function.folded:
        _unknown(checks, "function", node.function, path, number)
        return
    _check_arguments(checks, node, function, path, number)
    if moment is Moment.RENEWAL_GAP and function.live:
        checks.report(
            "SQ301",
            f"`{node.function}` reads the state of the run, and a gap reads constants and draws",
            path,
            node=number,
        )
    if moment is Moment.GAUGE:
        reason = None
        if function.session:
            reason = "is the session's own cached prefix, and a gauge has no session"
        elif function.moves:
            reason = "falls between events, and a gauge is held from one to the next"
        elif function.plans:
            reason = "plans an iteration, which may draw"
        if reason is not None:
            checks.report("SQ307", f"`{node.function}` {reason}", path, node=number)


def _check_arguments(
    checks: Checks, node: Call, function: Function, path: Path, number: int
) -> None:
    if len(node.arguments) != len(function.parameters):
        takes = ", ".join(kind.value for kind in function.parameters)
        message = f"`{node.function}` takes ({takes}) and is given {len(node.arguments)} of them"
        checks.report("SQ208", message, path, node=number)
        return
    for kind, argument in zip(function.parameters, node.arguments, strict=True):
        found = {PoolReference: Kind.POOL, StageReference: Kind.STAGE}.get(
            type(argument), Kind.VALUE
        )
        if found is not kind:
            message = f"`{node.function}` wants {kind.value} and is given {found.value}"
            checks.report("SQ209", message, path, node=number)


def check_reference(
    checks: Checks, reference: Reference, path: Path, number: int | None = None
) -> bool:
    """Whether a reference names members there are; findings say when it does not."""
    is_pool = isinstance(reference, PoolReference)
    kind, table = ("pool", checks.program.pools) if is_pool else ("stage", checks.program.stages)
    base, count, index = reference.base, reference.count, reference.index
    if base < 0 or count < 1 or base + count > len(table):
        wanted = f"{count} {kind}{'' if count == 1 else 's'} from {base} on"
        message = f"the reference is to {wanted}; the program has {len(table)}, from 0"
        checks.report("SQ504", message, path, node=number)
        return False
    name = table[base].name
    if index is None:
        if count == 1:
            return True
        message = f"`{name}` is an array of {count} {kind}s; say which member"
        checks.report("SQ211", message, path, node=number)
        return False
    if isinstance(index, Number):
        value = index.value
        if not (0.0 <= value < count and value == value // 1.0):
            members = "the only member is 0" if count == 1 else f"its members are 0 to {count - 1}"
            shown = "NaN" if isnan(value) else f"{value:.12g}"
            message = f"`{name}[{shown}]` is no member of `{name}`; {members}"
            notes = checks.note(f"`{name}` is declared here", (f"{kind}s", base))
            checks.report("SQ212", message, path, node=number, notes=notes)
            return False
    return True


def _check_gauge_index(checks: Checks, node: Reference, path: Path, number: int) -> None:
    if node.index is not None and not isinstance(node.index, Number):
        checks.report(
            "SQ307",
            "a gauge's index is a number: reading a gauge can not fail a run",
            path,
            node=number,
            help="name a member, or write an aggregate over the members",
        )
