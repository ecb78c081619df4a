"""The cost of an iteration in five terms: `c + d·decoders + e·kv_decode + a·prefilled +
b·attention` (contract §8).

`c` is seconds an iteration takes whatever it does, `d` seconds a decode, `e` seconds a token of
KV memory the decodes hold, `a` seconds a prefill token, `b` seconds a unit of attention
(Σ n (K + n/2) over the prefill chunks). Depends on the IR's nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from serq.ir import nodes as ir

VARIABLES: Final[Mapping[str, str]] = {
    "c": "",
    "d": "decoders",
    "e": "kv_decode",
    "a": "prefilled",
    "b": "attention",
}
"""The context variable of each coefficient, in the order of the expression; `c` has none."""

COEFFICIENTS: Final = tuple(VARIABLES)
DIGITS: Final = 6
"""Significant digits of a coefficient where one is written."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The five coefficients, in seconds per unit of their term; none is negative."""

    c: float
    d: float
    e: float
    a: float
    b: float

    def values(self) -> tuple[float, ...]:
        """The coefficients in the order of `COEFFICIENTS`."""
        return (self.c, self.d, self.e, self.a, self.b)

    def by_name(self) -> dict[str, float]:
        """The coefficients by name."""
        return asdict(self)

    def rounded(self) -> Cost:
        """The coefficients as they are written, so that a run of the text gives the same bytes."""
        return Cost(*(float(written(value)) for value in self.values()))

    def text(self) -> str:
        """The expression of a `cost` option; terms of coefficient 0 are left out."""
        terms = [
            written(value) + (f" * {variable}" if variable else "")
            for value, variable in zip(self.values(), VARIABLES.values(), strict=True)
            if value > 0.0
        ]
        return " + ".join(terms) or "0"

    def expression(self) -> ir.Expression:
        """What `text` links to."""
        total: ir.Expression | None = None
        for value, variable in zip(self.values(), VARIABLES.values(), strict=True):
            if value <= 0.0:
                continue
            term: ir.Expression = ir.Number(value)
            if variable:
                term = ir.Binary("*", term, ir.Context(variable))
            total = term if total is None else ir.Binary("+", total, term)
        return ir.Number(0.0) if total is None else total


def written(value: float) -> str:
    """A coefficient as a program writes it."""
    return f"{value:.{DIGITS}g}"


def read_cost(expression: ir.Expression) -> Cost | None:
    """The five coefficients of a cost that is their sum; None when it is anything else."""
    terms = _linear(expression)
    if terms is None or any(value < 0.0 for value in terms.values()):
        return None
    by_variable = {variable: name for name, variable in VARIABLES.items()}
    if any(variable not in by_variable for variable in terms):
        return None
    return Cost(**{name: terms.get(variable, 0.0) for name, variable in VARIABLES.items()})


def _linear(expression: ir.Expression) -> dict[str, float] | None:
    """Coefficients by variable of a sum of products with constants; "" is the constant."""
    match expression:
        case ir.Number(value):
            return {"": value}
        case ir.Context(name):
            return {name: 1.0}
        case ir.Unary("-", operand):
            return _scaled(_linear(operand), -1.0)
        case ir.Binary("+" | "-" as operator, left, right):
            first = _linear(left)
            second = _scaled(_linear(right), 1.0 if operator == "+" else -1.0)
            if first is None or second is None:
                return None
            names = [*first, *(name for name in second if name not in first)]
            return {name: first.get(name, 0.0) + second.get(name, 0.0) for name in names}
        case ir.Binary("*", left, right):
            return _product(_linear(left), _linear(right))
        case ir.Binary("/", left, right):
            divisor = _linear(right)
            if divisor is None or set(divisor) != {""} or divisor[""] == 0.0:
                return None
            return _scaled(_linear(left), 1.0 / divisor[""])
    return None


def _product(
    first: dict[str, float] | None, second: dict[str, float] | None
) -> dict[str, float] | None:
    if first is None or second is None:
        return None
    if set(first) == {""}:
        return _scaled(second, first[""])
    return _scaled(first, second[""]) if set(second) == {""} else None


def _scaled(terms: dict[str, float] | None, factor: float) -> dict[str, float] | None:
    if terms is None:
        return None
    return {name: value * factor for name, value in terms.items()}
