"""Distributions a draw `~name(…)` may name (contract §2, *Expressions*)."""

from __future__ import annotations

from serq.records import Record


class Distribution(Record):
    """A law and the names of its parameters."""

    name: str
    parameters: tuple[str, ...]


_ROWS = (
    Distribution("exp", ("mean",)),
    Distribution("det", ("value",)),
    Distribution("uniform", ("low", "high")),
    Distribution("erlang", ("k", "mean")),
    Distribution("h2", ("mean", "cv2")),
    Distribution("bernoulli", ("p",)),
)

DISTRIBUTIONS: dict[str, Distribution] = {row.name: row for row in _ROWS}
