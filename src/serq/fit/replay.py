"""A measured run replayed through a program: what it predicts for every request.

The program has to replay its workload: `arrive trace`, or `arrive batch (n)` with an `ordered`
trace whose sessions wait `think` before they send. Every request becomes a session of one turn
with its send time, prompt and output; the program observes `ttft` and `e2e` (or `response`) once
a request. Only the cost of the step stage is replaced from run to run.

A constant time per request outside the engine (network, tokenization) shifts a run and changes
nothing else in it, so it is added to what the program observes.

Depends on the engines, the IR and the terms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from serq.engines import engine as find_engine
from serq.fit.findings import no_fit
from serq.fit.measured import MeasuredRequest
from serq.fit.terms import Cost
from serq.ir import nodes as ir
from serq.report.measurements import Measurements
from serq.report.options import RunOptions
from serq.trace import TimedSession, TraceSession, TraceTurn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from serq.api.program import Program

END: Final = 1e9
"""Seconds after which a replay that has not ended is given up."""

_E2E_NAMES: Final = ("e2e", "response", "e2e_latency", "latency")


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a replay says of every request, in seconds, in the order of the run; TPOT is NaN for
    an answer of one token.
    """

    ttft: NDArray[Any]
    tpot: NDArray[Any]
    e2e: NDArray[Any]
    preemptions: int

    def delayed(self, overhead: float) -> Predicted:
        """The same with a constant time a request outside the engine."""
        return replace(self, ttft=self.ttft + overhead, e2e=self.e2e + overhead)


def step_stage(program: Program, name: str | None = None) -> list[int]:
    """Indices of the step stage `name`, or of the only one; several for an array.

    Raises `SerqError` (SQ721) when there is none, or several and no name.
    """
    found: dict[str, list[int]] = {}
    for index, stage in enumerate(program.ir.stages):
        if isinstance(stage.kind, ir.Step):
            found.setdefault(stage.name, []).append(index)
    listed = ", ".join(f"`{each}`" for each in found)
    if not found:
        raise no_fit(f"`{program.name}` has no step stage, so no cost of an iteration to fit")
    if name is None and len(found) > 1:
        message = f"`{program.name}` has several step stages: {listed}"
        raise no_fit(message, "say which one with `--stage NAME`")
    if name is not None and name not in found:
        raise no_fit(f"`{program.name}` has no step stage `{name}`; it has {listed}")
    return found[name or next(iter(found))]


class Replay:
    """A program and the requests it is to predict."""

    def __init__(
        self,
        program: Program,
        requests: Sequence[MeasuredRequest],
        *,
        stage: str | None = None,
        engine: str | None = None,
    ) -> None:
        self.program = program
        self.requests = requests
        self.stages = step_stage(program, stage)
        self.engine = find_engine(engine)
        self.ttft = _observation(program, ("ttft",))
        self.e2e = _observation(program, _E2E_NAMES)
        self.sessions, arrival = _workload(program, requests)
        self.base = replace(program.ir, arrival=arrival, horizon=END, warmup=0.0, arrivals=None)
        self.runs = 0
        self.events = 0

    def cost(self) -> ir.Expression:
        """The cost expression the program has."""
        kind = self.program.ir.stages[self.stages[0]].kind
        assert isinstance(kind, ir.Step)
        return kind.cost

    def predict(self, cost: Cost | ir.Expression) -> Predicted:
        """Replay the run with a cost. Raises `SerqError` as a run does (SQ6), SQ721 when
        requests do not end, and KeyboardInterrupt when the run was interrupted.
        """
        expression = cost.expression() if isinstance(cost, Cost) else cost
        measured = self._run(expression)
        if measured.partial:
            raise KeyboardInterrupt
        ttft = self._by_request(measured, self.ttft)
        e2e = self._by_request(measured, self.e2e)
        return Predicted(
            ttft,
            self._tpot(ttft, e2e),
            e2e,
            sum(pool.preemptions for pool in measured.pools),
        )

    def _run(self, cost: ir.Expression) -> Measurements:
        stages = list(self.base.stages)
        for index in self.stages:
            kind = stages[index].kind
            assert isinstance(kind, ir.Step)
            stages[index] = replace(stages[index], kind=replace(kind, cost=cost))
        self.runs += 1
        program = replace(self.base, stages=tuple(stages))
        options = RunOptions(trace=self.sessions, spans=self.program.spans)
        measured = self.engine.run(program, options)
        self.events += measured.events
        return measured

    def _by_request(self, measured: Measurements, name: str) -> NDArray[Any]:
        """The first record of each session, by its number."""
        import numpy as np

        values = np.full(len(self.requests), np.nan)
        observed = next(each for each in measured.observes if each.name == name)
        for session, value in zip(observed.sessions, observed.samples, strict=True):
            if session < len(values) and np.isnan(values[session]):
                values[session] = value
        missing = int(np.isnan(values).sum())
        if missing:
            message = f"{missing} of {len(values)} requests of the run observe no `{name}`"
            help = "a pool may be too small for them: `serq run` notes what was rejected"
            raise no_fit(message, help)
        return values

    def _tpot(self, ttft: NDArray[Any], e2e: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        gaps = np.array([request.output - 1.0 for request in self.requests])
        return np.where(gaps > 0, (e2e - ttft) / np.maximum(gaps, 1.0), math.nan)


def _observation(program: Program, names: Sequence[str]) -> str:
    for name in names:
        if name in program.ir.observes:
            return name
    wanted = " or ".join(f"`{name}`" for name in names[:2])
    message = f"`{program.name}` observes no {wanted}, which a measured run is compared with"
    example = "ttft = now - sent" if names[0] == "ttft" else "e2e = now - sent"
    raise no_fit(message, f"write `observe {example};` where the moment has come")


def _workload(
    program: Program, requests: Sequence[MeasuredRequest]
) -> tuple[tuple[TraceSession, ...], ir.Arrival]:
    """The requests as the program's workload: sessions of one turn, and their arrival."""
    arrival = program.ir.arrival
    if program.ir.trace is not None and isinstance(arrival, ir.TraceArrivals):
        timed = (TimedSession([TraceTurn(r.prompt, r.output, 0.0)], r.sent) for r in requests)
        return tuple(timed), ir.TraceArrivals(1.0)
    if program.ir.trace_ordered and isinstance(arrival, ir.Batch):
        sessions = tuple((TraceTurn(r.prompt, r.output, r.sent),) for r in requests)
        return sessions, ir.Batch(len(requests))
    message = f"`{program.name}` does not replay a trace at its own times, so no measured run"
    raise no_fit(message, 'write `arrive trace; trace "requests.csv";` into its workload')
