"""The machine: the clock, the event loop, and *settle*, what happens at one instant in which
order (contract §3, *Flow*, *Ties*).

Events are handled in the order of their time, and at one instant in the order they were
scheduled. After every event the machine settles: every ready session runs, in the order they
became ready, then growers and queues are served at every pool in the order of declaration, until
nothing changes; then ps stages whose jobs changed set their rates and idle engines start
iterations, in the order of declaration. When no event is left at an instant, it is over: gauges
are read and averages recorded, of the state it leaves behind.

Loops over everything are spared where nothing can come of them: `waiting` counts sessions that
settling could admit or let grow, `unsettled` lists stages that may have something to begin, and
`changed` pools and stages whose averages may have moved.

Depends on every other module.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from math import nan

from serq.ir import nodes as ir
from serq.ir.spans import Path
from serq.report.measurements import ObserveMeasurements
from serq.report.options import RunOptions
from serq.semantics.admission import admit
from serq.semantics.cache import Evictor
from serq.semantics.errors import RunError
from serq.semantics.events import EventQueue
from serq.semantics.gauges import Gauges
from serq.semantics.holds import end_lease, give_up
from serq.semantics.pool import Pool
from serq.semantics.preemption import retry_growers, withdraw
from serq.semantics.rng import Streams
from serq.semantics.session import Session, Status
from serq.semantics.stages.delay import Delay
from serq.semantics.stages.fifo import Fifo
from serq.semantics.stages.flows import Flows, Shared, shared_stages
from serq.semantics.stages.ps import Ps
from serq.semantics.stages.stage import Stage
from serq.semantics.stages.step import Step
from serq.semantics.statements import run_session
from serq.semantics.watch import Watch
from serq.semantics.workload import record_sessions, spawn, start_arrivals
from serq.stats.sample_summary import SampleStream
from serq.stats.time_average import TimeAverage
from serq.trace.recorded import Recorded


class Machine:
    """The state of a run: everything that exists, and the clock."""

    __slots__ = (
        "admissions", "arrivals", "changed", "dead_entries", "ended", "events", "flows",
        "gauges", "happened", "jobs", "leases", "live", "live_average", "nobody", "now",
        "observes", "options", "pools", "preemptions", "program", "ready", "recorded",
        "release_number", "sample_streams", "stages", "streams", "turns", "unsettled", "waiting",
        "warm", "watch", "zeroed",
    )  # fmt: skip

    def __init__(self, program: ir.Program, options: RunOptions) -> None:
        self.program = program
        self.options = options
        self.streams = Streams(program.seed)
        self.events = EventQueue()
        self.now = 0.0
        self.warm = program.warmup <= 0.0
        # what there is to do at this instant
        self.ready: deque[Session] = deque()
        self.waiting = 0
        self.unsettled: list[tuple[int, Stage]] = []  # a heap
        self.changed: list[Pool | Stage] = []
        self.watch = Watch(options)
        # numbers given out
        self.jobs = 0
        self.admissions = 0
        self.release_number = 0
        self.dead_entries = 0
        self.leases = 0
        # what the report tells
        self.happened = 0
        self.arrivals = 0
        self.live = 0
        self.ended = 0
        self.turns = 0
        self.preemptions = 0
        self.live_average = TimeAverage()
        self.observes = [ObserveMeasurements(name) for name in program.observes]
        # of a run that keeps no samples
        self.sample_streams = [] if options.samples else [SampleStream() for _ in self.observes]
        self.zeroed: dict[Path, int] = {}
        # what there is
        self.pools = [Pool(i, definition) for i, definition in enumerate(program.pools)]
        self.nobody = [nan] * len(program.attributes)  # the attributes of no session
        self.flows = Flows(program.share)
        self.stages = make_stages(self)
        self.gauges = Gauges(self)
        self.recorded: list[Recorded] | None = None  # the sessions of the trace
        connect(self)

    # --- what rules ask of the machine -------------------------------------------------

    def next_job(self) -> int:
        """The number of the next job."""
        self.jobs += 1
        return self.jobs

    def change(self, owner: Pool | Stage) -> None:
        """What the report says of a pool or stage may be different after this instant."""
        if not owner.changed:
            owner.changed = True
            self.changed.append(owner)

    def unsettle(self, stage: Stage) -> None:
        """The stage may have something to begin when this event is settled."""
        if not stage.unsettled:
            stage.unsettled = True
            heappush(self.unsettled, (stage.index, stage))

    def amount(self, value: float, path: Path) -> float:
        """An amount that was evaluated at `path`; a negative one or NaN is 0, and is noted."""
        if value >= 0.0:
            return value
        self.zeroed[path] = self.zeroed.get(path, 0) + 1
        return 0.0

    def expect_sessions(self, live: int) -> None:
        """Refuse more sessions alive at once than the run may have."""
        limit = self.options.limit_sessions
        if live > limit:
            raise RunError(
                "SQ608",
                f"{live} sessions would be alive at the instant {self.now:.12g}; "
                f"the limit is {limit}",
                help="sessions arrive faster than they end, or the limit is too low",
                path=("arrival",),
            )

    def end(self, session: Session) -> None:
        """The session leaves what it waits for, its holds from the innermost out, its leases.

        Its cached prefixes stay: the cache does not know that it has gone.
        """
        withdraw(self, session)
        session.frames.clear()
        while session.holds:
            for holding in session.holds.pop().holdings:
                give_up(self, session, holding)
        while session.leases:
            end_lease(self, session, session.leases[0])
        session.status = Status.ENDED
        self.live -= 1
        if self.warm:
            self.ended += 1
        if isinstance(self.program.arrival, ir.Closed):
            spawn(self)

    # --- settling ----------------------------------------------------------------------

    def run_ready(self) -> None:
        """Run the ready sessions in the order they became ready."""
        ready, watch = self.ready, self.watch
        while ready:
            session = ready.popleft()
            if session.status is Status.READY or session.status is Status.DEFERRED:
                watch.steps += 1
                if watch.steps >= watch.next_look:
                    watch.look(self, session)
                run_session(self, session)

    def try_all(self) -> None:
        """Serve growers and queues at every pool that no stage serves."""
        if self.waiting:
            for pool in self.pools:
                if pool.growers:
                    retry_growers(self, pool)
                if pool.queue and pool.engine is None:
                    admit(self, pool)

    def settle(self) -> None:
        """Let everything happen that takes no time."""
        while self.ready or self.waiting:
            self.run_ready()
            self.try_all()
            if not self.ready:
                break
        if self.unsettled:
            self.settle_stages()
        if self.flows.touched:
            self.flows.settle(self)

    def settle_stages(self) -> None:
        """Let unsettled stages begin, in the order of declaration.

        A stage that becomes unsettled meanwhile has its turn if the order has not passed it,
        and else at the next settling.
        """
        heap, unsettled = self.events.heap, self.unsettled
        pending = bool(heap) and heap[0][0] <= self.now
        passed = -1
        later = []
        while unsettled:
            index, stage = heappop(unsettled)
            stage.unsettled = False
            if index <= passed:
                later.append(stage)
                continue
            passed = index
            if stage.settle(self, pending):
                later.append(stage)
        for stage in later:
            self.unsettle(stage)

    # --- time ---------------------------------------------------------------------------

    def run(self) -> None:
        """Run to the horizon, or until a limited number of arrivals has drained."""
        program, heap, watch = self.program, self.events.heap, self.watch
        horizon, limited = program.horizon, program.arrivals is not None
        if not self.warm:
            self.events.schedule(program.warmup, do_end_warmup)
        self.recorded = record_sessions(program, self.options)
        start_arrivals(self)
        self.settle()
        while heap:
            time = heap[0][0]
            if time > horizon or (limited and self.drained()):
                break
            if time > self.now:
                self.end_instant()
                self.now = time
            _, _, handler, told = heappop(heap)
            watch.steps += 1
            if watch.steps >= watch.next_look:
                watch.look(self, told[0] if told else None)
            self.happened += 1
            handler(self, *told)
            self.settle()
        self.end_instant()
        if program.arrivals is None:
            self.now = program.horizon
        else:
            self.check_drained(program.arrivals)

    def drained(self) -> bool:
        """Whether all the arrivals a limited run wants have come and gone."""
        wanted = self.program.arrivals
        return wanted is not None and self.live == 0 and self.arrivals >= wanted

    def check_drained(self, wanted: int) -> None:
        """A run of `wanted` arrivals must see them all, and their ends, after the warm-up."""
        program = self.program
        horizon = f"the horizon, {program.horizon:.12g}"
        if self.arrivals < wanted:
            what = f"{self.arrivals} of the {wanted} sessions asked for had arrived by {horizon}"
            way_out = "a later horizon, or fewer arrivals"
        elif self.live:
            what = f"{self.live} of {wanted} sessions are still there at {horizon}"
            way_out = "a later horizon, or less work: the run ends when the last one has ended"
        elif self.now <= program.warmup:
            ended = f"the last session ended at {self.now:.12g}"
            what = f"{ended}, within the warm-up: nothing is measured"
            way_out = f"more arrivals, or a warm-up shorter than {program.warmup:.12g}"
        else:
            return
        raise RunError("SQ605", what, help=way_out, path=("arrivals",))

    def end_instant(self) -> None:
        """Nothing more happens now: read the gauges and record what changed."""
        if self.live != self.live_average.held:
            self.live_average.record(float(self.live), self.now)
        gauges = self.gauges
        if gauges.definitions and (self.changed or not gauges.begun):
            gauges.read(self.now)
        if self.changed:
            for owner in self.changed:
                owner.record(self.now)
            self.changed.clear()
        self.watch.allowed = self.watch.steps + self.options.limit_events


def do_end_warmup(machine: Machine) -> None:
    """Measurement starts: averages start over, samples count from now on."""
    machine.warm = True
    machine.live_average.restart(machine.now)
    owners: list[Pool | Stage] = [*machine.pools, *machine.stages]
    for owner in owners:
        for average in owner.averages():
            average.restart(machine.now)


def make_stages(machine: Machine) -> list[Stage]:
    """The program's stages, each of its kind."""
    program = machine.program
    shared = shared_stages(program)
    stages: list[Stage] = []
    for index, definition in enumerate(program.stages):
        match definition.kind:
            case ir.Ps() if index in shared:
                stages.append(Shared(index, definition, machine.flows))
            case ir.Ps() as kind:
                stages.append(Ps(machine, index, definition, kind))
            case ir.Fifo() as kind:
                stages.append(Fifo(index, definition, kind))
            case ir.Delay():
                stages.append(Delay(index, definition))
            case ir.Step() as kind:
                stages.append(Step(machine, index, definition, kind))
    return stages


def connect(machine: Machine) -> None:
    """Which engine serves which queue, and which pool is whose memory."""
    for pool in machine.pools:
        pool.evictor = Evictor(machine, pool)
        if pool.definition.admit_via is not None:
            engine = machine.stages[pool.definition.admit_via]
            assert isinstance(engine, Step)
            pool.engine = engine
            engine.queues.append(pool)
    for stage in machine.stages:
        if isinstance(stage, Step) and stage.kind.memory is not None:
            stage.memory = machine.pools[stage.kind.memory]
            stage.memory.engines.append(stage)
