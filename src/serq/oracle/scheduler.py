"""A scheduler of the installed vLLM, made for a scenario, and what it takes and gives.

It is the v1 `Scheduler` with its KV-cache manager; no GPU, weights or tokenizer are needed. The
model's configuration is a small `config.json` in a temporary folder. vLLM is imported when a
scheduler is made. Depends on scenarios.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from serq.diagnostics import Diagnostic, SerqError
from serq.oracle.scenario import Scenario, release

LEAST: Final = (0, 24)
"""The oldest vLLM whose scheduler has the rules of `serq:vllm`."""

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
        absent = error.name == "vllm"
        message = "vLLM is not installed" if absent else f"vLLM can not be imported: {error}"
        help = 'pip install "serq[vllm]"; docs/vllm.md says what it takes without a GPU'
        raise SerqError([Diagnostic("SQ509", message, help=help)]) from None
    logging.getLogger("vllm").setLevel(logging.ERROR)
    version = str(vllm.__version__)
    if release(version) < LEAST:
        least = ".".join(map(str, LEAST))
        message = f"vLLM {version} is installed; the scheduler of {least} or newer is driven"
        raise SerqError([Diagnostic("SQ509", message, help='pip install --upgrade "serq[vllm]"')])
    return version


class VllmScheduler:
    """A scheduler with a scenario's settings.

    `scheduler` is vLLM's own; requests and outputs are what it takes.
    """

    def __init__(self, scenario: Scenario, model: str) -> None:
        """Make one; `model` is the folder of the model's configuration.

        Raises `SerqError` (SQ509) with vLLM's reason when it makes none here.
        """
        try:
            self._make(scenario, model)
        except Exception as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            message = f"the installed vLLM makes no scheduler for `{scenario.name}`: {reason}"
            help = "docs/vllm.md says which versions are driven, and what they take"
            raise SerqError([Diagnostic("SQ509", message, help=help)]) from error

    def _make(self, scenario: Scenario, model: str) -> None:
        from vllm.utils.hashing import sha256
        from vllm.v1.core.kv_cache_utils import get_request_block_hasher, init_none_hash
        from vllm.v1.core.sched.scheduler import Scheduler
        from vllm.v1.structured_output import StructuredOutputManager

        config = _vllm_config(scenario, model)
        self.scheduler: Any = Scheduler(
            vllm_config=config,
            kv_cache_config=_kv_cache_config(scenario),
            structured_output_manager=StructuredOutputManager(config),
            block_size=scenario.config.block_size,
        )
        init_none_hash(sha256)
        caching = scenario.config.enable_prefix_caching
        hasher = get_request_block_hasher(scenario.config.block_size, sha256)
        self._hasher = hasher if caching else None
        self.evicted = 0
        self._count_evictions()

    def request(self, name: str, prompt: list[int], out: int) -> Any:
        """A request that ends after `out` tokens."""
        from vllm.sampling_params import SamplingParams
        from vllm.v1.request import Request

        return Request(
            request_id=name,
            prompt_token_ids=prompt,
            sampling_params=SamplingParams(max_tokens=out, ignore_eos=True),
            pooling_params=None,
            arrival_time=0.0,
            block_hasher=self._hasher,
        )

    def answer(self, output: Any, sampled: dict[str, list[int]]) -> None:
        """Tell the scheduler which tokens its schedule gave."""
        from vllm.v1.outputs import ModelRunnerOutput

        names = list(sampled)
        answer = ModelRunnerOutput(
            req_ids=names,
            req_id_to_index={name: at for at, name in enumerate(names)},
            sampled_token_ids=list(sampled.values()),
            logprobs=None,
            prompt_logprobs_dict={},
            pooler_output=[],
        )
        self.scheduler.update_from_output(output, answer)

    def blocks(self, name: str) -> int:
        """KV blocks that a request holds."""
        return len(self.scheduler.kv_cache_manager.get_block_ids(name)[0])

    def _count_evictions(self) -> None:
        """Count the cached blocks that lose their content, in `evicted`."""
        pool = self.scheduler.kv_cache_manager.block_pool
        evict = pool._maybe_evict_cached_block

        def counting(block: Any) -> bool:
            evicted: bool = evict(block)
            self.evicted += evicted
            return evicted

        pool._maybe_evict_cached_block = counting


@contextmanager
def model_folder() -> Iterator[str]:
    """A folder with the configuration of the stand-in model."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(_MODEL), encoding="utf-8")
        yield folder


def _vllm_config(scenario: Scenario, model: str) -> Any:
    """The configuration of a vLLM with the scenario's settings."""
    from vllm.config import CacheConfig, DeviceConfig, ModelConfig, SchedulerConfig, VllmConfig

    settings = scenario.config
    # The length of the context cuts nothing short.
    longest = max(settings.usable_tokens + 1, settings.long_prefill_token_threshold)
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
    return VllmConfig(
        model_config=model_config,
        scheduler_config=scheduler_config,
        cache_config=cache_config,
        device_config=DeviceConfig(device="cpu"),
    )


def _kv_cache_config(scenario: Scenario) -> Any:
    """One group of layers with full attention."""
    import torch
    from vllm.v1.kv_cache_interface import FullAttentionSpec, KVCacheConfig, KVCacheGroupSpec

    spec = FullAttentionSpec(
        block_size=scenario.config.block_size, num_kv_heads=1, head_size=1, dtype=torch.float32
    )
    return KVCacheConfig(
        num_blocks=scenario.config.num_gpu_blocks,
        kv_cache_tensors=[],
        kv_cache_groups=[KVCacheGroupSpec(["layer"], spec)],
    )
