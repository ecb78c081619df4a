"""Operators, by precedence, and which of them make a test (contract §2, *Expressions*)."""

from __future__ import annotations

OR = "||"
AND = "&&"
COMPARISONS: tuple[str, ...] = ("<", "<=", ">", ">=", "==", "!=")
ADDITIVE: tuple[str, ...] = ("+", "-")
MULTIPLICATIVE: tuple[str, ...] = ("*", "/")
POWER = "^"

BINARY: tuple[str, ...] = (*ADDITIVE, *MULTIPLICATIVE, POWER, *COMPARISONS, AND, OR)

NEGATE = "-"
NOT = "!"
UNARY: tuple[str, ...] = (NEGATE, NOT)

TESTS: frozenset[str] = frozenset({*COMPARISONS, AND, OR})
"""Binary operators whose value is 0 or 1; `!` is the unary one."""
