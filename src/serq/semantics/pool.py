"""A pool: counted units of memory, slots, or anything a session may hold (contract §3, *Pools*).

Units are allocated to holders, in whole blocks when the pool has a block; what they leave may
hold cached prefixes, which never stand in the way of an allocation. In every reachable state
allocated + cached ≤ cap. Data, rounding, and the two changes of the allocation; the cache is in
`serq.semantics.cache`, the queue in `serq.semantics.admission`.

Depends on arithmetic and statistics.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from serq.ir import nodes as ir
from serq.ir.arithmetic import ceil, floor
from serq.stats.running_moments import RunningMoments
from serq.stats.time_average import TimeAverage

if TYPE_CHECKING:
    from serq.semantics.cache import Entry, Evictor
    from serq.semantics.machine import Machine
    from serq.semantics.session import Holding, Session, Waiting
    from serq.semantics.stages.step import Step

SLACK = 1e-9
"""Units by which a sum of doubles may pass a bound that it meets."""


class Pool:
    """A pool and everything that is in it.

    `holders` is in admission order, a session with several holds once for each; `entries` is
    the cache by session number (dead entries have numbers of their own); `queue` are the hold
    statements that wait here, `growers` the sessions that wait for room to grow. `engine` is
    the step stage that serves the queue, `engines` those whose memory the pool is.
    """

    __slots__ = (
        "admissions",
        "block",
        "cached",
        "cached_average",
        "cap",
        "changed",
        "definition",
        "engine",
        "engines",
        "entries",
        "evicted_entries",
        "evicted_units",
        "evictor",
        "growers",
        "holders",
        "holders_average",
        "index",
        "preemptions",
        "queue",
        "queue_average",
        "rejected",
        "spilling",
        "spills",
        "stuck",
        "used",
        "used_average",
        "wait",
    )

    evictor: Evictor

    def __init__(self, index: int, definition: ir.Pool) -> None:
        self.index = index
        self.definition = definition
        self.cap = definition.cap
        self.block = definition.block
        self.used = 0.0
        self.cached = 0.0
        self.holders: list[Holding] = []
        self.entries: dict[int, Entry] = {}
        self.queue: deque[Waiting] = deque()
        self.growers: deque[Session] = deque()
        self.spilling = False  # its evicted units are on their way to a tier
        self.engine: Step | None = None
        self.engines: list[Step] = []
        # what the report tells, over the whole run
        self.admissions = 0
        self.evicted_entries = 0
        self.evicted_units = 0.0
        self.preemptions = 0
        self.spills = 0
        self.rejected = 0
        self.stuck = 0
        self.wait = RunningMoments()
        self.changed = False  # in this instant: its averages are to be recorded at its end
        self.used_average = TimeAverage()
        self.cached_average = TimeAverage()
        self.queue_average = TimeAverage()
        self.holders_average = TimeAverage()

    def averages(self) -> tuple[TimeAverage, ...]:
        """Its time averages."""
        return (
            self.used_average, self.cached_average, self.queue_average, self.holders_average,
        )  # fmt: skip

    def record(self, now: float) -> None:
        """The instant `now` is over."""
        self.changed = False
        self.used_average.record(self.used, now)
        self.cached_average.record(self.cached, now)
        self.queue_average.record(float(len(self.queue)), now)
        self.holders_average.record(float(len(self.holders)), now)

    def round_up(self, units: float) -> float:
        """The units of the whole blocks that `units` need."""
        if self.block is None:
            return units
        return ceil(units / self.block) * self.block

    def round_down(self, units: float) -> float:
        """The units of the whole blocks within `units`."""
        if self.block is None:
            return units
        return floor(units / self.block) * self.block

    def has_room(self, units: float) -> bool:
        """Whether `units` fit next to what is allocated; cached prefixes make way."""
        return self.used + units <= self.cap + SLACK

    def allocate(self, machine: Machine, units: float) -> None:
        """Take `units`, for which the cache has made room."""
        self.used += units
        machine.change(self)

    def give_back(self, machine: Machine, holding: Holding) -> None:
        """A holder leaves and its units are free."""
        self.used -= holding.allocated
        self.holders.remove(holding)
        machine.change(self)
