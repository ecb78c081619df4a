"""A model's sizes from its Hugging Face `config.json`: parameters, KV bytes, operations a token.

Dense, grouped-query and multi-head attention with a gated feed-forward network (Llama and its
kin), mixtures of experts (Mixtral, Qwen MoE, DeepSeek) and multi-head latent attention
(DeepSeek V2 and V3), whose KV cache holds one latent vector a token and layer. Small parts
(biases, rotary tables) are left out. Depends on findings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from serq.diagnostics import SerqError
from serq.fit.findings import json_fault, unknown_hardware
from serq.fit.rows import unreadable

GATED: Final = (
    "llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe deepseek_v2 "
    "deepseek_v3 kimi_k2 gemma gemma2 gemma3_text phi3 granite olmo2 olmo3 glm4 glm4_moe seed_oss "
    "internlm2 smollm3 exaone4 ernie4_5"
).split()
"""`model_type`s whose feed-forward network has three matrices (gate, up, down)."""

MOST_BYTES: Final = 1 << 24
"""Bytes of a `config.json` at most: one has thousands."""

BYTES: Final = {
    "bfloat16": 2.0,
    "float16": 2.0,
    "half": 2.0,
    "float32": 4.0,
    "float": 4.0,
    "fp8": 1.0,
    "fp8_e4m3": 1.0,
    "fp8_e5m2": 1.0,
}
"""Bytes of a number by the name of its type."""


@dataclass(frozen=True, slots=True)
class ModelSizes:
    """What a model's configuration says of its work.

    Parameters are counts: `embedding` is the input table, `head` the output projection (0 when
    it is the table again), `attention` and `dense` those of all layers that every token uses,
    `expert` those of one expert of one layer. `kv_width` is numbers of KV cache a token and
    layer, `pair_flops` floating-point operations a pair of query and key in all layers.
    """

    name: str
    layers: int
    hidden: int
    vocabulary: int
    feed_forward: int
    embedding: float
    head: float
    attention: float
    dense: float
    expert: float
    expert_layers: int
    experts: int
    experts_used: int
    kv_heads: int
    kv_width: int
    latent: bool
    pair_flops: float
    weight_bytes: float
    notes: tuple[str, ...] = ()

    @property
    def parameters(self) -> float:
        """All of them."""
        experts = self.expert * self.experts * self.expert_layers
        return self.embedding + self.head + self.attention + self.dense + experts

    @property
    def active(self) -> float:
        """Parameters that one token meets, embedding and head included."""
        experts = self.expert * self.experts_used * self.expert_layers
        return self.embedding + self.head + self.attention + self.dense + experts

    def kv_bytes(self, bytes_each: float) -> float:
        """KV cache of one token in all layers, in bytes."""
        return self.kv_width * self.layers * bytes_each


_GIVE_BYTES = "give the bytes of a weight with `--weights`, such as 0.5 for 4 bits"


def read_config(path: str, weight_bytes: float | None = None) -> ModelSizes:
    """The sizes of a `config.json`; the bytes of a weight are its own when none are given.

    Raises `SerqError` (SQ703, SQ722).
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(data) > MOST_BYTES:
        raise unknown_hardware(f"`{path}` has more than {MOST_BYTES:,} bytes", file=path)
    try:
        whole = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        reason = f"it is no JSON: {json_fault(error)}"
        raise _no_config(path, reason) from None
    if not isinstance(whole, dict):
        raise _no_config(path, "it is JSON, but no object")
    config = whole.get("text_config", whole)
    if not isinstance(config, dict):
        raise unknown_hardware(f"`{path}` has a `text_config` that is no object", file=path)
    return model_sizes({**whole, **config}, path, weight_bytes)


def _no_config(path: str, why: str) -> SerqError:
    """SQ722 for a file that is something else."""
    help = "give the `config.json` that lies beside a model's weights, as Hugging Face has it"
    return unknown_hardware(f"`{path}` is no model's configuration: {why}", help, path)


def model_sizes(
    config: Mapping[str, Any], path: str, weight_bytes: float | None = None
) -> ModelSizes:
    """The sizes a configuration says, and the bytes of a weight where they are given."""
    read = _Reader(config, path)
    if "model_type" not in config:
        raise _no_config(path, "it has no `model_type`")
    kind = str(config["model_type"])
    if kind not in GATED:
        raise unknown_hardware(
            f"`{path}` is of the model type `{kind}`, which serQ knows no sizes of",
            f"the types it knows: {', '.join(GATED)}",
            path,
        )
    hidden = read.whole("hidden_size")
    layers = read.whole("num_hidden_layers")
    vocabulary = read.whole("vocab_size")
    tied = bool(config.get("tie_word_embeddings", kind.startswith("gemma")))
    attention = _latent(read, hidden) if "kv_lora_rank" in config else _grouped(read, hidden)
    per_layer, kv_width, pair_flops, kv_heads = attention
    feed_forward, dense, expert, moe_layers, experts, used = _feed_forward(read, hidden, layers)
    notes = []
    if config.get("sliding_window") and config.get("use_sliding_window", True):
        notes.append("layers with a sliding window are counted as if they saw everything")
    if config.get("num_nextn_predict_layers"):
        notes.append("layers for multi-token prediction are left out")
    return ModelSizes(
        name=str(config.get("_name_or_path") or kind),
        layers=layers,
        hidden=hidden,
        vocabulary=vocabulary,
        feed_forward=feed_forward,
        embedding=float(vocabulary * hidden),
        head=0.0 if tied else float(vocabulary * hidden),
        attention=float(layers * (per_layer + 2 * hidden) + hidden),
        dense=dense,
        expert=expert,
        expert_layers=moe_layers,
        experts=experts,
        experts_used=used,
        kv_heads=kv_heads,
        kv_width=kv_width,
        latent="kv_lora_rank" in config,
        pair_flops=pair_flops * layers,
        weight_bytes=weight_bytes or _weight_bytes(config, path),
        notes=tuple(notes),
    )


