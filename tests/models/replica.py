"""`replica` by hand: an engine that decodes first, a memory of prefixes, returning sessions."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import simpy

from tests.models.servers import Memory, Process
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


def run(seed: int, *, rate: float, step_seconds: float, kv_tokens: float, until: float) -> Numbers:
    """Mean hit, TTFT and response, and the p90 of the response; the first fifth is left out."""
    env, rng = simpy.Environment(), random.Random(seed)
    memory, engine = Memory(env, kv_tokens), Engine(env, step_seconds)
    hits: list[float] = []
    ttfts: list[float] = []
    responses: list[float] = []
    admitted = 0

    def session(number: int) -> Process:
        nonlocal admitted
        said = 0
        while True:
            if said == 0:
                new = math.ceil(rng.uniform(500, 2000))
            else:
                new = math.ceil(rng.expovariate(1 / 300))
            answer = math.ceil(rng.expovariate(1 / 120))
            sent, prompt = env.now, said + new
            found = yield memory.take(number, prompt + answer)
            measured = env.now > until / 5
            if measured:
                hits.append(float(found > 0))
            admitted += 1
            request = Request(admitted, prompt - found, answer - 1, env.event(), env.event())
            engine.add(request)
            yield request.first
            if env.now > until / 5:
                ttfts.append(env.now - sent)
            yield request.last
            memory.give_back(number, prompt + answer)
            if env.now > until / 5:
                responses.append(env.now - sent)
            said = prompt + answer
            if rng.random() >= AGAIN:
                memory.forget(number)
                return
            yield env.timeout(rng.expovariate(1 / THINK))

    def arrivals() -> Process:
        number = 0
        while True:
            env.process(session(number))
            number += 1
            yield env.timeout(rng.expovariate(rate))

    env.process(arrivals())
    env.run(until)
    return summary({"hit": hits, "ttft": ttfts, "response": responses})
