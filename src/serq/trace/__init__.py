"""Request traces: the sessions a workload replays (contract §3, *Workload*). They are read by
`serq.trace.read`.
"""

from serq.trace.session import TimedSession, TraceSession, TraceTurn

__all__ = ["TimedSession", "TraceSession", "TraceTurn"]