class _Reader:
    """Whole numbers of a configuration, the missing ones refused by name."""

    def __init__(self, config: Mapping[str, Any], path: str) -> None:
        self.config = config
        self.path = path

    def whole(self, *names: str, default: int | None = None) -> int:
        """The first of some fields that is there."""
        for name in names:
            value = self.config.get(name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                message = f"`{self.path}`: `{name}` should be a whole number, not `{value}`"
                raise unknown_hardware(message, file=self.path)
            return value
        if default is None:
            raise unknown_hardware(f"`{self.path}` has no `{names[0]}`", file=self.path)
        return default


def _grouped(read: _Reader, hidden: int) -> tuple[int, int, float, int]:
    """Parameters a layer, KV numbers a token, operations a pair, KV heads: multi-head, grouped."""
    heads = read.whole("num_attention_heads")
    kv_heads = read.whole("num_key_value_heads", default=heads)
    size = read.whole("head_dim", default=hidden // max(heads, 1))
    projections = hidden * size * (2 * heads + 2 * kv_heads)
    return projections, 2 * kv_heads * size, 4.0 * heads * size, kv_heads


def _latent(read: _Reader, hidden: int) -> tuple[int, int, float, int]:
    """The same of multi-head latent attention."""
    heads = read.whole("num_attention_heads")
    latent, rope = read.whole("kv_lora_rank"), read.whole("qk_rope_head_dim")
    nope, value = read.whole("qk_nope_head_dim"), read.whole("v_head_dim")
    queries = read.whole("q_lora_rank", default=0)
    to_queries = heads * (nope + rope)
    query = queries * (hidden + to_queries) if queries else hidden * to_queries
    keys = hidden * (latent + rope) + latent * heads * (nope + value)
    out = heads * value * hidden
    return query + keys + out, latent + rope, 2.0 * heads * (nope + rope + value), 1


def _feed_forward(
    read: _Reader, hidden: int, layers: int
) -> tuple[int, float, float, int, int, int]:
    """Width, parameters every token uses, of an expert; layers with experts, experts, used."""
    config = read.config
    experts = read.whole("num_local_experts", "n_routed_experts", "num_experts", default=0)
    width = read.whole("intermediate_size", default=0)
    if experts == 0:
        width = read.whole("intermediate_size")
        return width, 3.0 * hidden * width * layers, 0.0, 0, 0, 0
    used = read.whole("num_experts_per_tok")
    expert_width = read.whole("moe_intermediate_size", default=width)
    first = read.whole("first_k_dense_replace", default=0)
    every = read.whole("moe_layer_freq", "decoder_sparse_step", default=1)
    alone = config.get("mlp_only_layers") or []
    sparse = [
        at
        for at in range(first, layers)
        if at not in alone and (at + (0 if "moe_layer_freq" in config else 1)) % max(every, 1) == 0
    ]
    shared = read.whole("n_shared_experts", default=0) * expert_width
    shared = read.whole("shared_expert_intermediate_size", default=shared)
    dense = 3.0 * hidden * width * (layers - len(sparse))
    dense += len(sparse) * (3.0 * hidden * shared + float(hidden * experts))
    return max(width, expert_width), dense, 3.0 * hidden * expert_width, len(sparse), experts, used


def _weight_bytes(config: Mapping[str, Any], path: str) -> float:
    """Bytes of a weight: of the type it is stored in, or of its quantization."""
    quantization = config.get("quantization_config")
    if isinstance(quantization, Mapping):
        bits = quantization.get("bits")
        if isinstance(bits, int) and not isinstance(bits, bool):
            return bits / 8.0
        method = str(quantization.get("quant_method", ""))
        if "fp8" in method:
            return 1.0
        raise unknown_hardware(
            f"`{path}` is quantized by `{method}`, of which serQ does not know the bits",
            _GIVE_BYTES,
            path,
        )
    stored = str(config.get("torch_dtype") or config.get("dtype") or "bfloat16")
    if stored not in BYTES:
        message = f"`{path}` has weights of the type `{stored}`, whose size serQ does not know"
        raise unknown_hardware(message, _GIVE_BYTES, path)
    return min(BYTES[stored], 2.0)
