"""Built-in session attributes (contract §2, *Expressions*), in the order of their slots."""

from __future__ import annotations

CACHED, SERIAL, TURN_NO, NEW, OUT, THINK, MORE, FORCED, COMPUTED = range(9)

BUILTIN_ATTRIBUTES: tuple[str, ...] = (
    "cached", "serial", "turn_no", "new", "out", "think", "more", "forced", "computed",
)  # fmt: skip

NOT_HIDEABLE: frozenset[str] = frozenset({"cached", "computed"})
"""Attributes the scheduler itself sets."""
