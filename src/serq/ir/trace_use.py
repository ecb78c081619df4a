"""Whether a program reads anything of a trace: it takes a turn and reads what a turn loads, or its
sessions arrive at the trace's times.

Depends on the nodes.
"""

from __future__ import annotations

from serq.ir.nodes import Attribute, Program, TraceArrivals, Turn
from serq.records import Record


def reads_trace(program: Program) -> bool:
    """Whether another trace could change what the program does."""
    if isinstance(program.arrival, TraceArrivals):
        return True
    if not any(isinstance(statement, Turn) for block in program.blocks for statement in block):
        return False
    slots = program.slots
    loaded = {slots.new, slots.out, slots.think, slots.more, slots.forced}
    parts: list[object] = [program]
    while parts:
        part = parts.pop()
        if isinstance(part, Attribute):
            if part.slot in loaded:
                return True
        elif isinstance(part, Record):
            parts.extend(getattr(part, name) for name in part.__match_args__)
        elif isinstance(part, tuple):
            parts.extend(part)
    return False
