"""What vLLM's own scheduler does with a scenario.

The scheduler is driven in a loop: hand it the requests sent by now, let it schedule, answer as a
model would, step the clock. The model is a stand-in that returns one token for every request
whose known tokens are all computed once the step is done. No two sessions share a token. A
schedule that serves nobody and preempts nobody is no step: time jumps to the next request.

Depends on the scheduler, scenarios and steps.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

from serq.oracle.scenario import Clock, Outcome, Scenario, Totals, Turn
from serq.oracle.scheduler import VllmScheduler, model_folder, vllm_version
from serq.oracle.steps import Ran, Scheduled, Step


def drive(scenario: Scenario) -> Ran:
    """Run a scenario on the installed vLLM's scheduler.

    Raises `SerqError` (SQ509) when there is none.
    """
    vllm_version()
    with model_folder() as model:
        return _Drive(scenario, VllmScheduler(scenario, model)).run()


@dataclass
class _Session:
    """A session as it goes: what it has said so far, and the tokens of its next prompt."""

    turns: tuple[Turn, ...]
    said: list[int] = field(default_factory=list)
    at: int = 0


@dataclass
class _Live:
    """A request in the scheduler: its turn, and what is known of its outcome."""

    session: _Session
    turn: Turn
    request: Any
    sent: float
    decoding: bool = False
    preemptions: int = 0
    admitted: list[tuple[float, int, int]] = field(default_factory=list)  # time, step, found
    first: tuple[float, int] | None = None


class _Drive:
    """One run: the clock, who is about to send, who is in the scheduler."""

    def __init__(self, scenario: Scenario, vllm: VllmScheduler) -> None:
        self.scenario = scenario
        self.vllm = vllm
        self.now = 0.0
        self.delays = 0
        self.tokens = 0
        self.sending: list[tuple[float, int, _Session]] = []
        self.live: dict[str, _Live] = {}
        self.outcomes: dict[tuple[int, int], Outcome] = {}
        self.steps: list[Step] = []
        self.preempted = 0

    def run(self) -> Ran:
        """Step until every request is answered, or nobody can go on."""
        for turns in self.scenario.sessions:
            self.delay(_Session(turns))
        while True:
            while self.sending and self.sending[0][0] <= self.now:
                sent, _, session = heapq.heappop(self.sending)
                self.send(session, sent)
            if self.live and self.step():
                continue
            if not self.sending:
                break
            self.now = self.sending[0][0]
        keys = [(turn.session, turn.turn) for turn in self.scenario.turns]
        outcomes = tuple(self.outcomes[key] for key in keys if key in self.outcomes)
        totals = Totals(len(self.steps), self.preempted, self.vllm.evicted, self.now)
        return Ran(outcomes, totals, self.steps)

    def delay(self, session: _Session) -> None:
        """The session's next request is sent after its delay, which begins now."""
        self.delays += 1
        sent = self.now + session.turns[session.at].think
        heapq.heappush(self.sending, (sent, self.delays, session))

    def fresh(self) -> int:
        """A token nobody has said."""
        self.tokens += 1
        return self.tokens

    def send(self, session: _Session, sent: float) -> None:
        """Hand a request to the scheduler."""
        turn = session.turns[session.at]
        session.said += [self.fresh() for _ in range(turn.new)]
        if 0 < turn.forced <= len(session.said):
            session.said[turn.forced - 1] = self.fresh()
        name = f"{turn.session}.{turn.turn}"
        request = self.vllm.request(name, list(session.said), turn.out)
        self.live[name] = _Live(session, turn, request, sent)
        self.vllm.scheduler.add_request(request)

    def step(self) -> bool:
        """Schedule and answer; False when the schedule served nobody and preempted nobody."""
        start = self.now
        output = self.vllm.scheduler.schedule()
        scheduled: dict[str, int] = output.num_scheduled_tokens
        victims = [live for live in self.live.values() if self.was_preempted(live)]
        if not scheduled and not victims:
            return False
        number = len(self.steps) + 1
        batch = []
        for name, tokens in scheduled.items():
            live = self.live[name]
            computed = live.request.num_computed_tokens - tokens
            if not live.admitted or len(live.admitted) <= live.preemptions:
                live.admitted.append((start, number, computed))
            batch.append(Scheduled((live.turn.session, live.turn.turn), computed, tokens))
        self.now = start + self.cost(scheduled)
        gone = sorted((live.turn.session, live.turn.turn) for live in victims)
        self.steps.append(Step(start, self.now, tuple(batch), tuple(gone)))
        self.answer(output, scheduled)
        return True

    def was_preempted(self, live: _Live) -> bool:
        """Whether the schedule just made preempted it."""
        count: int = live.request.num_preemptions
        new = count - live.preemptions
        if new:
            live.preemptions = count
            live.decoding = False
            self.preempted += new
        return new > 0

    def cost(self, scheduled: dict[str, int]) -> float:
        """How long the step lasts, added up in the order of the batch."""
        decoders = kv_decode = prefilled = attention = 0.0
        for name, tokens in scheduled.items():
            live = self.live[name]
            if live.decoding:
                decoders += 1.0
                kv_decode += self.vllm.blocks(name) * self.scenario.config.block_size
            else:
                computed = float(live.request.num_computed_tokens - tokens)
                prefilled += tokens
                attention += tokens * (computed + tokens / 2.0)
        return _cost(self.scenario.clock, decoders, kv_decode, prefilled, attention)

    def answer(self, output: Any, scheduled: dict[str, int]) -> None:
        """A token for everyone whose known tokens are all computed; who has all of them leaves."""
        sampled: dict[str, list[int]] = {}
        for name in scheduled:
            request = self.live[name].request
            done = request.num_computed_tokens >= request.num_tokens
            sampled[name] = [self.fresh()] if done else []
        self.vllm.answer(output, sampled)
        number = len(self.steps)
        for name, tokens in sampled.items():
            live = self.live[name]
            if not tokens:
                continue
            live.decoding = True
            live.first = live.first or (self.now, number)
            if live.request.is_finished():
                self.finish(name, live, number)

    def finish(self, name: str, live: _Live, number: int) -> None:
        """A request is answered: note its outcome, and let its session go on."""
        del self.live[name]
        assert live.first is not None
        session = live.session
        session.said = list(live.request.all_token_ids)
        again = tuple(found for _, _, found in live.admitted[1:])
        admitted, admitted_step, cached = live.admitted[0]
        self.outcomes[live.turn.session, live.turn.turn] = Outcome(
            sent=live.sent,
            admitted=admitted,
            first=live.first[0],
            last=self.now,
            cached=cached,
            preemptions=live.preemptions,
            found_again=sum(again),
            readmit_cached=again,
            admitted_step=admitted_step,
            first_step=live.first[1],
            last_step=number,
        )
        session.at += 1
        if session.at < len(session.turns):
            self.delay(session)


def _cost(
    clock: Clock, decoders: float, kv_decode: float, prefilled: float, attention: float
) -> float:
    """The clock's sum, left to right, as the program writes it."""
    return (
        clock.c
        + clock.d * decoders
        + clock.e * kv_decode
        + clock.a * prefilled
        + clock.b * attention
    )
