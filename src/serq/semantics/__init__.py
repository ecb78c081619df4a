"""The executable definition of serQ: what a program means, in Python that is meant to be read.

Start with `machine` (the clock, the event loop, what happens at one instant), then `session` and
`statements`, `pool`, `admission`, `holds`, `cache`, `preemption`, the stages, `workload`. Every
module opens with the rule it implements. The native engine has the same concepts under the same
names and must give the same numbers to the last bit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from serq.diagnostics import Diagnostic, SerqError
from serq.ir import nodes as ir
from serq.report.measurements import Measurements
from serq.report.options import RunOptions
from serq.semantics.errors import RunError
from serq.semantics.expressions import depth
from serq.semantics.machine import Machine
from serq.semantics.measure import measure

__all__ = ["missing", "run"]


def missing(program: ir.Program) -> list[Diagnostic]:
    """SQ505 for every construct that this engine lacks."""
    del program
    return []


def run(program: ir.Program, options: RunOptions) -> Measurements:
    """Run a program to its horizon, or until its limited arrivals have drained.

    Ctrl-C, or KeyboardInterrupt from `options.progress`, ends the run where it is: the
    measurements are partial then. Raises `SerqError` for an error of the run (SQ6xx).
    """
    machine = Machine(program, options)
    partial = False
    try:
        with room_for_depth(program), machine.watch.interruptible():
            machine.run()
    except RunError as error:
        raise SerqError([error.diagnostic(options.spans, machine.now)]) from None
    except KeyboardInterrupt:
        partial = True
    return measure(machine, partial=partial)


@contextmanager
def room_for_depth(program: ir.Program) -> Iterator[None]:
    """Let Python recurse as deep as the program's deepest expression needs.

    Evaluation calls Python functions only, which take memory from the heap: a higher limit
    cannot overflow the machine's stack.
    """
    before = sys.getrecursionlimit()
    evaluated = (program.blocks, program.pools, program.stages, program.gauges)
    arrival = program.arrival
    gap = arrival.gap if isinstance(arrival, ir.Renewal) else None
    sys.setrecursionlimit(before + 3 * depth((*evaluated, gap)))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
