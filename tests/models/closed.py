"""`closed` by hand: users who think, and one server in line."""

from __future__ import annotations

import random

import simpy

from tests.models.servers import Process
from tests.models.two_samples import Numbers, summary


def run(seed: int, *, users: int, think: float, until: float) -> Numbers:
    """Mean and p90 of the response; the first tenth is left out."""
    env, rng = simpy.Environment(), random.Random(seed)
    server = simpy.Resource(env, capacity=1)
    responses: list[float] = []

    def user() -> Process:
        while True:
            yield env.timeout(rng.expovariate(1 / think))
            sent = env.now
            with server.request() as place:
                yield place
                yield env.timeout(rng.expovariate(1))
            if env.now > until / 10:
                responses.append(env.now - sent)

    for _ in range(users):
        env.process(user())
    env.run(until)
    return summary({"response": responses})
