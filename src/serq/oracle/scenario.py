"""A scenario: the settings of one vLLM engine and the requests it gets, and what is known of the
outcome.

Every request is a turn of a session. It is sent `think` after time 0 (a session's first) or after
the answer to the turn before; its prompt is what the session has said and been answered so far,
and `new` tokens more. With `forced` = n > 0 the n-th token of the prompt is a fresh one, so that no
more than the n - 1 tokens before it match the prefix cache: 1 is a miss. Times are in the clock of
the scenario, sizes in tokens.

Depends on nothing but the standard library; files are read in `serq.oracle.files`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Final

ALONE_ESCAPES_SINCE: Final = (0, 31)
"""From this vLLM on a request that is alone escapes `long_prefill_token_threshold`."""


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of the engine, under vLLM's names.

    Block 0 of `num_gpu_blocks` is vLLM's null block, so one fewer holds KV. A
    `long_prefill_token_threshold` of 0 is none.
    """

    max_num_batched_tokens: int
    max_num_seqs: int
    num_gpu_blocks: int
    block_size: int
    long_prefill_token_threshold: int = 0
    enable_prefix_caching: bool = True

    @property
    def usable_tokens(self) -> int:
        """Tokens the KV memory holds."""
        return (self.num_gpu_blocks - 1) * self.block_size


@dataclass(frozen=True, slots=True)
class Clock:
    """How long an iteration lasts: `c`, then `d` a decoding request, `e` a token of KV that the
    decodes hold, `a` a prefilled token, `b` a unit of attention (n (K + n / 2) for a chunk of n
    tokens behind K computed ones).
    """

    c: float
    d: float = 0.0
    e: float = 0.0
    a: float = 0.0
    b: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """One request."""

    session: int
    turn: int
    new: int
    out: int
    think: float
    forced: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request.

    `sent`, `admitted` (first), `first` and `last` token are moments; `cached` are the tokens its
    first admission found in the prefix cache, `found_again` those of later admissions, summed.
    The steps are iterations from 1, None where they were not recorded.
    """

    sent: float
    admitted: float
    first: float
    last: float
    cached: int
    preemptions: int
    found_again: int | None = None
    readmit_cached: tuple[int, ...] | None = None
    admitted_step: int | None = None
    first_step: int | None = None
    last_step: int | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """A whole run: iterations, preemptions, blocks evicted from the prefix cache, the end."""

    iterations: int
    preemptions: int
    evicted_blocks: int
    end: float


@dataclass(frozen=True)
class Scenario:
    """Settings, requests in (session, turn) order, and the outcome if it was recorded.

    `version` is the vLLM that gave the recorded outcome, such as `vllm 0.30.0`, and `also` are
    those that gave the same one.
    """

    name: str
    config: Config
    clock: Clock
    turns: tuple[Turn, ...]
    version: str = ""
    also: tuple[str, ...] = ()
    description: str = ""
    reserve_full_prompt: bool = True
    expected: tuple[Outcome, ...] = ()
    totals: Totals | None = field(default=None)

    @cached_property
    def sessions(self) -> tuple[tuple[Turn, ...], ...]:
        """The requests of each session."""
        by_session = groupby(self.turns, key=lambda turn: turn.session)
        return tuple(tuple(turns) for _, turns in by_session)

    def prompts(self) -> Iterator[tuple[Turn, int]]:
        """Each request with the length of its prompt."""
        for session in self.sessions:
            said = 0
            for turn in session:
                yield turn, said + turn.new
                said += turn.new + turn.out

    def alone_escapes(self, version: str = "") -> bool:
        """Whether a request that is alone escapes the chunk cap in `version` of vLLM, or in the
        one that was recorded.
        """
        return release(version or self.version) >= ALONE_ESCAPES_SINCE


def release(version: str) -> tuple[int, int]:
    """Major and minor number in a text such as `vllm 0.30.0`; (0, 0) where there is none."""
    found = re.search(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)
