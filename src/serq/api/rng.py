"""The generator of random numbers by itself: the native one where there is one, else its twin.

Both give the same numbers. Depends on the engines' packages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq import native

if TYPE_CHECKING:
    from serq.semantics.rng import Rng
elif native.AVAILABLE:
    from serq.native import Rng
else:
    from serq.semantics.rng import Rng

__all__ = ["Rng"]
