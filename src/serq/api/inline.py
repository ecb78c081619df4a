"""An IR that carries its trace: the sessions of the trace as presets, no file needed any more.

Depends on the trace and the IR.
"""

from __future__ import annotations

import math
from dataclasses import replace

from serq.api.program import Program
from serq.api.trace import read_program_trace
from serq.diagnostics import Diagnostic, SerqError
from serq.ir import nodes as ir
from serq.trace.recorded import turn_values


def inline_trace(program: Program) -> Program:
    """The program with its trace inside: `batch(n)` sessions, session i with the turns of trace
    session i.

    Raises `SerqError`: SQ705 unless the sessions are an `arrive batch(n)`, the trace `ordered`,
    and its numbers finite; SQ70x when the trace can not be read.
    """
    arrival = program.ir.arrival
    if program.ir.trace is None:
        raise _refused(program, "the program replays no trace", ())
    if not isinstance(arrival, ir.Batch):
        raise _refused(program, "only a batch of sessions has a trace session each", ("arrival",))
    if not program.ir.trace_ordered:
        reason = "without `ordered` every session draws its trace session in the run"
        raise _refused(program, reason, ("trace",))
    sessions = read_program_trace(program)
    assert sessions is not None
    slots = program.ir.slots
    presets: list[ir.Preset] = []
    for serial in range(arrival.count):
        session = sessions[serial % len(sessions)]
        if not all(math.isfinite(value) for turn in session for value in turn):
            reason = (
                f"session {serial % len(sessions)} of the trace has a number that is not finite"
            )
            raise _refused(program, reason, ("trace",))
        presets.append(ir.Preset(turns=tuple(turn_values(turn, slots) for turn in session)))
    inlined = replace(
        program.ir, arrival=ir.Sessions(tuple(presets)), trace=None, trace_ordered=False
    )
    return Program(inlined, name=program.name, spans=program.spans, warnings=program.warnings)


def _refused(program: Program, reason: str, path: tuple[str | int, ...]) -> SerqError:
    span = program.spans.find(path) if program.spans is not None else None
    message = f"the trace can not be put into the IR: {reason}"
    hint = 'it takes `arrive batch(n);` and `trace "file.csv" ordered;`'
    return SerqError([Diagnostic("SQ705", message, span, help=hint, file=program.name)])
