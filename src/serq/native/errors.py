"""Texts of the errors of a run: the engine tells a kind and values, here are the sentences.

They are the sentences of the executable definition (`serq.semantics`), where each stands beside
its rule; a test holds the two equal. Depends on the IR's nodes and diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from serq.diagnostics import Diagnostic
from serq.ir import nodes as ir
from serq.report.options import RunOptions


class Found(NamedTuple):
    """What the engine found, in a program that was run with these options."""

    program: ir.Program
    options: RunOptions
    values: Sequence[float]
    counts: Sequence[int]
    now: float

    @property
    def label(self) -> str:
        """The pool whose index is the first count."""
        return self.program.pools[self.counts[0]].label


Text = tuple[str, str, str | None]
"""A code, a message, and the way out."""


def _guard(found: Found) -> Text:
    message = f"the guard of this branch is {found.values[0]:.12g}; a guard is 0 or 1"
    return "SQ601", message, "compare (`x > 0`), or draw with `branch with (p)`"


def _index(found: Found, named: Sequence[ir.Pool | ir.Stage]) -> Text:
    name, count = named[found.counts[0]].name, found.counts[1]
    message = f"`{name}[{found.values[0]:g}]`: `{name}` has {count} members, numbered from 0"
    return "SQ602", message, f"the index must lie between 0 and {count - 1} when it is evaluated"


def _load(found: Found) -> Text:
    units, allocated, position = found.values
    message = (
        f"`load {found.label} ({units:.12g})` passes the allocation: "
        f"{allocated:.12g} units, {position:.12g} of them computed"
    )
    return "SQ603", message, "hold enough units, or `grow` first"


def _outside(found: Found, word: str) -> Text:
    message = f"`{word} {found.label}` outside a hold of `{found.label}`"
    return "SQ607", message, "an index of a pool array must name the member that the hold named"


def _standstill(found: Found, what: str) -> Text:
    message = f"{what} at the instant {found.now:.12g}: time stands still"
    help = "a loop needs something that takes time: a run with work, or a wait for room"
    return "SQ604", message, help


def _not_arrived(found: Found) -> Text:
    message = (
        f"{found.counts[0]} of the {found.program.arrivals} sessions asked for had arrived by the"
        f" horizon, {found.program.horizon:.12g}"
    )
    return "SQ605", message, "a later horizon, or fewer arrivals"


def _not_ended(found: Found) -> Text:
    message = (
        f"{found.counts[0]} of {found.program.arrivals} sessions are still there at the horizon,"
        f" {found.program.horizon:.12g}"
    )
    help = "a later horizon, or less work: the run ends when the last one has ended"
    return "SQ605", message, help


def _within_warmup(found: Found) -> Text:
    message = f"the last session ended at {found.now:.12g}, within the warm-up: nothing is measured"
    return "SQ605", message, f"more arrivals, or a warm-up shorter than {found.program.warmup:.12g}"


def _gap(found: Found) -> Text:
    message = f"the gap before an arrival is {found.values[0]:g}; gaps are positive and finite"
    return "SQ606", message, "a law that can give 0 or less needs a floor: `max(…, 0.001)`"


def _sessions(found: Found) -> Text:
    message = (
        f"{found.counts[0]} sessions would be alive at the instant {found.now:.12g}; "
        f"the limit is {found.options.limit_sessions}"
    )
    return "SQ608", message, "sessions arrive faster than they end, or the limit is too low"


TEXTS: Final[dict[str, Callable[[Found], Text]]] = {
    "guard": _guard,
    "index_pool": lambda found: _index(found, found.program.pools),
    "index_stage": lambda found: _index(found, found.program.stages),
    "load": _load,
    "outside_grow": lambda found: _outside(found, "grow"),
    "outside_load": lambda found: _outside(found, "load"),
    "outside_growing": lambda found: _outside(found, "growing"),
    "statements": lambda found: _standstill(
        found, f"session {found.counts[0]} ran {found.counts[1]} statements"
    ),
    "candidates": lambda found: _standstill(found, f"`choose` weighs {found.counts[0]} indices"),
    "evictions": lambda found: _standstill(found, f"{found.counts[0]} evictions"),
    "spilled_back": lambda found: _standstill(
        found, f"what is evicted from `{found.label}` is spilled back to `{found.label}`"
    ),
    "events": lambda found: _standstill(
        found, f"{found.options.limit_events} events and session steps"
    ),
    "not_arrived": _not_arrived,
    "not_ended": _not_ended,
    "within_warmup": _within_warmup,
    "gap": _gap,
    "sessions": _sessions,
}
"""By the kinds of `cpp/errors.hpp`."""


def diagnostic(program: ir.Program, options: RunOptions, error: dict[str, Any]) -> Diagnostic:
    """What the reader sees of an error of the run."""
    found = Found(program, options, error["values"], error["counts"], error["now"])
    code, message, help = TEXTS[error["kind"]](found)
    path = error["path"]
    return Diagnostic(
        code,
        message,
        span=options.spans.find(path) if options.spans is not None else None,
        help=help,
        data={"time": error["now"], "path": list(path)},
    )
