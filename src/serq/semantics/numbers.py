"""Numbers as counts and as keys: what becomes of a double there (contract §3, *Ties*).

Depends on nothing of ours; the operators are in `serq.ir.arithmetic`.
"""

from __future__ import annotations

import struct
from typing import Final


def saturate(a: float, limit: int) -> int:
    """`a` cut to a whole number from 0 to `limit`; NaN is 0."""
    if not a > 0.0:
        return 0
    return limit if a >= limit else int(a)


_DOUBLE: Final = struct.Struct("<d")
_WORD: Final = struct.Struct("<q")


def order(a: float) -> int:
    """A number that sorts as `a` does in the total order of doubles.

    -NaN, -inf, …, -0.0, 0.0, …, inf, NaN: keys are compared so that no two items fall to the
    order in which a data structure holds them.
    """
    (word,) = _WORD.unpack(_DOUBLE.pack(a))
    return int(word) if word >= 0 else int(word) ^ 0x7FFF_FFFF_FFFF_FFFF
