"""The trace a program replays. Depends on the trace and the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.api.program import Program
from serq.ir.nodes import TraceArrivals

if TYPE_CHECKING:
    from serq.trace import TraceSession


def read_program_trace(program: Program) -> tuple[TraceSession, ...] | None:
    """The sessions the program replays; None without a trace. Raises `SerqError` (SQ7)."""
    path = program.trace_path()
    if path is None:
        return None
    from serq.trace.read import read_trace

    return tuple(read_trace(path, timed=isinstance(program.ir.arrival, TraceArrivals)))
