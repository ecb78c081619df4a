"""A stand-in for vLLM's scheduler: the rules of the table in `docs/vllm.md`, written out by hand.

It lets the loop that drives a scheduler be tested where no vLLM is installed, and is a second
implementation of the rules: requests are lists of tokens, blocks have numbers, a free list and
content, as in vLLM, and nothing here is a pool or a stage of serQ.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from serq.oracle.scenario import Config, Scenario

Content = tuple[int, ...]
"""What a findable block holds: all tokens of its request up to its end."""


@dataclass(eq=False)
class Request:
    """A request as vLLM keeps it."""

    request_id: str
    all_token_ids: list[int]
    most: int
    num_computed_tokens: int = 0
    num_preemptions: int = 0
    blocks: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.prompt = len(self.all_token_ids)

    @property
    def num_tokens(self) -> int:
        return len(self.all_token_ids)

    def is_finished(self) -> bool:
        return self.num_tokens - self.prompt >= self.most


@dataclass
class Scheduled:
    """What a step schedules: tokens by request, in order."""

    num_scheduled_tokens: dict[str, int]


class Blocks:
    """The KV memory: which blocks are free, the next to be used first, and what they hold."""

    def __init__(self, config: Config) -> None:
        self.size = config.block_size
        self.caching = config.enable_prefix_caching
        self.free = deque(range(1, config.num_gpu_blocks))
        self.holds: dict[int, Content] = {}
        self.findable: dict[Content, int] = {}
        self.evicted = 0

    def find(self, request: Request) -> list[int]:
        """The longest run of full blocks of it that are there, without its last token."""
        found: list[int] = []
        tokens = request.all_token_ids
        for end in range(self.size, request.num_tokens, self.size):
            block = self.findable.get(tuple(tokens[:end]))
            if block is None or not self.caching:
                break
            found.append(block)
        return found

    def allocate(self, request: Request, tokens: int, hit: list[int], reserve: int) -> bool:
        """Blocks for so many tokens, the found ones first; nothing unless `reserve` had room."""
        free = len(self.free) - len(hit)
        held = len(request.blocks) + len(hit)
        if max(self.count(tokens), self.count(reserve)) - held > free:
            return False
        for block in hit:
            self.free.remove(block)
        request.blocks += hit
        while len(request.blocks) < self.count(tokens):
            block = self.free.popleft()
            if (content := self.holds.pop(block, None)) is not None:
                del self.findable[content]
                self.evicted += 1
            request.blocks.append(block)
        if self.caching:
            self.note(request, min(tokens, request.num_tokens))
        return True

    def note(self, request: Request, tokens: int) -> None:
        """Full blocks of the first so many tokens can be found from now on."""
        for at in range(tokens // self.size):
            content = tuple(request.all_token_ids[: (at + 1) * self.size])
            block = request.blocks[at]
            if block not in self.holds and content not in self.findable:
                self.holds[block] = content
                self.findable[content] = block

    def give_back(self, request: Request) -> None:
        """The tail first; what can be found goes to the end of the free list, the rest in front."""
        for block in reversed(request.blocks):
            if block in self.holds:
                self.free.append(block)
            else:
                self.free.appendleft(block)
        request.blocks = []

    def count(self, tokens: int) -> int:
        return -(-tokens // self.size)


class StandIn:
    """What `serq.oracle.scheduler.VllmScheduler` offers, and the scheduler itself."""

    def __init__(self, scenario: Scenario, model: str) -> None:
        assert model
        self.config = scenario.config
        self.alone_escapes = scenario.alone_escapes()
        self.reserve_full = scenario.reserve_full_prompt
        self.memory = Blocks(scenario.config)
        self.waiting: deque[Request] = deque()
        self.running: list[Request] = []
        self.scheduler = self

    @property
    def evicted(self) -> int:
        return self.memory.evicted

    def request(self, name: str, prompt: list[int], out: int) -> Request:
        return Request(name, prompt, out)

    def add_request(self, request: Request) -> None:
        self.waiting.append(request)

    def blocks(self, name: str) -> int:
        return next(len(each.blocks) for each in self.running if each.request_id == name)

    def schedule(self) -> Scheduled:
        """One step: the running ones in order, then, if nobody was preempted, waiting ones."""
        budget = self.config.max_num_batched_tokens
        cap = self.config.long_prefill_token_threshold or budget
        if self.alone_escapes and len(self.running) + len(self.waiting) <= 1:
            cap = budget
        batch: dict[str, int] = {}
        preempted = False
        at = 0
        while at < len(self.running) and budget > 0:
            request = self.running[at]
            tokens = min(request.num_tokens - request.num_computed_tokens, cap, budget)
            until = request.num_computed_tokens + tokens
            while not self.memory.allocate(request, until, [], 0):
                preempted = True
                victim = self.running.pop()
                self.memory.give_back(victim)
                victim.num_computed_tokens = 0
                victim.num_preemptions += 1
                self.waiting.appendleft(victim)
                if victim is request:
                    break
            if at >= len(self.running):
                break
            batch[request.request_id] = tokens
            request.num_computed_tokens = until
            budget -= tokens
            at += 1
        while not preempted and self.waiting and budget > 0:
            if len(self.running) == self.config.max_num_seqs or not (
                tokens := self.admit(self.waiting[0], min(budget, cap))
            ):
                break
            request = self.waiting.popleft()
            self.running.append(request)
            batch[request.request_id] = tokens
            budget -= tokens
        return Scheduled(batch)

    def admit(self, request: Request, most: int) -> int:
        """Tokens of its first chunk; 0 when there is no room."""
        hit = self.memory.find(request)
        found = len(hit) * self.config.block_size
        tokens = min(request.num_tokens - found, most)
        reserve = request.num_tokens if self.reserve_full else 0
        if not self.memory.allocate(request, found + tokens, hit, reserve):
            return 0
        request.num_computed_tokens = found + tokens
        return tokens

    def answer(self, output: Scheduled, sampled: dict[str, list[int]]) -> None:
        """The tokens a step gave; who has all of them leaves, in the order of the batch."""
        assert output.num_scheduled_tokens.keys() == sampled.keys()
        for name, tokens in sampled.items():
            request = next(each for each in self.running if each.request_id == name)
            request.all_token_ids += tokens
            if request.is_finished():
                self.running.remove(request)
                self.memory.give_back(request)
