"""What an engine is asked besides the program: the trace, the guards, progress.

Depends on the IR's spans and on traces.
"""

from __future__ import annotations

from collections.abc import Callable

from serq.ir.spans import SpanTable
from serq.records import Record
from serq.trace.session import TraceSession

DEFAULT_LIMIT_STATEMENTS = 250_000
DEFAULT_LIMIT_EVENTS = 500_000
DEFAULT_LIMIT_SESSIONS = 1_000_000


class Progress(Record):
    """Where a run is: simulated time, events so far, sessions alive."""

    now: float
    events: int
    live: int


class RunOptions(Record):
    """How to run, never what: no option changes a result, only whether there is one.

    Without `samples` a run keeps no sample and no change of a gauge, but what they come to
    (`serq.stats.sample_summary`, `serq.stats.step_stream`).

    `limit_statements` bounds the statements of one session at one instant, `limit_events` the
    events and session steps at one instant, `limit_sessions` the sessions alive at once; a run
    that passes one stops with SQ604 or SQ608. `progress` is called about ten times a second of
    real time; raising KeyboardInterrupt from it, or Ctrl-C, ends the run with what was
    measured so far, marked partial.
    """

    trace: tuple[TraceSession, ...] | None = None
    spans: SpanTable | None = None
    limit_statements: int = DEFAULT_LIMIT_STATEMENTS
    limit_events: int = DEFAULT_LIMIT_EVENTS
    limit_sessions: int = DEFAULT_LIMIT_SESSIONS
    progress: Callable[[Progress], None] | None = None
    samples: bool = True
