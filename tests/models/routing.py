"""`routing` by hand: a router, four shared servers, a memory of prefixes at each."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import simpy

from tests.models.servers import Memory, Process, SharedServer
from tests.models.two_samples import Numbers, summary

REPLICAS = 4
BATCH = 4
AGAIN = 0.8
THINK = 6.0
PREFILL_RATE = 8000
DECODE_TIME = 0.008


def run(seed: int, *, policy: int, rate: float, kv_tokens: float, until: float) -> Numbers:
    """Mean hit and response, and the p90 of the response; the first fifth is left out."""
    env, rng = simpy.Environment(), random.Random(seed)
    servers = [SharedServer(env, BATCH) for _ in range(REPLICAS)]
    memories = [Memory(env, kv_tokens) for _ in range(REPLICAS)]
    hits: list[float] = []
    responses: list[float] = []

    def seconds(computed: float, answer: float) -> float:
        return computed / PREFILL_RATE + answer * DECODE_TIME

    def least(key: Callable[[int], float]) -> int:
        return min(range(REPLICAS), key=lambda at: (key(at), at))

    def choose(session: int, home: int, prompt: float, answer: float) -> int:
        if policy == 0:
            return rng.randrange(REPLICAS)
        if policy == 1:
            return home
        if policy == 2:
            return least(lambda at: len(servers[at].left))
        if policy == 3:
            return least(lambda at: servers[at].work())
        return least(
            lambda at: (
                servers[at].work() / BATCH
                + seconds(prompt - memories[at].prefixes.get(session, 0.0), answer)
            )
        )

    def session(number: int) -> Process:
        said, home = 0, rng.randrange(REPLICAS)
        while True:
            if said == 0:
                new = math.ceil(rng.uniform(500, 4000))
            else:
                new = math.ceil(rng.expovariate(1 / 400))
            answer = math.ceil(rng.expovariate(1 / 150))
            sent, prompt = env.now, said + new
            at = choose(number, home, prompt, answer)
            found = yield memories[at].take(number, prompt + answer)
            if env.now > until / 5:
                hits.append(float(found > 0))
            yield servers[at].serve(seconds(prompt - found, answer))
            memories[at].give_back(number, prompt + answer)
            if env.now > until / 5:
                responses.append(env.now - sent)
            said = prompt + answer
            if rng.random() >= AGAIN:
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
    return summary({"hit": hits, "response": responses})
