"""The value of a constant expression, or why it has none (contract §2, *Expressions*).

A constant reads constants declared above it, operators and the value functions; `?:` evaluates
the side it takes and no other. Arithmetic is IEEE's and never fails: 1/0 is `inf`. Aggregates are
written out before. Depends on the unit, names and `serq.ir.arithmetic`.
"""

from __future__ import annotations

import math
from dataclasses import field

from serq.diagnostics import Note, Span
from serq.ir import arithmetic
from serq.link.names import REFUSED, Names, suggestion
from serq.link.unit import Unit
from serq.records import Draft, Record
from serq.syntax import ast
from serq.vocabulary.functions import FUNCTIONS, VALUE_FUNCTIONS
from serq.vocabulary.moments import CONTEXT_VARIABLES, INFINITY


class Problem(Record):
    """Why an expression is no constant, as the arguments of a finding."""

    code: str
    message: str
    span: Span
    notes: tuple[Note, ...] = ()
    help: str | None = None


class Evaluation(Draft):
    """An expression being evaluated: work to do, values so far, what is not constant in it.

    A value is None where something below it is no constant.
    """

    names: Names
    pending: list[tuple[str, ast.Expression]] = field(default_factory=list)
    values: list[float | None] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def evaluate(self, root: ast.Expression) -> float | None:
        """The value, or None with at least one problem (or one reported before)."""
        self.pending.append(("visit", root))
        while self.pending:
            step, node = self.pending.pop()
            if step == "visit":
                self._visit(node)
            elif step == "choose":
                self._choose(node)
            else:
                self._apply(node)
        return self.values[0]

    def _visit(self, node: ast.Expression) -> None:
        match node:
            case ast.Number():
                self.values.append(node.value)
            case ast.Name():
                self.values.append(self._name(node))
            case ast.Conditional():
                self.pending += [("choose", node), ("visit", node.test)]
            case ast.Unary() | ast.Binary():
                self._below(node)
            case ast.Call():
                self._call(node)
            case ast.Draw():
                self._refuse(
                    "SQ302", "a constant is one number, known before the run: it can not draw", node
                )
            case ast.Indexed():
                what = f"`{node.name}[…]` names a pool or a stage; a constant is a number"
                self._refuse("SQ306", what, node)
            case ast.Aggregate():
                raise AssertionError("aggregates are written out before")

    def _below(self, node: ast.Unary | ast.Binary | ast.Call) -> None:
        self.pending.append(("apply", node))
        match node:
            case ast.Unary():
                self.pending.append(("visit", node.operand))
            case ast.Binary():
                self.pending += [("visit", node.right), ("visit", node.left)]
            case ast.Call():
                self.pending.extend(("visit", argument) for argument in reversed(node.arguments))

    def _choose(self, node: ast.Expression) -> None:
        assert isinstance(node, ast.Conditional)
        test = self.values.pop()
        if test is None:
            self.values.append(None)
        else:
            self.pending.append(("visit", node.then if test != 0.0 else node.otherwise))

    def _apply(self, node: ast.Expression) -> None:
        match node:
            case ast.Unary():
                operand = self.values.pop()
                apply = arithmetic.UNARY[node.operator]
                self.values.append(None if operand is None else apply(operand))
            case ast.Binary():
                right, left = self.values.pop(), self.values.pop()
                if left is None or right is None:
                    self.values.append(None)
                else:
                    self.values.append(arithmetic.BINARY[node.operator](left, right))
            case ast.Call():
                self._apply_call(node)
            case _:
                raise AssertionError(node)

    def _apply_call(self, node: ast.Call) -> None:
        first = len(self.values) - len(node.arguments)
        arguments = self.values[first:]
        del self.values[first:]
        if None in arguments:
            self.values.append(None)
        elif node.function not in VALUE_FUNCTIONS:
            message = f"there is no function `{node.function}`"
            help, notes = suggestion(node.function, dict.fromkeys(sorted(VALUE_FUNCTIONS)))
            self._refuse("SQ207", message, node, notes, help)
        elif len(arguments) != len(FUNCTIONS[node.function].parameters):
            self._refuse("SQ208", wrong_count(node), node)
        else:
            self.values.append(arithmetic.FUNCTIONS[node.function](*arguments))

    def _call(self, node: ast.Call) -> None:
        function = FUNCTIONS.get(node.function)
        if function is None or node.function in VALUE_FUNCTIONS:
            self._below(node)
            return
        if function.folded:
            message = (
                f"`{node.function}` reads a pool's declaration, and a constant is known before"
            )
            help = "name the block's size with a `let`, and use it in both places"
        else:
            message = f"`{node.function}` reads the state of a run; a constant is known before it"
            help = None
        at = node.arguments[0] if node.arguments and function.live else node
        self._refuse("SQ306", message, at if isinstance(at, ast.Name) else node, help=help)

    def _refuse(
        self,
        code: str,
        message: str,
        node: ast.Expression,
        notes: tuple[Note, ...] = (),
        help: str | None = None,
    ) -> None:
        at = node.span if isinstance(node, ast.Name | ast.Aggregate) else name_span(node)
        self.problems.append(Problem(code, message, at, notes, help))
        self.values.append(None)

    def _name(self, node: ast.Name) -> float | None:
        names = self.names
        constant = names.constants.get(node.name)
        if constant is not None:
            return constant.value
        if node.name == REFUSED:
            return None
        if node.name == INFINITY:
            return math.inf
        self.problems.append(_not_constant(node, names))
        return None


