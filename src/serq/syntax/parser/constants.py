"""Constants the parser must know: what sizes an array (contract §2, `pool NAME [N]`).

The size of an array is a number, a `let` above it, or an expression of those, and the parser
needs it. The linker folds every other constant, and says what is wrong with one.
Depends on the tree and `serq.vocabulary`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping

from serq.syntax import ast
from serq.vocabulary.moments import INFINITY

MOST_TERMS = 4_096
"""Terms of the aggregates in one constant."""

Values = Mapping[str, float]
Evaluation = Generator[tuple[ast.Expression, Values], float, float]
"""The evaluation of one node: it yields what it wants evaluated and is sent the value."""


class Constants:
    """The value of every `let` so far, with the constants it was computed from.

    `given` has the expressions that replace those of the program (`--set`). One that is no
    constant counts for nothing here; the linker refuses it.
    """

    def __init__(self, given: Mapping[str, ast.Expression]) -> None:
        self.given = given
        self.values: dict[str, float] = {INFINITY: math.inf}
        self.sources: dict[str, frozenset[str]] = {}
        self.doubtful: set[str] = set()
        """Constants whose declaration could not be read: nothing is said about those."""

    def declare(self, let: ast.Let) -> None:
        """A `let` stands here: from now on its name means this value."""
        expression = let.value
        value = None
        if let.name in self.given:
            expression = self.given[let.name]
            value = evaluate(expression, self.values)
        if value is None:
            expression = let.value
            value = evaluate(expression, self.values)
        reads = self.sources_of(expression)
        self.sources[let.name] = reads | {let.name}
        if not self.doubtful.isdisjoint(reads):
            self.doubtful.add(let.name)
        if value is None:
            self.values.pop(let.name, None)
        else:
            self.values[let.name] = value

    def sources_of(self, expression: ast.Expression) -> frozenset[str]:
        """The constants an expression reads, directly or through others."""
        names = names_in(expression)
        return frozenset().union(*(self.sources.get(name, {name}) for name in names))


def names_in(expression: ast.Expression) -> set[str]:
    """The bare names an expression reads."""
    names: set[str] = set()
    todo: list[ast.Expression] = [expression]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            names.add(node.name)
        todo.extend(children(node))
    return names


def children(node: ast.Expression) -> tuple[ast.Expression, ...]:
    """The expressions directly inside one."""
    match node:
        case ast.Number() | ast.Name():
            return ()
        case ast.Indexed():
            return (node.index,)
        case ast.Draw() | ast.Call():
            return node.arguments
        case ast.Aggregate():
            return (node.count, node.term)
        case ast.Unary():
            return (node.operand,)
        case ast.Binary():
            return (node.left, node.right)
        case ast.Conditional():
            return (node.test, node.then, node.otherwise)


def evaluate(expression: ast.Expression, values: Values) -> float | None:
    """The value of a constant expression, None when it reads what is no constant above it."""
    open_: list[Evaluation] = [_evaluation(expression, values)]
    value: float | None = None
    while open_:
        try:
            wanted = next(open_[-1]) if value is None else open_[-1].send(value)
        except StopIteration as done:
            open_.pop()
            value = done.value
        except _NotConstantError:
            return None
        else:
            open_.append(_evaluation(*wanted))
            value = None
    return value


class _NotConstantError(Exception):
    """The expression reads something that is known only when the program runs."""


def _evaluation(node: ast.Expression, values: Values) -> Evaluation:
    match node:
        case ast.Number():
            return node.value
        case ast.Name() if node.name in values:
            return values[node.name]
        case ast.Unary():
            operand = yield node.operand, values
            return -operand if node.operator == "-" else float(operand == 0)
        case ast.Binary():
            left = yield node.left, values
            right = yield node.right, values
            return _OPERATORS[node.operator](left, right)
        case ast.Conditional():
            test = yield node.test, values
            return (yield (node.then if test != 0 else node.otherwise), values)
        case ast.Call() if _FUNCTIONS.get(node.function, (None,))[0] == len(node.arguments):
            arguments = []
            for argument in node.arguments:
                arguments.append((yield argument, values))
            return _FUNCTIONS[node.function][1](*arguments)
        case ast.Aggregate():
            count = yield node.count, values
            if not 1 <= count <= MOST_TERMS or count != int(count):
                raise _NotConstantError
            total = yield node.term, {**values, node.index: 0.0}
            for index in range(1, int(count)):
                term = yield node.term, {**values, node.index: float(index)}
                total = _AGGREGATES[node.function](total, term)
            return total
        case _:
            raise _NotConstantError


def _divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * _sign(b)


def _sign(x: float) -> float:
    return math.copysign(1.0, x)


def _guarded(compute: Callable[..., float]) -> Callable[..., float]:
    """A function of numbers that is infinite where it overflows and NaN off its domain."""

    def guarded(*arguments: float) -> float:
        try:
            return compute(*arguments)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return guarded


_OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "^": _guarded(math.pow),
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "&&": lambda a, b: float(a != 0 and b != 0),
    "||": lambda a, b: float(a != 0 or b != 0),
}

_FUNCTIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "min": (2, min),
    "max": (2, max),
    "abs": (1, abs),
    "floor": (1, lambda x: float(math.floor(x)) if math.isfinite(x) else x),
    "ceil": (1, lambda x: float(math.ceil(x)) if math.isfinite(x) else x),
    "sqrt": (1, _guarded(math.sqrt)),
    "exp": (1, _guarded(math.exp)),
    "ln": (1, lambda x: -math.inf if x == 0 else _guarded(math.log)(x)),
    "pow": (2, _guarded(math.pow)),
}

_AGGREGATES: dict[str, Callable[[float, float], float]] = {
    "min": min,
    "max": max,
    "sum": lambda a, b: a + b,
}
