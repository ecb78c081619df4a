"""What vLLM's own scheduler does with a scenario.

The v1 `Scheduler` of the installed vLLM, with its KV-cache manager, is driven in a loop: hand it
the requests sent by now, let it schedule, answer as a model would, step the clock. The model is a
stand-in that returns one token for every request whose known tokens are all computed once the step
is done. No GPU, weights or tokenizer are needed; the model's configuration is a small `config.json`
in a temporary folder. No two sessions share a token.

vLLM is imported when a scenario is driven. Depends on scenarios and steps.
"""

from __future__ import annotations

import heapq
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from serq.diagnostics import Diagnostic, SerqError
from serq.oracle.scenario import Clock, Outcome, Scenario, Totals, Turn
from serq.oracle.steps import Ran, Scheduled, Step

LEAST: Final = (0, 16)
"""The oldest vLLM whose scheduler this drives."""

_LONGEST: Final = 2**22
"""Positions of the stand-in model."""

_MODEL: Final = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 1024,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": _LONGEST,
    "torch_dtype": "float32",
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def vllm_version() -> str:
    """The version of the installed vLLM, such as `0.30.0`.

    Raises `SerqError` (SQ509) when there is none, or one that is too old.
    """
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    try:
        import vllm
        import vllm.v1.core.sched.scheduler
    except ImportError as error:
        message = f"vLLM's scheduler can not be imported: {error}"
        help = 'pip install "serq[vllm]"; docs/vllm.md says what it takes without a GPU'
        raise SerqError([Diagnostic("SQ509", message, help=help)]) from None
    version = str(vllm.__version__)
    from serq.oracle.scenario import release

    if release(version) < LEAST:
        least = ".".join(map(str, LEAST))
        message = f"vLLM {version} is installed; its scheduler is driven from {least} on"
        raise SerqError([Diagnostic("SQ509", message, help='pip install --upgrade "serq[vllm]"')])
    return version


def drive(scenario: Scenario) -> Ran:
    """Run a scenario on the installed vLLM's scheduler.

    Raises `SerqError` (SQ509) when there is none.
    """
    vllm_version()
    with _model_folder() as model:
        return _Drive(scenario, _make_scheduler(scenario, model)).run()


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

    def __init__(self, scenario: Scenario, made: _Made) -> None:
        self.scenario = scenario
        self.made = made
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
        turns = [(turn.session, turn.turn) for turn in self.scenario.turns]
        outcomes = tuple(self.outcomes[key] for key in turns if key in self.outcomes)
        totals = Totals(len(self.steps), self.preempted, self.made.evicted(), self.now)
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
        if turn.forced:
            session.said[0] = self.fresh()
        name = f"{turn.session}.{turn.turn}"
        request = self.made.request(name, list(session.said), turn.out)
        self.live[name] = _Live(session, turn, request, sent)
        self.made.scheduler.add_request(request)

    def step(self) -> bool:
        """Schedule and answer; False when the schedule served nobody and preempted nobody."""
        start = self.now
        output = self.made.scheduler.schedule()
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
                kv_decode += self.made.blocks(name) * self.scenario.config.block_size
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
        self.made.scheduler.update_from_output(output, self.made.output(sampled))
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


# --- vLLM ------------------------------------------------------------------------------


@dataclass
class _Made:
    """A scheduler, and how to make what it takes."""

    scheduler: Any
    request: Callable[[str, list[int], int], Any]
    output: Callable[[dict[str, list[int]]], Any]
    evictions: list[int]

    def blocks(self, name: str) -> int:
        """KV blocks that a request holds."""
        return len(self.scheduler.kv_cache_manager.get_block_ids(name)[0])

    def evicted(self) -> int:
        """Cached blocks that lost their content so far."""
        return len(self.evictions)


@contextmanager
def _model_folder() -> Iterator[str]:
    """A folder with the configuration of the stand-in model."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(_MODEL), encoding="utf-8")
        yield folder


def _make_scheduler(scenario: Scenario, model: str) -> _Made:
    """A scheduler with the scenario's settings."""
    import torch
    from vllm.config import CacheConfig, ModelConfig, SchedulerConfig, VllmConfig
    from vllm.sampling_params import SamplingParams
    from vllm.utils.hashing import sha256
    from vllm.v1.core.kv_cache_utils import get_request_block_hasher, init_none_hash
    from vllm.v1.core.sched.scheduler import Scheduler
    from vllm.v1.kv_cache_interface import FullAttentionSpec, KVCacheConfig, KVCacheGroupSpec
    from vllm.v1.outputs import ModelRunnerOutput
    from vllm.v1.request import Request
    from vllm.v1.structured_output import StructuredOutputManager

    settings = scenario.config
    longest = settings.usable_tokens + 1  # nothing is cut short by the length of the context
    model_config = ModelConfig(
        model=model, skip_tokenizer_init=True, dtype="float32", max_model_len=longest, seed=0
    )
    scheduler_config = SchedulerConfig(
        max_num_batched_tokens=settings.max_num_batched_tokens,
        max_num_seqs=settings.max_num_seqs,
        max_model_len=longest,
        is_encoder_decoder=False,
        enable_chunked_prefill=True,
        long_prefill_token_threshold=settings.long_prefill_token_threshold,
        async_scheduling=False,
        scheduler_reserve_full_isl=scenario.reserve_full_prompt,
    )
    cache_config = CacheConfig(
        block_size=settings.block_size, enable_prefix_caching=settings.enable_prefix_caching
    )
    cache_config.num_gpu_blocks = settings.num_gpu_blocks
    config = VllmConfig(
        model_config=model_config, scheduler_config=scheduler_config, cache_config=cache_config
    )
    spec = FullAttentionSpec(
        block_size=settings.block_size, num_kv_heads=1, head_size=1, dtype=torch.float32
    )
    kv_config = KVCacheConfig(
        num_blocks=settings.num_gpu_blocks,
        kv_cache_tensors=[],
        kv_cache_groups=[KVCacheGroupSpec(["layer"], spec)],
    )
    scheduler = Scheduler(
        vllm_config=config,
        kv_cache_config=kv_config,
        structured_output_manager=StructuredOutputManager(config),
        block_size=settings.block_size,
    )
    init_none_hash(sha256)
    hasher = get_request_block_hasher(settings.block_size, sha256)

    def request(name: str, prompt: list[int], out: int) -> Any:
        return Request(
            request_id=name,
            prompt_token_ids=prompt,
            sampling_params=SamplingParams(max_tokens=out, ignore_eos=True),
            pooling_params=None,
            arrival_time=0.0,
            block_hasher=hasher if settings.enable_prefix_caching else None,
        )

    def output(sampled: dict[str, list[int]]) -> Any:
        names = list(sampled)
        return ModelRunnerOutput(
            req_ids=names,
            req_id_to_index={name: at for at, name in enumerate(names)},
            sampled_token_ids=list(sampled.values()),
            logprobs=None,
            prompt_logprobs_dict={},
            pooler_output=[],
        )

    return _Made(scheduler, request, output, _count_evictions(scheduler))


def _count_evictions(scheduler: Any) -> list[int]:
    """Blocks evicted from now on, noted as they are."""
    evictions: list[int] = []
    pool = scheduler.kv_cache_manager.block_pool
    evict = pool._maybe_evict_cached_block

    def noting(block: Any) -> bool:
        evicted: bool = evict(block)
        if evicted:
            evictions.append(block.block_id)
        return evicted

    pool._maybe_evict_cached_block = noting
    return evictions
