"""The three measured runs of `tests/fit/data`, and the deployments they were measured on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from serq.api.compile import compile
from serq.api.program import Program
from serq.fit.deployment import Deployment, deploy, program
from serq.fit.gpus import find_gpu
from serq.fit.model_config import read_config
from serq.fit.vllm_args import parse_vllm

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Measured:
    """A run: its file, the model's configuration, the GPU, the engine's arguments."""

    name: str
    config: str
    gpu: str
    arguments: str

    @property
    def file(self) -> str:
        return str(DATA / f"{self.name}.requests.jsonl")

    def deployment(self) -> Deployment:
        model = read_config(str(DATA / "configs" / f"{self.config}.json"))
        return deploy(model, find_gpu(self.gpu), parse_vllm(self.arguments))

    def program(self, folder: Path) -> Program:
        path = folder / "served.sq"
        path.write_text(program(self.deployment()), encoding="utf-8")
        return compile(path)


RUNS = (
    Measured(
        "rtx4090_llama-3.1-8b",
        "llama-3.1-8b",
        "rtx4090",
        "vllm serve meta-llama/Llama-3.1-8B --max-num-seqs 256 --max-num-batched-tokens 2048 "
        "--max-model-len 32768 --gpu-memory-utilization 0.9 --num-gpu-blocks-override 2588",
    ),
    Measured(
        "rtxpro6000_llama-3.1-8b",
        "llama-3.1-8b",
        "rtxpro6000",
        "vllm serve meta-llama/Llama-3.1-8B --max-num-seqs 128 --max-num-batched-tokens 2048 "
        "--gpu-memory-utilization 0.9",
    ),
    Measured(
        "rtxpro6000_qwen3-32b",
        "qwen3-32b",
        "rtxpro6000",
        "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 2 --max-num-seqs 128 "
        "--max-num-batched-tokens 2048 --gpu-memory-utilization 0.9",
    ),
)
