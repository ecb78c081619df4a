"""A log of several runs, of which one is replayed. Depends on the document."""

from __future__ import annotations

from collections.abc import Sequence

from serq.trace.logs.document import Part
from serq.trace.logs.log import Log


def chosen(log: Log, runs: Sequence[Part], number: int | None, what: str) -> Part:
    """Run `number` of a log, counted from 1; its only one when no number is given."""
    if number is None:
        if len(runs) == 1:
            return runs[0]
        help = "choose one with `--run N`" if runs else None
        raise log.refuse_document(f"the log has {len(runs)} {what}, of which one is read", help)
    if not 1 <= number <= len(runs):
        raise log.refuse_document(f"there is no run {number}: the log has {len(runs)} {what}")
    return runs[number - 1]
