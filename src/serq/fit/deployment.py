"""A program of a vLLM server, written from its command line, a model's sizes and a GPU.

The text is `served.sq` beside this module with its constants filled in, each with where it is
from. Depends on the estimate and the command line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from serq.fit.analytic import Estimate, Setup, Term, estimate
from serq.fit.gpus import Gpu
from serq.fit.model_config import BYTES, ModelSizes
from serq.fit.terms import COEFFICIENTS, written
from serq.fit.vllm_args import (
    DEFAULT_BLOCK,
    DEFAULT_UTILIZATION,
    VllmArguments,
    default_max_num_batched_tokens,
    default_max_num_seqs,
)
from serq.report.table import Table

BATCH: Final = 64
"""Tokens of a step for which a mixture's experts are counted, when none is given."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """A model on GPUs behind vLLM's scheduler, and what is estimated of it."""

    model: ModelSizes
    gpu: Gpu
    arguments: VllmArguments
    setup: Setup
    estimated: Estimate

    @property
    def blocks(self) -> int:
        """KV blocks that requests can use: those that were said or estimated, less vLLM's own."""
        said = self.arguments.num_gpu_blocks
        return (self.estimated.blocks if said is None else said) - 1

    @property
    def title(self) -> str:
        """What is served on what."""
        gpus = f"{self.setup.tp} x {self.gpu.name}" if self.setup.tp > 1 else self.gpu.name
        return f"{self.arguments.model or self.model.name} on {gpus}"


def deploy(
    model: ModelSizes,
    gpu: Gpu,
    arguments: VllmArguments,
    *,
    tp: int | None = None,
    batch: int = BATCH,
    weight_bytes: float | None = None,
) -> Deployment:
    """Estimate a deployment; what a command line leaves open is vLLM's default.

    Raises `SerqError` (SQ722) when the model does not fit.
    """
    stored = model.weight_bytes
    if arguments.weights is not None and stored >= BYTES["bfloat16"]:
        stored = BYTES[arguments.weights]
    if arguments.quantization is not None:
        stored = BYTES[arguments.quantization]
    setup = Setup(
        tp=tp or arguments.tp or 1,
        block=arguments.block_size or DEFAULT_BLOCK,
        max_num_seqs=arguments.max_num_seqs or default_max_num_seqs(gpu),
        max_num_batched_tokens=(
            arguments.max_num_batched_tokens or default_max_num_batched_tokens(gpu)
        ),
        utilization=arguments.utilization or DEFAULT_UTILIZATION,
        weight_bytes=weight_bytes or stored,
        kv_bytes=BYTES[arguments.kv or "bfloat16"],
        batch=batch,
    )
    return Deployment(model, gpu, arguments, setup, estimate(model, gpu, setup))


def program(deployment: Deployment) -> str:
    """The text of the program."""
    given = deployment.arguments
    threshold = given.threshold or 0
    chunk = "  chunk vllm_chunk(reqs, long_prefill_tokens, 1);\n" if threshold else ""
    text = (files("serq.fit") / "served.sq").read_text(encoding="utf-8")
    for name, value in (
        ("title", deployment.title),
        ("constants", "\n".join(_constants(deployment))),
        ("chunk", chunk),
        ("cost", deployment.estimated.cost.text()),
    ):
        text = text.replace("{" + name + "}", value)
    return text


def _constants(deployment: Deployment) -> Iterator[str]:
    given, setup = deployment.arguments, deployment.setup
    gpu = deployment.gpu.name

    def source(option: str, value: object, default: str) -> str:
        return option if value is not None else f"{option}: {default}"

    blocks = "num_gpu_blocks, less the one vLLM keeps"
    if given.num_gpu_blocks is None:
        blocks = f"estimated for {setup.utilization:g} of the memory of {gpu}"
    for name, value, comment in (
        (
            "budget_tokens",
            setup.max_num_batched_tokens,
            source("max_num_batched_tokens", given.max_num_batched_tokens, f"the default on {gpu}"),
        ),
        (
            "max_seqs",
            setup.max_num_seqs,
            source("max_num_seqs", given.max_num_seqs, f"the default on {gpu}"),
        ),
        ("block_tokens", setup.block, source("block_size", given.block_size, "the default")),
        ("blocks", deployment.blocks, blocks),
        ("prefix_caching", int(given.caching), "enable_prefix_caching"),
        ("long_prefill_tokens", given.threshold or 0, "long_prefill_token_threshold; 0 is none"),
        ("pipelined", int(given.asynchronous), "async_scheduling"),
    ):
        yield f"{f'let {name} = {value};':<29} // {comment}"


def text(deployment: Deployment) -> str:
    """The estimate, term by term, and what the command line had that is not used."""
    return "\n".join(_lines(deployment)) + "\n"


def _lines(deployment: Deployment) -> Iterator[str]:
    model, gpu, estimated = deployment.model, deployment.gpu, deployment.estimated
    used = "" if not model.experts else f", {model.active / 1e9:.2f} G used by a token"
    yield f"{deployment.title}: {model.parameters / 1e9:.2f} G parameters{used}"
    yield (
        f"KV cache of a token: {model.kv_bytes(deployment.setup.kv_bytes):.0f} B in "
        f"{model.layers} layers"
    )
    yield f"data sheet: {gpu.source}"
    yield ""
    yield from _table("cost", [(t, written(t.value)) for t in estimated.terms])
    yield ""
    yield from _table("pool", [(t, f"{t.value / 1e9:.3f} GB") for t in estimated.memory])
    yield ""
    tokens = estimated.blocks * deployment.setup.block
    yield f"KV pool: {estimated.blocks} blocks, {tokens} tokens"
    for note in model.notes:
        yield f"note: {note}"
    if deployment.arguments.unused:
        yield f"note: without effect on the program: {', '.join(deployment.arguments.unused)}"
    yield ""
    yield f"  cost {estimated.cost.text()};"


def _table(title: str, rows: list[tuple[Term, str]]) -> list[str]:
    """Name and value in columns, then the reason as it is."""
    table = Table((title, "value"))
    table.rows += [(term.name, value) for term, value in rows]
    lines = table.lines()
    width = max(len(line) for line in lines)
    reasons = ["", "", *(term.because for term, _ in rows)]
    return [f"{line:<{width}}  {why}".rstrip() for line, why in zip(lines, reasons, strict=True)]


def document(deployment: Deployment) -> dict[str, Any]:
    """The same for a machine, in seconds and bytes."""
    estimated = deployment.estimated

    def terms(found: tuple[Term, ...]) -> list[dict[str, Any]]:
        return [
            {"name": t.name, "value": t.value, "unit": t.unit, "because": t.because} for t in found
        ]

    return {
        "fit": "config",
        "model": deployment.arguments.model or deployment.model.name,
        "gpu": deployment.gpu.name,
        "source": deployment.gpu.source,
        "tp": deployment.setup.tp,
        "parameters": deployment.model.parameters,
        "parameters_used": deployment.model.active,
        "kv_bytes_per_token": deployment.model.kv_bytes(deployment.setup.kv_bytes),
        "cost": estimated.cost.text(),
        "coefficients": dict(zip(COEFFICIENTS, estimated.cost.values(), strict=True)),
        "blocks": estimated.blocks,
        "kv_tokens": math.floor(estimated.blocks * deployment.setup.block),
        "terms": terms(estimated.terms),
        "memory": terms(estimated.memory),
        "notes": list(deployment.model.notes),
        "unused": deployment.arguments.unused,
    }
