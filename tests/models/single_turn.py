"""`mg1` and `ps` by hand: Poisson arrivals at one server, in line or all at once."""

from __future__ import annotations

import random

import simpy

from tests.models.servers import Process, SharedServer
from tests.models.two_samples import Numbers, summary


def draw(rng: random.Random, law: int, mean: float) -> float:
    """Exponential, constant, Erlang of two stages, or hyperexponential with cv2 of 3."""
    if law == 0:
        return rng.expovariate(1 / mean)
    if law == 1:
        return mean
    if law == 2:
        return rng.expovariate(2 / mean) + rng.expovariate(2 / mean)
    # Two exponentials with balanced means: p (1 - p) follows from the cv2.
    p = (1 + (2 / 4) ** 0.5) / 2
    share = p if rng.random() < p else 1 - p
    return rng.expovariate(2 * share / mean)


def run(kind: str, seed: int, *, rate: float, law: int, batch: float, until: float) -> Numbers:
    """Mean and p90 of the response; the first tenth is left out."""
    env, rng = simpy.Environment(), random.Random(seed)
    line = simpy.Resource(env, capacity=1)
    shared = SharedServer(env, batch)
    responses: list[float] = []

    def request() -> Process:
        sent, work = env.now, draw(rng, law, 1.0)
        if kind == "mg1":
            with line.request() as place:
                yield place
                yield env.timeout(work)
        else:
            yield shared.serve(work)
        if env.now > until / 10:
            responses.append(env.now - sent)

    def arrivals() -> Process:
        while True:
            env.process(request())
            yield env.timeout(rng.expovariate(rate))

    env.process(arrivals())
    env.run(until)
    return summary({"response": responses})
