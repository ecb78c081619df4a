"""Gauges: signals in time, read at the end of every instant (contract §3, *Gauges*).

What a gauge keeps are its change points: a time, and the value it has from then on. Depends on
expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.report.measurements import GaugeMeasurements
from serq.semantics.expressions import evaluate_at
from serq.semantics.numbers import order
from serq.semantics.scope import Scope
from serq.stats.step_stream import StepStream

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Gauges:
    """The program's gauges and what they showed."""

    __slots__ = ("begun", "definitions", "scope", "seen", "streams")

    def __init__(self, machine: Machine) -> None:
        self.definitions = machine.program.gauges
        self.begun = False
        self.scope = Scope(machine, machine.streams.session)
        self.seen = [GaugeMeasurements(gauge.name) for gauge in self.definitions]
        self.streams: list[StepStream] = []  # of a run that keeps no samples
        if not machine.options.samples:
            program = machine.program
            self.streams = [StepStream(program.warmup, program.horizon) for _ in self.seen]

    def read(self, now: float) -> None:
        """The instant `now` is over: note the values that differ, to the bit, from the last."""
        self.begun = True
        for at, gauge in enumerate(self.definitions):
            value = evaluate_at(gauge.value, self.scope, "gauges", at)
            if self.streams:
                stream = self.streams[at]
                if not stream.begun or order(stream.held) != order(value):
                    stream.add(now, value)
                continue
            seen = self.seen[at]
            if not seen.values or order(seen.values[-1]) != order(value):
                seen.times.append(now)
                seen.values.append(value)
