"""Parts of the hand-written models, on SimPy: processor sharing, and a memory with prefixes.

Written from queueing theory and the examples' headers, without a look at serQ's engines.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Generator
from typing import Any

import simpy

Process = Generator[simpy.Event, Any, Any]


class SharedServer:
    """Everyone present is served at once, at min(1, batch / present)."""

    def __init__(self, env: simpy.Environment, batch: float) -> None:
        self.env = env
        self.batch = batch
        self.left: dict[simpy.Event, float] = {}
        self.updated = 0.0
        self.epoch = 0

    def advance(self) -> None:
        """Take the work done since the last change off what is left."""
        if self.left:
            rate = min(1.0, self.batch / len(self.left))
            for job in self.left:
                self.left[job] -= rate * (self.env.now - self.updated)
        self.updated = self.env.now

    def serve(self, work: float) -> simpy.Event:
        """An event that happens when so much work is done."""
        self.advance()
        job = self.env.event()
        self.left[job] = work
        self.plan()
        return job

    def plan(self) -> None:
        """Wake up when the job with the least left is done, unless something changes before."""
        self.epoch += 1
        if self.left:
            rate = min(1.0, self.batch / len(self.left))
            self.env.process(self.wake(min(self.left.values()) / rate, self.epoch))

    def wake(self, delay: float, epoch: int) -> Process:
        yield self.env.timeout(max(delay, 0.0))
        if epoch != self.epoch:
            return
        self.advance()
        least = min(self.left.values())
        for job in [job for job, left in self.left.items() if left <= least + 1e-12]:
            del self.left[job]
            job.succeed()
        self.plan()

    def work(self) -> float:
        """Work left of everyone present."""
        self.advance()
        return sum(self.left.values())


class Memory:
    """Units that requests hold and finished sessions leave behind; the oldest leftovers go first.

    Requests are let in in the order they came, and the first that does not fit keeps the others
    out.
    """

    def __init__(self, env: simpy.Environment, units: float) -> None:
        self.env = env
        self.units = units
        self.held = 0.0
        self.prefixes: OrderedDict[int, float] = OrderedDict()
        self.line: deque[tuple[int, float, simpy.Event]] = deque()

    def take(self, session: int, units: float) -> simpy.Event:
        """An event with how much of the session's own prefix was still there."""
        let_in = self.env.event()
        self.line.append((session, units, let_in))
        self.admit()
        return let_in

    def admit(self) -> None:
        while self.line and self.held + self.line[0][1] <= self.units:
            session, units, let_in = self.line.popleft()
            found = self.prefixes.pop(session, 0.0)
            while self.held + units + sum(self.prefixes.values()) > self.units:
                self.prefixes.popitem(last=False)
            self.held += units
            let_in.succeed(found)

    def give_back(self, session: int, units: float) -> None:
        """The request is over; all of its units stay as the session's prefix."""
        self.held -= units
        self.prefixes[session] = units
        self.admit()

    def forget(self, session: int) -> None:
        """The session's prefix goes."""
        self.prefixes.pop(session, None)
