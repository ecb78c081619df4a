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

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Gauges:
    """The program's gauges and what they showed."""

    __slots__ = ("begun", "definitions", "scope", "seen")

    def __init__(self, machine: Machine) -> None:
        self.definitions = machine.program.gauges
        self.begun = False
        self.scope = Scope(machine, machine.streams.session)
        self.seen = [GaugeMeasurements(gauge.name) for gauge in self.definitions]

    def read(self, now: float) -> None:
        """The instant `now` is over: note the values that differ, to the bit, from the last."""
        self.begun = True
        for at, gauge in enumerate(self.definitions):
            value = evaluate_at(gauge.value, self.scope, "gauges", at)
            seen = self.seen[at]
            if not seen.values or order(seen.values[-1]) != order(value):
                seen.times.append(now)
                seen.values.append(value)
