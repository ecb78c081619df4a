"""`routing` by hand: a router, four shared servers, a memory of prefixes at each."""

from __future__ import annotations

import random
from collections.abc import Callable

import simpy

from tests.models.servers import Memory, Process, SharedServer
from tests.models.sessions import Sessions
from tests.models.two_samples import Numbers, summary

REPLICAS = 4
BATCH = 4
AGAIN = 0.8
THINK = 6.0
PREFILL_RATE = 8000
DECODE_TIME = 0.008


class Fleet:
    """The servers behind a router, and what is measured there."""

    def __init__(
        self,
        env: simpy.Environment,
        rng: random.Random,
        policy: int,
        kv_tokens: float,
        start: float,
    ) -> None:
        self.env = env
        self.rng = rng
        self.policy = policy
        self.start = start
        self.servers = [SharedServer(env, BATCH) for _ in range(REPLICAS)]
        self.memories = [Memory(env, kv_tokens) for _ in range(REPLICAS)]
        self.homes: dict[int, int] = {}
        self.samples: dict[str, list[float]] = {"hit": [], "response": []}

    def enter(self, number: int) -> None:
        """A session has a home, where one policy sends it."""
        self.homes[number] = self.rng.randrange(REPLICAS)

    def answer(self, number: int, prompt: int, answer: int) -> Process:
        """Choose a server, wait for its memory, then for the server."""
        sent, at = self.env.now, self.choose(number, prompt, answer)
        found = yield self.memories[at].take(number, prompt + answer)
        self.measure("hit", float(found > 0))
        yield self.servers[at].serve(seconds(prompt - found, answer))
        self.memories[at].give_back(number, prompt + answer)
        self.measure("response", self.env.now - sent)

    def leave(self, number: int) -> None:
        """Its prefixes stay until others need the room."""
        del self.homes[number]

    def choose(self, session: int, prompt: float, answer: float) -> int:
        """The server, by the policy."""
        if self.policy == 0:
            return self.rng.randrange(REPLICAS)
        if self.policy == 1:
            return self.homes[session]
        if self.policy == 2:
            return least(lambda at: len(self.servers[at].left))
        if self.policy == 3:
            return least(lambda at: self.servers[at].work())
        return least(
            lambda at: (
                self.servers[at].work() / BATCH
                + seconds(prompt - self.memories[at].prefixes.get(session, 0.0), answer)
            )
        )

    def measure(self, name: str, value: float) -> None:
        if self.env.now > self.start:
            self.samples[name].append(value)


def seconds(computed: float, answer: float) -> float:
    """What a request takes when it has a server of its own."""
    return computed / PREFILL_RATE + answer * DECODE_TIME


def least(key: Callable[[int], float]) -> int:
    """The server with the least key, the first one of several."""
    return min(range(REPLICAS), key=lambda at: (key(at), at))


def run(seed: int, *, policy: int, rate: float, kv_tokens: float, until: float) -> Numbers:
    """Mean hit and response, and the p90 of the response; the first fifth is left out."""
    env, rng = simpy.Environment(), random.Random(seed)
    fleet = Fleet(env, rng, policy, kv_tokens, until / 5)
    sessions = Sessions(rate, first=(500, 4000), more=400, answers=150, again=AGAIN, think=THINK)
    sessions.start(env, rng, fleet)
    env.run(until)
    return summary(fleet.samples)
