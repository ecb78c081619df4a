"""What serQ does with a scenario.

`simulate` runs the program on an engine; the outcomes say when everything happened. `watch` runs
it on the executable definition and writes down every iteration as well.

Depends on the engines and, to watch, on the semantics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from serq.diagnostics import SerqError
from serq.engines import engine as find_engine
from serq.oracle.program import compile_scenario, trace_of
from serq.oracle.scenario import Outcome, Scenario, Totals
from serq.oracle.steps import Ran, Request, Scheduled, Step
from serq.report.measurements import Measurements
from serq.report.options import RunOptions
from serq.semantics import room_for_depth
from serq.semantics.errors import RunError
from serq.semantics.machine import Machine
from serq.semantics.measure import measure
from serq.semantics.session import Session
from serq.semantics.stages.step import Step as StepStage


def simulate(
    scenario: Scenario,
    engine: str | None = None,
    version: str = "",
    defs: Mapping[str, str] | None = None,
) -> Ran:
    """Run a scenario on an engine, as `version` of vLLM (the recorded one without it) would.

    `defs` replaces bodies of the library's expression definitions. Raises `SerqError` for an
    error of the run, or an engine that is not there.
    """
    program = compile_scenario(scenario, version, defs)
    options = RunOptions(trace=trace_of(scenario), spans=program.spans)
    measured = find_engine(engine).run(program.ir, options)
    if measured.partial:
        raise KeyboardInterrupt  # half a run says nothing
    return _ran(scenario, measured)


def watch(scenario: Scenario, version: str = "") -> Ran:
    """Run a scenario on the executable definition, and note its iterations.

    Raises `SerqError` for an error of the run.
    """
    program = compile_scenario(scenario, version)
    options = RunOptions(trace=trace_of(scenario), spans=program.spans)
    machine = Machine(program.ir, options)
    steps = _note_steps(machine, scenario)
    try:
        with room_for_depth(program.ir):
            machine.run()
    except RunError as error:
        raise SerqError([error.diagnostic(options.spans, machine.now)]) from None
    ran = _ran(scenario, measure(machine, partial=False))
    return _with_steps(scenario, ran, steps)


def _ran(scenario: Scenario, measured: Measurements) -> Ran:
    """The observed moments of every request, in (session, turn) order."""
    observed = {each.name: each for each in measured.observes}
    first = observed["sent"]
    keys = sorted(zip(first.sessions, first.turns, range(len(first.samples)), strict=True))
    outcomes = []
    for _, _, at in keys:
        outcomes.append(
            Outcome(
                sent=observed["sent"].samples[at],
                admitted=observed["admitted"].samples[at],
                first=observed["first"].samples[at],
                last=observed["last"].samples[at],
                cached=int(observed["cached"].samples[at]),
                preemptions=int(observed["preemptions"].samples[at]),
                found_again=int(observed["found_again"].samples[at]),
            )
        )
    stage = next(each for each in measured.stages if each.name == "engine")
    pool = next(each for each in measured.pools if each.name == "kv")
    totals = Totals(
        iterations=stage.iterations,
        preemptions=pool.preemptions,
        evicted_blocks=round(pool.evicted_units / scenario.config.block_size),
        end=max((each.last for each in outcomes), default=0.0),
    )
    return Ran(tuple(outcomes), totals)


def _note_steps(machine: Machine, scenario: Scenario) -> list[Step]:
    """Have the engine note every iteration that it begins, here."""
    steps: list[Step] = []
    names = [[(turn.session, turn.turn) for turn in session] for session in scenario.sessions]

    def name(session: Session) -> Request:
        turn = int(session.attributes[machine.program.slots.turn_no])
        return names[session.serial][turn - 1]

    class Noting(StepStage):
        """The engine, which notes what it begins."""

        __slots__ = ()

        def begin(self, machine: Machine) -> None:
            before = list(self.residents)
            count = self.iterations
            super().begin(machine)
            if self.iterations == count:
                return
            batch = []
            for job in self.plan.batch:
                assert job.session is not None
                assert job.growing is not None
                position = job.growing.position - job.tokens
                batch.append(Scheduled(name(job.session), round(position), round(job.tokens)))
            gone = [job for job in before if job not in self.residents]
            preempted = sorted(name(job.session) for job in gone if job.session is not None)
            latest = machine.events.scheduled - 1  # the end of the iteration
            end = next(time for time, number, *_ in machine.events.heap if number == latest)
            steps.append(Step(machine.now, end, tuple(batch), tuple(preempted)))

    for stage in machine.stages:
        if isinstance(stage, StepStage):
            stage.__class__ = Noting
    return steps


def _with_steps(scenario: Scenario, ran: Ran, steps: list[Step]) -> Ran:
    """The run with the numbers of the steps, and what each later admission found."""
    ends = {step.end: number for number, step in enumerate(steps, 1)}
    admitted: dict[Request, list[tuple[int, int]]] = {}
    running: set[Request] = set()
    for number, step in enumerate(steps, 1):
        running.difference_update(step.preempted)
        for each in step.batch:
            if each.request not in running:
                running.add(each.request)
                admitted.setdefault(each.request, []).append((number, each.computed))
    outcomes = []
    for turn, outcome in zip(scenario.turns, ran.outcomes, strict=True):
        admissions = admitted[turn.session, turn.turn]
        outcomes.append(
            replace(
                outcome,
                admitted_step=admissions[0][0],
                first_step=ends[outcome.first],
                last_step=ends[outcome.last],
                readmit_cached=tuple(found for _, found in admissions[1:]),
            )
        )
    return Ran(tuple(outcomes), ran.totals, steps)
