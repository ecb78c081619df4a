"""What an iteration schedules (contract §3, *Stages*: `step`, and *Pools*: `admit via`).

The residents take tokens in the serving order until the budget is spent: one a decoding job, the
rest of its prompt or a `chunk` of it a prefilling one. A growing job first grows its hold to
where these tokens will take it, which may preempt residents, even the one being served. Then the
stage admits from the queues it serves while budget is left, unless this iteration preempted; who
is admitted joins the residents and is served at once.

`serve exclusive prefill` makes an iteration one prefill alone, or decodes only. A resident
prefill goes first. Otherwise decodes are scheduled tentatively, and while budget is left a
waiting prefill that fits displaces them all and has the full budget.

Depends on admission and growth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.ir.arithmetic import minimum
from serq.semantics.admission import admit_for
from serq.semantics.expressions import evaluate
from serq.semantics.numbers import order
from serq.semantics.pool import SLACK
from serq.semantics.preemption import grow
from serq.semantics.session import Status

if TYPE_CHECKING:
    from serq.semantics.machine import Machine
    from serq.semantics.stages.step import Step, StepJob


class Plan:
    """An iteration in the making: the budget, what is `left` of it, and who is served so far.

    `preemptions` is how many the run had seen when the plan began.
    """

    __slots__ = ("batch", "budget", "chunk", "exclusive", "left", "preemptions", "prefills_only")

    def __init__(self, exclusive: bool) -> None:
        self.exclusive = exclusive
        self.budget = 0.0
        self.chunk = 0.0
        self.left = 0.0
        self.batch: list[StepJob] = []
        self.preemptions = 0
        self.prefills_only = False  # exclusive: a prefill is resident, decodes wait

    def begin(
        self, machine: Machine, budget: float, chunk: float, residents: list[StepJob]
    ) -> None:
        """Nobody is served yet."""
        self.budget = self.left = budget
        self.chunk = chunk
        self.batch = []
        self.preemptions = machine.preemptions
        if self.exclusive:
            self.prefills_only = any(not job.decoding for job in residents)

    def forget(self, job: StepJob) -> None:
        """A job was preempted: if it had been served, its tokens return to the budget."""
        if job in self.batch:
            self.batch.remove(job)
            self.left += job.tokens


def make_plan(machine: Machine, stage: Step, plan: Plan) -> None:
    """Serve residents and admit, until the budget is spent or nobody is left to serve."""
    stage.plans += 1
    number = stage.plans
    line = serving_order(machine, stage)
    changes = stage.changes
    at = 0
    while True:
        if changes != stage.changes or stage.keys_live:
            line, changes, at = serving_order(machine, stage), stage.changes, 0
        while at < len(line) and line[at].planned == number:
            at += 1
        if at == len(line):
            if not admit_one(machine, stage, plan):
                return
            continue
        job = line[at]
        job.planned = number
        if serve(machine, plan, job):
            if plan.exclusive and not job.decoding:
                return
            if plan.left <= 0.0:
                return


def serving_order(machine: Machine, stage: Step) -> list[StepJob]:
    """Residents by the `serve by` keys, ties in admission order, in which they are kept."""
    serve_by = stage.kind.serve
    if isinstance(serve_by, ir.ExclusivePrefill) or not serve_by.keys:
        return stage.residents
    scope = stage.scope
    keyed: list[tuple[list[int], int, StepJob]] = []
    for job in stage.residents:
        scope.decoding = 1.0 if job.decoding else 0.0
        scope.admission = 0.0 if job.session is None else job.session.admission
        scope.remaining = job.left
        scope.session = job.session
        scope.attributes = machine.nobody if job.session is None else job.session.attributes
        keys = [order(evaluate(key, scope)) for key in serve_by.keys]
        keyed.append((keys, len(keyed), job))
    scope.session, scope.attributes = None, machine.nobody
    keyed.sort()
    return [job for _, _, job in keyed]


def serve(machine: Machine, plan: Plan, job: StepJob) -> bool:
    """Give a resident its tokens; False when it gets none."""
    available = plan.left
    if plan.exclusive:
        if job.decoding and plan.prefills_only:
            return False
        if not job.decoding:
            available = plan.budget
    tokens = minimum(job.want(plan.chunk), available)
    if tokens <= 0.0:
        return False
    holding = job.growing
    if holding is not None:
        if holding.hold.session.status is Status.GROWING:
            return False
        need = holding.position + tokens - holding.allocated
        if need > SLACK and not grow(machine, holding, need):
            return False
    if plan.exclusive and not job.decoding:
        plan.batch = []
        plan.left = plan.budget
    job.tokens = tokens
    plan.batch.append(job)
    plan.left -= tokens
    return True


def admit_one(machine: Machine, stage: Step, plan: Plan) -> bool:
    """Admit from the queues the stage serves, and let who was admitted go to its run."""
    if not plan.left > 0.0 or machine.preemptions != plan.preemptions:
        return False
    left = plan.budget if plan.exclusive else plan.left
    if not admit_for(machine, stage, left):
        return False
    machine.run_ready()
    return True
