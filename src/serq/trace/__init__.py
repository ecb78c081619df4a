"""Request traces: the sessions a workload replays (contract §3, *Workload*)."""

from serq.trace.read import read_trace
from serq.trace.session import TimedSession, TraceSession, TraceTurn

__all__ = ["TimedSession", "TraceSession", "TraceTurn", "read_trace"]
