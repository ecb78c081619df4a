"""Sessions of the hand-written models: they arrive at random, ask, read the answer and ask again.

What a prompt and an answer add to a session is part of its next prompt. Sizes are whole tokens.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Protocol

import simpy

from tests.models.servers import Process


class Deployment(Protocol):
    """Who answers the sessions, by their numbers."""

    def enter(self, number: int) -> None:
        """A session arrives."""

    def answer(self, number: int, prompt: int, answer: int) -> Process:
        """A request is served."""

    def leave(self, number: int) -> None:
        """A session does not come back."""


@dataclass(frozen=True)
class Sessions:
    """Poisson arrivals at `rate`; the first prompt is uniform between two lengths, what a later
    one adds and the answers are exponential; with probability `again` there is another turn, after
    an exponential time with mean `think`.
    """

    rate: float
    first: tuple[float, float]
    more: float
    answers: float
    again: float
    think: float

    def start(self, env: simpy.Environment, rng: random.Random, deployment: Deployment) -> None:
        """Let sessions arrive from now on."""
        env.process(self._arrivals(env, rng, deployment))

    def _arrivals(
        self, env: simpy.Environment, rng: random.Random, deployment: Deployment
    ) -> Process:
        number = 0
        while True:
            env.process(self._session(env, rng, deployment, number))
            number += 1
            yield env.timeout(rng.expovariate(self.rate))

    def _session(
        self, env: simpy.Environment, rng: random.Random, deployment: Deployment, number: int
    ) -> Process:
        deployment.enter(number)
        said = 0
        while True:
            drawn = rng.uniform(*self.first) if said == 0 else rng.expovariate(1 / self.more)
            prompt = said + math.ceil(drawn)
            answer = math.ceil(rng.expovariate(1 / self.answers))
            yield from deployment.answer(number, prompt, answer)
            said = prompt + answer
            if rng.random() >= self.again:
                deployment.leave(number)
                return
            yield env.timeout(rng.expovariate(1 / self.think))
