"""`step`: an engine that runs iterations (contract §3, *Stages*).

An iteration hands a budget of tokens to the residents and then to requests it admits; what it
scheduled decides how long it lasts, and its tokens are applied when it ends. An idle engine with
residents, or with somebody in a queue it serves, starts an iteration once nothing else happens
at the same instant: a scheduler step sees every arrival up to it. Which tokens an iteration
schedules is in `serq.semantics.stages.planning`; here are the residents, and how an iteration
starts and ends.

Depends on planning, expressions and what every stage is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.ir.arithmetic import maximum, minimum
from serq.semantics.errors import RunError
from serq.semantics.expressions import evaluate, reads_context, reads_live_state
from serq.semantics.scope import Scope
from serq.semantics.session import BEFORE_ANY, Holding, Session
from serq.semantics.stages.composition import Composition
from serq.semantics.stages.planning import Plan, make_plan
from serq.semantics.stages.stage import Job, Stage
from serq.semantics.stages.tokens import record_token
from serq.stats.log_histogram import LogHistogram
from serq.stats.time_average import TimeAverage

if TYPE_CHECKING:
    from serq.semantics.machine import Machine
    from serq.semantics.pool import Pool

DONE = 1e-9
"""A run with no more tokens left than this is done."""

_TOTALS = frozenset({"residents", "decoders", "kv_decode", "kv_prefill"})


class StepJob(Job):
    """A resident: the tokens `left`, and `growing`, the allocation that grows with them.

    `planned` is the number of the plan that served it last, `tokens` what that plan gave it.
    """

    __slots__ = ("decoding", "growing", "left", "planned", "tokens")

    def __init__(
        self,
        number: int,
        session: Session | None,
        work: float,
        *,
        decoding: bool,
        growing: Holding | None,
    ) -> None:
        super().__init__(number, session, work)
        self.left = work
        self.decoding = decoding
        self.growing = growing
        self.planned = 0
        self.tokens = 0.0

    def admission(self) -> float:
        """Its place among the residents: when its session was admitted last."""
        return BEFORE_ANY if self.session is None else self.session.admission

    def want(self, chunk: float) -> float:
        """Tokens it would take of a budget without end; a `chunk` of 0 or less is no cap."""
        if self.decoding:
            return self.left if self.left < 1.0 else 1.0
        return minimum(self.left, chunk) if chunk > 0.0 else self.left


class Step(Stage):
    """An engine: its residents in admission order, and the iteration that runs, if one does.

    `plan` is that iteration, or the one in the making; `queues` are the pools whose admission
    the engine does. `changes` counts comings and goings, `plans` the plans made.
    """

    __slots__ = (
        "changes", "composition", "gaps", "inquiry", "keys_live", "kind", "memory", "plan",
        "plans", "queues", "recorded", "residents", "running", "scope", "totals_read",
    )  # fmt: skip

    def __init__(self, machine: Machine, index: int, definition: ir.Stage, kind: ir.Step) -> None:
        super().__init__(index, definition)
        self.kind = kind
        self.memory: Pool | None = None
        self.queues: list[Pool] = []
        self.residents: list[StepJob] = []
        self.running = False
        self.plan = Plan(isinstance(kind.serve, ir.ExclusivePrefill))
        self.plans = 0
        self.changes = 0
        self.scope = Scope(machine, machine.streams.session)  # of the plan
        self.inquiry = Scope(machine, machine.streams.session)  # of `budget_left`
        self.gaps = LogHistogram()
        self.composition = Composition()
        self.recorded = (0, 0, 0)  # residents, decodes and prefills an instant left last
        keys = kind.serve.keys if isinstance(kind.serve, ir.ServeBy) else ()
        self.keys_live = reads_live_state(keys)
        self.totals_read = reads_context((kind.budget, kind.chunk, *keys), _TOTALS)

    # --- residents -------------------------------------------------------------------

    def start(self, machine: Machine, job: Job) -> None:
        """A job becomes a resident, behind those whose sessions were admitted before.

        One that says no more than how much it is (a spill's) is a prefill of that many tokens.
        """
        if not isinstance(job, StepJob):
            job = StepJob(job.number, job.session, job.work, decoding=False, growing=None)
        self.join(machine, job)
        job.started = machine.now
        at = bisect_right(self.residents, job.admission(), key=StepJob.admission)
        self.residents.insert(at, job)
        self.changes += 1
        machine.unsettle(self)

    def remove(self, machine: Machine, job: Job) -> None:
        """A resident leaves; a running iteration goes on without it, as long as planned."""
        assert isinstance(job, StepJob)
        job.stage = None
        self.residents.remove(job)
        self.plan.forget(job)
        self.changes += 1
        machine.change(self)

    def present(self) -> int:
        """Residents."""
        return len(self.residents)

    def busy(self) -> int:
        """Residents that the running iteration serves."""
        return len(self.plan.batch) if self.running else 0

    def work_left(self, now: float) -> Iterator[float]:  # noqa: ARG002
        """Tokens left of each resident, in the order they started."""
        for job in sorted(self.residents, key=lambda job: job.number):
            yield job.left

    # --- the budget ------------------------------------------------------------------

    def evaluate_budget(self, scope: Scope) -> tuple[float, float]:
        """The budget, then the chunk; both may read the residents' totals."""
        if self.totals_read:
            self.count_totals(scope, self.residents)
        return evaluate(self.kind.budget, scope), evaluate(self.kind.chunk, scope)

    def count_totals(self, scope: Scope, jobs: list[StepJob]) -> None:
        """Fill in `residents`, and for these jobs `decoders`, `kv_decode` and `kv_prefill`."""
        memory = self.memory
        decoders = 0
        kv_decode = kv_prefill = 0.0
        for job in jobs:
            held = 0.0
            if memory is not None and job.session is not None:
                held = job.session.allocated(memory)
            if job.decoding:
                decoders += 1
                kv_decode += held
            else:
                kv_prefill += held
        scope.residents = float(len(self.residents))
        scope.decoders = float(decoders)
        scope.kv_decode = kv_decode
        scope.kv_prefill = kv_prefill

    def budget_left(self) -> float:
        """The budget less what the residents would take now; not below 0."""
        budget, chunk = self.evaluate_budget(self.inquiry)
        wanted = 0.0
        for job in self.residents:
            wanted += job.want(chunk)
        left = budget - wanted
        return left if left > 0.0 else 0.0

    # --- iterations ------------------------------------------------------------------

    def settle(self, machine: Machine, pending: bool) -> bool:
        """Start an iteration if the engine is idle and there is somebody to serve or admit."""
        if self.running or not (self.residents or any(pool.queue for pool in self.queues)):
            return False
        if not pending:
            try:
                self.begin(machine)
            except RunError as error:
                raise error.placed(("stages", self.index)) from None
        return not self.running

    def begin(self, machine: Machine) -> None:
        """Plan an iteration, and start it unless it schedules nothing.

        One that only preempted is a scheduler step as well: it lasts its cost at zero tokens,
        and the next one may admit the victim again.
        """
        plan = self.plan
        budget, chunk = self.evaluate_budget(self.scope)
        plan.begin(machine, budget, chunk, self.residents)
        make_plan(machine, self, plan)
        if not plan.batch and machine.preemptions == plan.preemptions:
            return
        scope = self.scope
        tokens = prefilled = attention = 0.0
        for job in plan.batch:
            tokens += job.tokens
            holding = job.growing
            if not job.decoding:
                position = 0.0 if holding is None else holding.position
                prefilled += job.tokens
                attention += job.tokens * (position + job.tokens / 2.0)
            if holding is not None:
                holding.position += job.tokens
                holding.hold.grown = True
        self.count_totals(scope, plan.batch)
        scope.tokens, scope.prefilled, scope.attention = tokens, prefilled, attention
        cost = maximum(evaluate(self.kind.cost, scope), 0.0)
        self.running = True
        self.iterations += 1
        decodes = int(scope.decoders)
        self.composition.begin(decodes, len(plan.batch) - decodes, cost, machine.warm)
        machine.change(self)
        machine.events.schedule(machine.now + cost, do_iteration_end, self)

    # --- statistics ------------------------------------------------------------------

    def averages(self) -> tuple[TimeAverage, ...]:
        """Its time averages."""
        return (*super().averages(), *self.composition.averages())

    def record(self, now: float) -> None:
        """The instant `now` is over; most leave another iteration like the one before."""
        composition = self.composition
        shape = (len(self.residents), composition.decodes, composition.prefills)
        if shape == self.recorded:
            self.changed = False
            return
        self.recorded = shape
        super().record(now)
        composition.record(now)


def do_iteration_end(machine: Machine, stage: Step) -> None:
    """The iteration's tokens are applied, and runs with none left are done, in batch order."""
    stage.running = False
    stage.composition.end()
    machine.change(stage)
    machine.unsettle(stage)
    done = []
    for job in stage.plan.batch:
        job.left -= job.tokens
        finished = job.left <= DONE
        if finished:
            done.append(job)
        if job.session is not None and (finished or job.decoding):
            record_token(machine, stage, job.session, job.decoding)
    for job in done:
        stage.residents.remove(job)
        stage.changes += 1
        stage.done(machine, job)
