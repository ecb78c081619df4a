"""The native engine's Python face: the C++ twins, where the installation has them.

`AVAILABLE` says whether it has. An installation made without a C++ compiler has not: then
asking for any other name raises an ImportError that says why and what to do.

Depends on the extension module `serq.native._engine` alone.
"""

from __future__ import annotations

__all__ = [
    "AVAILABLE",
    "MAX_ERLANG_PHASES",
    "MISSING",
    "Rng",
    "Streams",
    "draw_bernoulli",
    "draw_det",
    "draw_erlang",
    "draw_exp",
    "draw_h2",
    "draw_poisson_gap",
    "draw_trace_pick",
    "draw_uniform",
    "key_words",
]

MISSING: str | None = None
"""Why the native engine is absent; None where it is present."""

try:
    from serq.native._engine import (
        MAX_ERLANG_PHASES,
        Rng,
        Streams,
        draw_bernoulli,
        draw_det,
        draw_erlang,
        draw_exp,
        draw_h2,
        draw_poisson_gap,
        draw_trace_pick,
        draw_uniform,
        key_words,
    )
except ImportError as error:
    MISSING = (
        f"this installation of serQ has no native engine ({error}); it was made without a C++ "
        "compiler: install one, then install serQ again"
    )

AVAILABLE = MISSING is None


def __getattr__(name: str) -> object:
    """Say why a name of the native engine is not here."""
    if MISSING is not None and name in __all__:
        raise ImportError(MISSING, name=__name__)
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
