"""Flows: one job that holds several ps stages at once (contract §3, *Stages*: `run a, b (w)`).

A stage some run holds together with another is shared for the whole run: every job on it is a
flow, a single-stage one included. A flow's work goes down at one rate at all its stages, which
the program's `share` sets from their capacities. `maxmin`: every rate rises together until a
stage is full, the flows through it stop there, and the others go on. `bottleneck`: each flow has
its equal part of the tightest of its stages. Rates are set once an instant, after the stages have
settled, for the flows connected to those that came or went.

Depends on what every stage is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.ir.arithmetic import maximum
from serq.semantics.stages.stage import Job, Stage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine


class Flow:
    """A job, the stages it holds, the work `remaining` and the `rate` at which it goes down."""

    __slots__ = ("job", "rate", "remaining", "stages")

    def __init__(self, job: Job, stages: list[Shared]) -> None:
        self.job = job
        self.stages = stages
        self.remaining = job.work
        self.rate = 0.0


class Shared(Stage):
    """A ps stage of constant capacity that flows share; its flows by job number, in order."""

    __slots__ = ("capacity", "flows", "group")

    def __init__(self, index: int, definition: ir.Stage, group: Flows) -> None:
        super().__init__(index, definition)
        self.group = group
        assert isinstance(definition.kind, ir.Ps)
        assert isinstance(definition.kind.capacity, ir.Number)
        self.capacity = definition.kind.capacity.value
        self.flows: dict[int, Flow] = {}

    def start(self, machine: Machine, job: Job) -> None:
        """A job that holds this stage alone."""
        self.group.start(machine, job, [self])

    def remove(self, machine: Machine, job: Job) -> None:
        """A flow leaves all its stages."""
        self.group.remove(machine, job)

    def settle(self, machine: Machine, pending: bool) -> bool:
        """Nothing: rates are set for all flows together."""
        del machine, pending
        return False

    def present(self) -> int:
        """Flows here."""
        return len(self.flows)

    def work_left(self, now: float) -> Iterator[float]:
        """What is left of each flow at the present rates."""
        passed = now - self.group.since
        for flow in self.flows.values():
            yield maximum(flow.remaining - flow.rate * passed, 0.0)

    def record(self, now: float) -> None:
        """The instant `now` is over; busy is the part of the capacity that flows carry."""
        self.changed = False
        self.number_average.record(float(len(self.flows)), now)
        carried = 0.0
        for flow in self.flows.values():
            carried += flow.rate
        self.busy_average.record(carried / self.capacity, now)


class Flows:
    """All flows, in the order they started.

    `touched` are the stages at which flows came or went since rates were set; `since` is when
    work was last brought up to date.
    """

    __slots__ = ("epoch", "flows", "share", "since", "touched")

    def __init__(self, share: str | None) -> None:
        self.share = share
        self.flows: dict[int, Flow] = {}
        self.touched: list[Shared] = []
        self.since = 0.0
        self.epoch = 0

    def start(self, machine: Machine, job: Job, stages: list[Shared]) -> None:
        """A job takes its stages at once."""
        self.advance(machine.now)
        flow = Flow(job, stages)
        self.flows[job.number] = flow
        for stage in stages:
            stage.join(machine, job)
            stage.flows[job.number] = flow
        job.stage = stages[0]
        job.started = machine.now
        self.touched.extend(stages)

    def remove(self, machine: Machine, job: Job) -> Flow:
        """A job leaves its stages."""
        self.advance(machine.now)
        flow = self.flows.pop(job.number)
        for stage in flow.stages:
            del stage.flows[job.number]
            machine.change(stage)
        job.stage = None
        self.touched.extend(flow.stages)
        return flow

    def advance(self, now: float) -> None:
        """Let work go down at the present rates up to `now`."""
        passed = now - self.since
        if passed > 0.0:
            for flow in self.flows.values():
                flow.remaining = maximum(flow.remaining - flow.rate * passed, 0.0)
        self.since = now

    def settle(self, machine: Machine) -> None:
        """Flows have come or gone: set rates, and the finish of the first to be done."""
        self.advance(machine.now)
        stages, flows = self.component()
        self.touched = []
        if self.share == "maxmin":
            share_maxmin(stages, flows)
        else:
            share_bottleneck(flows)
        for stage in stages:
            machine.change(stage)
        self.epoch += 1
        first: tuple[float, int] | None = None
        for flow in self.flows.values():
            if flow.rate > 0.0:
                wait = maximum(flow.remaining / flow.rate, 0.0)  # inf / inf is no time
                finish = (machine.now + wait, flow.job.number)
                first = finish if first is None else min(first, finish)
        if first is not None:
            time, number = first
            stage = self.flows[number].stages[0]
            machine.events.schedule(time, do_finish, stage, number, self.epoch)

    def component(self) -> tuple[list[Shared], list[Flow]]:
        """The stages that flows connect to the touched ones, and the flows on them.

        Stages in the order of declaration, flows in the order they started.
        """
        found: dict[int, Shared] = {}
        flows: dict[int, Flow] = {}
        pending = list(self.touched)
        while pending:
            stage = pending.pop()
            if stage.index in found:
                continue
            found[stage.index] = stage
            for number, flow in stage.flows.items():
                if number not in flows:
                    flows[number] = flow
                    pending.extend(flow.stages)
        return [found[i] for i in sorted(found)], [flows[i] for i in sorted(flows)]


def shared_stages(program: ir.Program) -> set[int]:
    """The indices of the stages that some run holds together with another, whole arrays."""
    shared: set[int] = set()
    for block in program.blocks:
        for statement in block:
            if isinstance(statement, ir.Run) and statement.also:
                for reference in (statement.stage, *statement.also):
                    shared.update(range(reference.base, reference.base + reference.count))
    return shared


def share_bottleneck(flows: list[Flow]) -> None:
    """Each flow has its equal part of the tightest of its stages."""
    for flow in flows:
        flow.rate = min(stage.capacity / len(stage.flows) for stage in flow.stages)


def share_maxmin(stages: list[Shared], flows: list[Flow]) -> None:
    """The stage that fills first fixes the rate of its flows; then the next, without them."""
    left = {stage.index: stage.capacity for stage in stages}
    rising = {stage.index: len(stage.flows) for stage in stages}
    unfixed = list(flows)
    while unfixed:
        full = min(
            (stage for stage in stages if rising[stage.index]),
            key=lambda stage: left[stage.index] / rising[stage.index],
        )
        rate = maximum(left[full.index] / rising[full.index], 0.0)
        stopped = [flow for flow in unfixed if full in flow.stages]
        unfixed = [flow for flow in unfixed if full not in flow.stages]
        for flow in stopped:
            flow.rate = rate
            for stage in flow.stages:
                left[stage.index] -= rate
                rising[stage.index] -= 1


def do_finish(machine: Machine, stage: Shared, number: int, epoch: int) -> None:
    """The first flow to be done is done, at each of its stages; stale when rates were set anew."""
    group = stage.group
    if epoch != group.epoch:
        return
    flow = group.remove(machine, group.flows[number].job)
    for other in flow.stages[1:]:
        other.count(machine, flow.job)
    flow.stages[0].done(machine, flow.job)
