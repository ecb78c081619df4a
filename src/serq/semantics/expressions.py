"""Expressions: a tree is evaluated at a moment, in a scope (contract §2, *Expressions*).

Operands are evaluated from left to right, so draws happen in the order of the text; `&&`, `||`
and `c ? a : b` evaluate only what they need. A value that is not 0 is true, a comparison gives
0 or 1. `HANDLERS` has one function a node type, `OPERATORS` one an operator; the functions of
pools and stages are in `serq.semantics.functions`.

A tree may be thousands of nodes deep (an aggregate over 4,096 members is a chain of that many
nodes). Evaluation recurses in plain Python, which needs memory and no machine stack, and
`depth` tells the machine how far to raise the interpreter's limit for the run.

Depends on the IR, arithmetic and draws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from serq.ir import nodes as ir
from serq.ir.arithmetic import BINARY
from serq.ir.arithmetic import FUNCTIONS as NUMERIC_FUNCTIONS
from serq.ir.walk import nodes
from serq.records import Record
from serq.semantics.errors import RunError
from serq.semantics.functions import FUNCTIONS
from serq.semantics.numbers import saturate
from serq.semantics.rng import DRAWS
from serq.semantics.scope import Scope

if TYPE_CHECKING:
    from serq.semantics.pool import Pool
    from serq.semantics.stages.stage import Stage


def evaluate(node: ir.Expression, scope: Scope) -> float:
    """The value of an expression."""
    return HANDLERS[type(node)](node, scope)


def evaluate_at(node: ir.Expression, scope: Scope, *path: str | int) -> float:
    """The value of an expression that stands at `path` in the IR, which an error then names."""
    try:
        return HANDLERS[type(node)](node, scope)
    except RunError as error:
        raise error.placed(path) from None


def do_number(node: ir.Number, _scope: Scope) -> float:
    """A constant is itself."""
    return node.value


def do_attribute(node: ir.Attribute, scope: Scope) -> float:
    """The attribute of the session the scope is about."""
    return scope.attributes[node.slot]


def do_context(node: ir.Context, scope: Scope) -> float:
    """What the moment supplies under this name."""
    return getattr(scope, node.name)  # type: ignore[no-any-return]


def do_draw(node: ir.Draw, scope: Scope) -> float:
    """A draw from the scope's stream; its parameters are evaluated first."""
    parameters = [HANDLERS[type(a)](a, scope) for a in node.arguments]
    return DRAWS[node.distribution](scope.rng, *parameters)


def do_call(node: ir.Call, scope: Scope) -> float:
    """A function of numbers, or of the state of a pool or a stage."""
    function = NUMERIC_FUNCTIONS.get(node.function)
    if function is None:
        return FUNCTIONS[node.function](scope, *[_argument(a, scope) for a in node.arguments])
    arguments: tuple[Any, ...] = node.arguments
    first = arguments[0]
    value = HANDLERS[type(first)](first, scope)
    if len(arguments) == 1:
        return function(value)
    second = arguments[1]
    return function(value, HANDLERS[type(second)](second, scope))


def _argument(
    node: ir.Expression | ir.PoolReference | ir.StageReference, scope: Scope
) -> float | Pool | Stage:
    if isinstance(node, ir.PoolReference):
        return pool_of(node, scope)
    if isinstance(node, ir.StageReference):
        return stage_of(node, scope)
    return evaluate(node, scope)


def do_unary(node: ir.Unary, scope: Scope) -> float:
    """The negative, or 1 for 0 and 0 for everything else."""
    value = evaluate(node.operand, scope)
    if node.operator == "-":
        return -value
    return 1.0 if value == 0.0 else 0.0


def do_binary(node: ir.Binary, scope: Scope) -> float:
    """Both operands from left to right, then the operator."""
    left, right = node.left, node.right
    value = HANDLERS[type(left)](left, scope)
    combine = OPERATORS.get(node.operator)
    if combine is not None:
        return combine(value, HANDLERS[type(right)](right, scope))
    # `&&` is decided by a false left operand and `||` by a true one
    if (value != 0.0) == (node.operator == "||"):
        return 1.0 if value != 0.0 else 0.0
    return 1.0 if evaluate(right, scope) != 0.0 else 0.0


def do_conditional(node: ir.Conditional, scope: Scope) -> float:
    """One branch, chosen by the test."""
    test = node.test
    chosen = node.then if HANDLERS[type(test)](test, scope) != 0.0 else node.otherwise
    return HANDLERS[type(chosen)](chosen, scope)


HANDLERS: Final[dict[type, Callable[[Any, Scope], float]]] = {
    ir.Number: do_number,
    ir.Attribute: do_attribute,
    ir.Context: do_context,
    ir.Draw: do_draw,
    ir.Call: do_call,
    ir.Unary: do_unary,
    ir.Binary: do_binary,
    ir.Conditional: do_conditional,
}

OPERATORS: Final = {word: f for word, f in BINARY.items() if word not in ("&&", "||")}
"""Operators that need both operands; `&&` and `||` may not."""


# --- references ----------------------------------------------------------------------


def pool_of(reference: ir.PoolReference, scope: Scope) -> Pool:
    """The pool a reference means now."""
    if reference.index is None:
        return scope.machine.pools[reference.base]
    return scope.machine.pools[reference.base + _member(reference, scope)]


def stage_of(reference: ir.StageReference, scope: Scope) -> Stage:
    """The stage a reference means now."""
    if reference.index is None:
        return scope.machine.stages[reference.base]
    return scope.machine.stages[reference.base + _member(reference, scope)]


def _member(reference: ir.PoolReference | ir.StageReference, scope: Scope) -> int:
    """An index is cut to a whole number; below 0 it is 0, and beyond the array an error."""
    assert reference.index is not None
    value = evaluate(reference.index, scope)
    member = saturate(value, 2**63)
    if member < reference.count:
        return member
    pools = isinstance(reference, ir.PoolReference)
    program = scope.machine.program
    name = (program.pools if pools else program.stages)[reference.base].name
    raise RunError(
        "SQ602",
        f"`{name}[{value:g}]`: `{name}` has {reference.count} members, numbered from 0",
        help=f"the index must lie between 0 and {reference.count - 1} when it is evaluated",
    )


# --- trees ---------------------------------------------------------------------------


def depth(node: Any) -> int:
    """How many nodes lie on the longest way down from a node of the IR, or from several."""
    deepest = 0
    pending = [(node, 1)]
    while pending:
        part, level = pending.pop()
        if isinstance(part, tuple):
            pending.extend((below, level) for below in part)
        elif isinstance(part, Record):
            deepest = max(deepest, level)
            pending.extend((getattr(part, name), level + 1) for name in part.__match_args__)
    return deepest


def reads_live_state(expressions: tuple[ir.Expression, ...]) -> bool:
    """Whether a value can change while the scope stays: a function of pools or stages."""
    return any(
        isinstance(node, ir.Call) and node.function in FUNCTIONS
        for expression in expressions
        for node in nodes(expression)
    )


def reads_context(expressions: tuple[ir.Expression, ...], names: frozenset[str]) -> bool:
    """Whether one of the expressions reads one of these context variables."""
    return any(
        isinstance(node, ir.Context) and node.name in names
        for expression in expressions
        for node in nodes(expression)
    )
