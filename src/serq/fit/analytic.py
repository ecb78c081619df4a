"""A cost to start from and the size of the KV pool, from a model's sizes and a GPU's data sheet.

Every term is a number of bytes or operations over what the hardware does a second, times a share
of it that is reached in practice. The shares are assumptions, kept here by name: `MEMORY_SHARE`,
`COMPUTE_SHARE` and `ATTENTION_SHARE` of the data sheet's numbers, `LINK_SHARE` of a link's, a
latency for every all-reduce, a time a step on the host. Measure and fit what matters.

The five terms say that reading the weights and computing the tokens add up, where a GPU overlaps
them: a step that prefills and decodes is shorter than they say.

Depends on model sizes, GPUs and terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from serq.fit.findings import unknown_hardware
from serq.fit.gpus import GIB, Gpu
from serq.fit.model_config import BYTES, ModelSizes
from serq.fit.terms import Cost

MEMORY_SHARE: Final = 0.8
COMPUTE_SHARE: Final = 0.7
ATTENTION_SHARE: Final = 0.5
LINK_SHARE: Final = 0.4
ALL_REDUCES: Final = 2
"""All-reduces a layer under tensor parallelism: after attention and after the feed-forward."""

FAST_LATENCY: Final = 10e-6
PCIE_LATENCY: Final = 25e-6
"""Seconds an all-reduce takes whatever its size, over a fast link and over PCI Express."""

STEP_OVERHEAD: Final = 0.5e-3
"""Seconds a step that the host adds where it does not overlap the GPU."""

VISIBLE_SHARE: Final = 0.98
"""Of a GPU's memory what a process sees of it."""

RUNTIME_BYTES: Final = 0.6e9
"""Memory that the runtime, its communication and its graphs take beside the model."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a model is served: the GPUs of one replica (`tp`), numbers of requests and tokens as
    vLLM counts them, bytes of a weight and of a KV number.
    """

    tp: int
    block: int
    max_num_seqs: int
    max_num_batched_tokens: int
    utilization: float
    weight_bytes: float
    kv_bytes: float
    batch: int


