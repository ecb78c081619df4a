"""Scenarios drawn from a seed, made to hurt: memories that barely hold the largest request,
prompts of very different lengths, arrivals in bursts or far apart, sessions of several turns whose
prefixes are found, evicted in part, changed in the middle or forced to miss, answers long enough
to be preempted, caps on chunks and on running requests, no prefix cache, blocks of one token and
of many.

Scenario `number` of a seed is the same however many are drawn. Depends on scenarios.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from serq.oracle.scenario import Clock, Config, Scenario, Turn

_STEP_CLOCK = Clock(1.0)
_MEASURED = Clock(c=0.0139, d=41e-6, e=0.138e-6, a=51.5e-6, b=4.02e-9)


def generate(seed: int, count: int, first: int = 0) -> Iterator[Scenario]:
    """`count` scenarios of a seed, from number `first` on."""
    for number in range(first, first + count):
        yield _scenario(Random(f"{seed}/{number}"), f"g{seed}_{number}")


def conversations(seed: int, sessions: int) -> Scenario:
    """One scenario of so many conversations on a server that holds the prefixes of some of them.

    A few turns each, prompts of a hundred to two thousand new tokens, seconds between an answer
    and the next turn, one turn in twenty a forced miss, on the clock measured on an A100.
    """
    random = Random(f"{seed}/conversations")
    return Scenario(
        name=f"c{seed}_{sessions}",
        config=Config(
            max_num_batched_tokens=512, max_num_seqs=32, num_gpu_blocks=1201, block_size=16
        ),
        clock=_MEASURED,
        turns=tuple(
            turn
            for session in range(sessions)
            for turn in _conversation(random, session, round(2.5 * session, 3))
        ),
    )


def _conversation(random: Random, session: int, start: float) -> Iterator[Turn]:
    """The turns of one, which ends before its context has 8,000 tokens."""
    said, turn = 0, 0
    while turn == 0 or random.random() < 0.8:
        new = 1 + int(random.expovariate(1 / (900 if turn == 0 else 250)))
        out = 1 + int(random.expovariate(1 / 120))
        if said + new + out > 8000:
            return
        think = start if turn == 0 else round(random.expovariate(1 / 6), 3)
        yield Turn(session, turn, new, out, think, int(random.random() < 0.05))
        said, turn = said + new + out, turn + 1


def _scenario(random: Random, name: str) -> Scenario:
    block = random.choice((1, 4, 8, 16, 16, 16, 32))
    seqs = random.choice((1, 2, 3, 4, 8, 16))
    budget = max(seqs, random.choice((4, 8, 16, 24, 48, 64, 96, 128, 256)))
    steps = random.random() < 0.6
    longest = block * random.choice((4, 6, 10, 16, 24))
    turns = tuple(_turns(random, longest, steps))
    # The memory: what the largest request needs, and somewhat more.
    needed = max(-(-(prompt + turn.out) // block) for turn, prompt in _prompts(turns))
    blocks = max(1, int(needed * random.choice((1.0, 1.0, 1.1, 1.3, 1.7, 2.5, 5.0))))
    threshold = random.randint(1, budget) if random.random() < 0.4 else 0
    config = Config(
        max_num_batched_tokens=budget,
        max_num_seqs=seqs,
        num_gpu_blocks=blocks + 1,
        block_size=block,
        long_prefill_token_threshold=min(threshold, blocks * block),
        enable_prefix_caching=random.random() >= 0.15,
    )
    return Scenario(
        name=name,
        config=config,
        clock=_STEP_CLOCK if steps else _MEASURED,
        turns=turns,
        reserve_full_prompt=random.random() >= 0.1,
    )


def _turns(random: Random, longest: int, steps: bool) -> Iterator[Turn]:
    """The requests of a few sessions; a session ends before it would say more than `longest`."""
    sent = 0.0
    forcing = random.choice((0.0, 0.0, 0.15, 0.5))
    spread = random.choice((0, 1, 5, 20, 80))
    for session in range(random.randint(1, 14)):
        sent += _delay(random, spread, steps)
        said = 0
        for turn in range(random.choice((1, 1, 2, 3, 6, 9))):
            new, out = _length(random, longest), _length(random, longest // 2)
            if said + new + out > longest:
                new = max(1, min(new, longest - said - 1))
                out = max(1, min(out, longest - said - new))
            if turn > 0 and said + new + out > longest:
                break
            think = sent if turn == 0 else _delay(random, spread, steps)
            forced = _changed(random, said) if random.random() < forcing else 0
            yield Turn(session, turn, new, out, think, forced)
            said += new + out


def _changed(random: Random, said: int) -> int:
    """Which token of what was said is another one now: often the first."""
    return 1 if random.random() < 0.5 else random.randint(1, said + 1)


def _length(random: Random, most: int) -> int:
    """A number of tokens: often one or two, often small, at times as many as there may be."""
    kind = random.random()
    if kind < 0.2:
        return random.choice((1, 1, 2))
    if kind < 0.6:
        return random.randint(1, max(1, most // 6))
    return random.randint(1, max(1, most))


def _delay(random: Random, spread: int, steps: bool) -> float:
    """A delay: whole iterations on the step clock, so that much falls on one instant."""
    if spread == 0 or random.random() < 0.25:
        return 0.0
    return float(random.randint(0, spread)) if steps else random.expovariate(50 / spread)


def _prompts(turns: tuple[Turn, ...]) -> Iterator[tuple[Turn, int]]:
    """Each request with the length of its prompt."""
    said = 0
    for turn in turns:
        said = 0 if turn.turn == 0 else said
        yield turn, said + turn.new
        said += turn.new + turn.out