def name_span(node: ast.Expression) -> Span:
    """The place of the name of a draw, call or member; else of the whole expression."""
    match node:
        case ast.Draw() | ast.Call() | ast.Indexed():
            return node.name_span
        case _:
            return node.span


def wrong_count(node: ast.Call) -> str:
    """What to say of a call with too many or too few arguments."""
    parameters = FUNCTIONS[node.function].parameters
    takes = ", ".join(kind.value for kind in parameters)
    return f"`{node.function}` takes ({takes}) and is given {arguments_of(len(node.arguments))}"


def arguments_of(count: int) -> str:
    """`1 argument`, `2 arguments`, `no argument`."""
    return "no argument" if count == 0 else f"{count} argument{'' if count == 1 else 's'}"


def _not_constant(node: ast.Name, names: Names) -> Problem:
    """Why a name is no constant here."""
    name = node.name
    if name in names.later_constants:
        note = Note(f"`{name}` is declared here", names.later_constants[name])
        message = f"the constant `{name}` is not known yet: a constant reads those above it"
        return Problem("SQ201", message, node.span, (note,), "declare it above this one")
    if name in CONTEXT_VARIABLES:
        message = (
            f"`{name}` is {CONTEXT_VARIABLES[name].meaning}, which there is only in a run; "
            "a constant is known before it"
        )
        return Problem("SQ306", message, node.span)
    meaning = names.meaning(name)
    if meaning is not None:
        message = f"`{name}` is {meaning}; a constant reads constants declared above it"
        return Problem("SQ306", message, node.span)
    help, notes = names.suggest(name, names.known_constants)
    declare = f"declare it above: `let {name} = …;`"
    return Problem("SQ201", f"there is no constant `{name}`", node.span, notes, help or declare)


def evaluated(
    unit: Unit, expression: ast.Expression, what: str, aggregate: ast.Aggregate | None = None
) -> float | None:
    """The value of a constant, `what` in a sentence; None, with a finding, when it has none.

    `aggregate` is the one whose count it is, if it is one.
    """
    evaluation = Evaluation(unit.names)
    value = evaluation.evaluate(expression)
    for problem in evaluation.problems:
        code = "SQ420" if aggregate is not None and problem.code == "SQ306" else problem.code
        unit.findings.report(
            code, problem.message, problem.span, notes=problem.notes, help=problem.help
        )
    if value is not None and math.isnan(value):
        unit.findings.report(
            "SQ401",
            f"{what} is NaN; a constant is a number or `inf`",
            expression.span if aggregate is None else aggregate.span,
            help="`0/0`, `inf - inf`, `0 * inf` and the like have no value",
        )
        return None
    return value


def known_value(names: Names, expression: ast.Expression) -> float | None:
    """The value of an expression, or None when it is no constant."""
    evaluation = Evaluation(names)
    value = evaluation.evaluate(expression)
    return None if evaluation.problems else value
