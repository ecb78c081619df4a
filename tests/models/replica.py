"""`replica` by hand: an engine that decodes first, a memory of prefixes, returning sessions."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import simpy

from tests.models.servers import Memory, Process
from tests.models.sessions import Sessions
from tests.models.two_samples import Numbers, summary

BUDGET = 512
AGAIN = 0.85
THINK = 8.0
DECODE_SECONDS = 4e-5
PREFILL_SECONDS = 5e-5


@dataclass(eq=False)
class Request:
    """What is left to compute of a request, in order of admission."""

    number: int
    prefill: float
    decode: float
    first: simpy.Event
    last: simpy.Event
    tokens: float = field(default=0.0)


class Engine:
    """Iterations, one after another while anyone is there."""

    def __init__(self, env: simpy.Environment, step_seconds: float) -> None:
        self.env = env
        self.step_seconds = step_seconds
        self.requests: list[Request] = []
        self.came = env.event()
        env.process(self.iterate())

    def add(self, request: Request) -> None:
        self.requests.append(request)
        if not self.came.triggered:
            self.came.succeed()

    def iterate(self) -> Process:
        while True:
            if not self.requests:
                self.came = self.env.event()
                yield self.came
            yield self.env.timeout(0)  # whoever comes at this moment is seen
            budget = float(BUDGET)
            decoding = [r for r in self.requests if r.prefill <= 0][:BUDGET]
            budget -= len(decoding)
            chunks: list[tuple[Request, float]] = []
            for request in self.requests:
                if request.prefill > 0 and budget > 0:
                    chunk = min(request.prefill, budget)
                    chunks.append((request, chunk))
                    budget -= chunk
            prefilled = sum(chunk for _, chunk in chunks)
            cost = self.step_seconds + DECODE_SECONDS * len(decoding) + PREFILL_SECONDS * prefilled
            yield self.env.timeout(cost)
            for request in decoding:
                request.decode -= 1
            for request, chunk in chunks:
                request.prefill -= chunk
                if request.prefill <= 0:
                    request.first.succeed()
            for request in [r for r in self.requests if r.prefill <= 0 and r.decode <= 0]:
                self.requests.remove(request)
                request.last.succeed()


class Replica:
    """The engine with its memory, and what is measured there."""

    def __init__(
        self, env: simpy.Environment, engine: Engine, memory: Memory, start: float
    ) -> None:
        self.env = env
        self.engine = engine
        self.memory = memory
        self.start = start
        self.admitted = 0
        self.samples: dict[str, list[float]] = {"hit": [], "ttft": [], "response": []}

    def enter(self, number: int) -> None:
        """Nothing is known of a session yet."""

    def answer(self, number: int, prompt: int, answer: int) -> Process:
        """Wait for memory, then for the engine."""
        sent = self.env.now
        found = yield self.memory.take(number, prompt + answer)
        self.measure("hit", float(found > 0))
        self.admitted += 1
        first, last = self.env.event(), self.env.event()
        self.engine.add(Request(self.admitted, prompt - found, answer - 1, first, last))
        yield first
        self.measure("ttft", self.env.now - sent)
        yield last
        self.memory.give_back(number, prompt + answer)
        self.measure("response", self.env.now - sent)

    def leave(self, number: int) -> None:
        """Its prefix is of no use any more."""
        self.memory.forget(number)

    def measure(self, name: str, value: float) -> None:
        if self.env.now > self.start:
            self.samples[name].append(value)


def run(seed: int, *, rate: float, step_seconds: float, kv_tokens: float, until: float) -> Numbers:
    """Mean hit, TTFT and response, and the p90 of the response; the first fifth is left out."""
    env, rng = simpy.Environment(), random.Random(seed)
    memory, engine = Memory(env, kv_tokens), Engine(env, step_seconds)
    replica = Replica(env, engine, memory, until / 5)
    sessions = Sessions(rate, first=(500, 2000), more=300, answers=120, again=AGAIN, think=THINK)
    sessions.start(env, rng, replica)
    env.run(until)
    return summary(replica.samples)