@dataclass(frozen=True, slots=True)
class Term:
    """A coefficient with the sum it comes from, for a reader."""

    name: str
    value: float
    unit: str
    because: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost and the pool (`blocks` of `Setup.block` tokens), term by term."""

    cost: Cost
    blocks: int
    kv_bytes_per_token: float
    terms: tuple[Term, ...]
    memory: tuple[Term, ...]


def estimate(model: ModelSizes, gpu: Gpu, setup: Setup) -> Estimate:
    """Raises `SerqError` (SQ722) when the weights leave no room for the KV cache."""
    _check_split(model, setup)
    terms = _cost_terms(model, gpu, setup)
    cost = Cost(**{term.name: term.value for term in terms}).rounded()
    blocks, per_token, memory = _pool(model, gpu, setup)
    return Estimate(cost, blocks, per_token, terms, memory)


def _check_split(model: ModelSizes, setup: Setup) -> None:
    if setup.tp < 1 or (
        not model.latent and model.kv_heads % setup.tp and setup.tp % model.kv_heads
    ):
        message = f"{model.kv_heads} KV heads can not be split over {setup.tp} GPUs"
        raise unknown_hardware(message, "choose a `--tp` that divides the number of heads")


def experts_read(model: ModelSizes, tokens: int) -> float:
    """Experts of a layer that some of `tokens` tokens use, if each picks its own at random."""
    if model.experts == 0:
        return 0.0
    missed = (1.0 - model.experts_used / model.experts) ** tokens
    return model.experts * (1.0 - missed)


def _cost_terms(model: ModelSizes, gpu: Gpu, setup: Setup) -> tuple[Term, ...]:
    tp, width = setup.tp, setup.weight_bytes
    bandwidth = gpu.bandwidth * MEMORY_SHARE * tp
    flops = (gpu.fp8 if width == 1.0 and gpu.fp8 is not None else gpu.bf16) * tp
    experts = experts_read(model, setup.batch) * model.expert * model.expert_layers
    head = model.head or model.embedding
    read = (head + model.attention + model.dense + experts) * width
    body = model.active - model.embedding - model.head
    wait, moved = _all_reduce(model, gpu, tp)
    compute = 2.0 * body / (flops * COMPUTE_SHARE)
    kv_token = model.kv_bytes(setup.kv_bytes) / kv_split(model, tp)
    kinds = "" if not experts else f", experts that {setup.batch} tokens use included,"
    links = f" + {1e6 * moved:.1f} µs all-reduce" if tp > 1 else ""
    waits = f" + {1e3 * wait:.2f} ms all-reduces" if tp > 1 else ""
    token = (
        f"2 FLOP for each of {body / 1e9:.2f} G weights a token uses, at {flops / 1e12:.0f} TFLOP/s"
        f" x {COMPUTE_SHARE}{links}"
    )
    return (
        Term(
            "c",
            read / bandwidth + wait + STEP_OVERHEAD,
            "s a step",
            f"{read / 1e9:.2f} GB of weights{kinds} at {gpu.bandwidth * tp / 1e12:.2f} TB/s x "
            f"{MEMORY_SHARE}{waits} + {1e3 * STEP_OVERHEAD:.1f} ms on the host",
        ),
        Term("d", compute + moved, "s a decode", token),
        Term(
            "e",
            kv_token / (gpu.bandwidth * MEMORY_SHARE),
            "s a KV token",
            f"{kv_token / 1024:.1f} KiB of KV on each GPU at {gpu.bandwidth / 1e12:.2f} TB/s x "
            f"{MEMORY_SHARE}",
        ),
        Term("a", compute + moved, "s a prefill token", token),
        Term(
            "b",
            model.pair_flops / (gpu.bf16 * tp * ATTENTION_SHARE),
            "s a query and key",
            f"{model.pair_flops / 1e6:.2f} MFLOP at {gpu.bf16 * tp / 1e12:.0f} TFLOP/s x "
            f"{ATTENTION_SHARE}",
        ),
    )


def _all_reduce(model: ModelSizes, gpu: Gpu, tp: int) -> tuple[float, float]:
    """Seconds a step and seconds a token of the all-reduces of all layers."""
    if tp == 1:
        return 0.0, 0.0
    latency = FAST_LATENCY if gpu.has_fast_link else PCIE_LATENCY
    calls = ALL_REDUCES * model.layers
    sent = 2.0 * (tp - 1) / tp * model.hidden * 2.0
    return calls * latency, calls * sent / (gpu.link * LINK_SHARE)


def kv_split(model: ModelSizes, tp: int) -> int:
    """Over how many GPUs the KV cache of a token is spread; latent vectors are on each."""
    return 1 if model.latent else min(tp, model.kv_heads)


def _pool(model: ModelSizes, gpu: Gpu, setup: Setup) -> tuple[int, float, tuple[Term, ...]]:
    """Blocks of the KV pool, bytes of a token on one GPU, and the sum they come from."""
    usable = gpu.memory * VISIBLE_SHARE * setup.utilization
    weights = model.parameters * setup.weight_bytes / setup.tp
    peak = activation_bytes(model, setup)
    room = usable - weights - peak - RUNTIME_BYTES
    per_token = model.kv_bytes(setup.kv_bytes) / kv_split(model, setup.tp)
    blocks = math.floor(room / (per_token * setup.block)) if room > 0.0 else 0
    memory = (
        Term(
            "memory",
            usable,
            "B",
            f"{gpu.memory / GIB:.0f} GiB x {VISIBLE_SHARE} x {setup.utilization:g}",
        ),
        Term(
            "weights",
            -weights,
            "B",
            f"{model.parameters / 1e9:.2f} G parameters x {setup.weight_bytes:g} B / {setup.tp}",
        ),
        Term("activations", -peak, "B", "of the largest step, with the logits of every request"),
        Term("runtime", -RUNTIME_BYTES, "B", "an allowance"),
        Term("KV cache", room, "B", f"{per_token:.0f} B a token on each GPU"),
    )
    if blocks < 1:
        message = (
            f"{weights / 1e9:.1f} GB of weights on each of {setup.tp} GPU(s) `{gpu.name}` leave "
            f"no room for a KV cache in {usable / 1e9:.1f} GB"
        )
        raise unknown_hardware(message, "more GPUs (`--tp`), or weights of fewer bytes")
    return blocks, per_token, memory


def activation_bytes(model: ModelSizes, setup: Setup) -> float:
    """What the largest step needs beside weights and KV: its widest layer, and the logits."""
    width = 3.0 * model.feed_forward / setup.tp + 4.0 * model.hidden
    logits = setup.max_num_seqs * model.vocabulary * BYTES["float32"] * 2.0
    return setup.max_num_batched_tokens * width * BYTES["bfloat16"] + logits
