"""What a vLLM command line says of the scheduler and the memory.

`vllm serve MODEL --max-num-seqs 128 …`, or the options alone. Defaults are vLLM 0.32.0's for a
server: `vllm/engine/arg_utils.py:2923-2952` for the numbers that depend on the GPU,
`vllm/config/cache.py:102` for the share of memory. Options that change neither are listed, so
that nobody takes them for modelled; those that change what is modelled otherwise are refused.
Depends on findings.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import Final

from serq.fit.findings import no_fit
from serq.fit.gpus import GIB, Gpu
from serq.fit.model_config import BYTES

_NUMBERS: Final = {
    "--tensor-parallel-size": "tp",
    "-tp": "tp",
    "--max-num-seqs": "max_num_seqs",
    "--max-num-batched-tokens": "max_num_batched_tokens",
    "--block-size": "block_size",
    "--gpu-memory-utilization": "utilization",
    "--num-gpu-blocks-override": "num_gpu_blocks",
    "--long-prefill-token-threshold": "threshold",
}
_FLAGS: Final = {
    "--enable-prefix-caching": ("caching", True),
    "--no-enable-prefix-caching": ("caching", False),
    "--async-scheduling": ("asynchronous", True),
    "--no-async-scheduling": ("asynchronous", False),
    "--enable-chunked-prefill": ("chunked", True),
    "--no-enable-chunked-prefill": ("chunked", False),
}
_TYPES: Final = {"--dtype": "weights", "--kv-cache-dtype": "kv", "--quantization": "quantization"}
_REFUSED: Final = {
    "--data-parallel-size": "a program of one replica; declare an array of engines for more",
    "-dp": "a program of one replica; declare an array of engines for more",
    "--pipeline-parallel-size": "one engine that runs one iteration at a time",
    "-pp": "one engine that runs one iteration at a time",
    "--speculative-config": "one token a decode and iteration",
    "--kv-transfer-config": "one engine that prefills and decodes",
    "--scheduling-policy": "requests served in the order they came",
}
_LARGE: Final = 160 * GIB
_MIDDLE: Final = 70 * GIB


@dataclass(slots=True)
class VllmArguments:
    """The settings a command line gives; None where it gives none. `unused` are its options that
    the program does not depend on, `model` what it serves.
    """

    model: str | None = None
    tp: int | None = None
    max_num_seqs: int | None = None
    max_num_batched_tokens: int | None = None
    block_size: int | None = None
    utilization: float | None = None
    num_gpu_blocks: int | None = None
    threshold: int | None = None
    caching: bool = True
    asynchronous: bool = True
    chunked: bool = True
    weights: str | None = None
    kv: str | None = None
    quantization: str | None = None
    unused: list[str] = field(default_factory=list)


def parse_vllm(text: str) -> VllmArguments:
    """Read a command line. Raises `SerqError` (SQ721) for what can not be modelled or read."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise no_fit(f"the vLLM command line can not be read: {str(error).lower()}") from None
    found = VllmArguments()
    at = 0
    while at < len(words):
        name, equals, value = words[at].partition("=")
        at += 1
        if not name.startswith("-"):
            if name not in ("vllm", "serve") and found.model is None:
                found.model = name
            continue
        name = name if name in ("-tp", "-dp", "-pp") else name.replace("_", "-")
        if name in _FLAGS:
            setattr(found, *_FLAGS[name])
            continue
        if not equals and at < len(words) and not words[at].startswith("-"):
            value = words[at]
            at += 1
        _take(found, name, value)
    if not found.chunked:
        message = "`--no-enable-chunked-prefill` is not modelled: a prompt is computed in chunks"
        raise no_fit(message, "leave it out, or write the program's prefill yourself")
    return found


def _take(found: VllmArguments, name: str, value: str) -> None:
    """Record an option with its value."""
    if name in _REFUSED and value not in ("1", "fcfs"):
        message = f"`{name} {value}` is not modelled: the program is of {_REFUSED[name]}"
        raise no_fit(message, "leave it out and write that part of the program yourself")
    if name == "--model":
        found.model = value
    elif name in _NUMBERS:
        setattr(found, _NUMBERS[name], _number(name, value))
    elif name in _TYPES:
        _set_type(found, name, value)
    elif name not in _REFUSED:
        found.unused.append(name)


def _number(name: str, value: str) -> int | float:
    """A number above 0: a share for the utilization, else a whole one."""
    share = name == "--gpu-memory-utilization"
    try:
        number = float(value)
        good = 0.0 < number <= 1.0 if share else number >= 0.0 and number.is_integer()
    except ValueError:
        good = False
    if not good or (number == 0.0 and name != "--long-prefill-token-threshold"):
        what = "a share above 0 up to 1" if share else "a whole number above 0"
        raise no_fit(f"`{name}` takes {what}, not `{value}`")
    return number if share else int(number)


def _set_type(found: VllmArguments, name: str, value: str) -> None:
    if name == "--quantization":
        if value != "fp8":
            message = f"`{name} {value}` does not say how many bits a weight has"
            raise no_fit(message, "leave it out and give `--weights BYTES`")
        found.quantization = value
        return
    if value != "auto" and value not in BYTES:
        raise no_fit(f"`{name}` takes one of auto, {', '.join(BYTES)}, not `{value}`")
    if value != "auto":
        setattr(found, _TYPES[name], value)


def default_max_num_seqs(gpu: Gpu) -> int:
    """What vLLM takes for a server on this GPU when nothing is said."""
    return 1024 if gpu.memory >= _MIDDLE and "a100" not in gpu.name else 256


def default_max_num_batched_tokens(gpu: Gpu) -> int:
    """What vLLM takes for a server on this GPU when nothing is said."""
    if gpu.memory >= _LARGE:
        return 16384
    return 8192 if gpu.memory >= _MIDDLE and "a100" not in gpu.name else 2048


DEFAULT_UTILIZATION: Final = 0.92
DEFAULT_BLOCK: Final = 16
