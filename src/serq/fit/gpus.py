"""GPUs: memory, bandwidth, arithmetic and links, from the vendors' data sheets.

FLOP/s are dense ones of the tensor cores (data sheets often print twice that, "with sparsity"),
for BF16 and FP8 with accumulation in 32 bits. `link` is what one GPU sends to its peers in each
direction: NVLink or Infinity Fabric where there is one, else PCI Express. Depends on findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from serq.diagnostics import nearest
from serq.fit.findings import unknown_hardware

GIB: Final = 1024**3
PCIE4: Final = 32e9
PCIE5: Final = 64e9


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU: `memory` in bytes, `bandwidth` and `link` in bytes/s, FLOP/s by type of number
    (`fp8` is None where the hardware has none), and where the numbers are from.
    """

    name: str
    memory: float
    bandwidth: float
    bf16: float
    fp8: float | None
    link: float
    source: str

    @property
    def has_fast_link(self) -> bool:
        """Whether its peers are reached otherwise than by PCI Express."""
        return self.link > PCIE5


_Row = tuple[str, float, float, float, float | None, float, str]
"""Name, GiB, TB/s, TFLOP/s in BF16 and FP8, link in bytes/s, source."""


def _gpu(row: _Row) -> Gpu:
    name, gib, tb_s, bf16, fp8, link, source = row
    flops8 = None if fp8 is None else fp8 * 1e12
    return Gpu(name, gib * GIB, tb_s * 1e12, bf16 * 1e12, flops8, link, source)


_AMPERE: Final = "NVIDIA A100 Tensor Core GPU data sheet"
_H100: Final = "NVIDIA H100 Tensor Core GPU data sheet"
_AMD: Final = "AMD Instinct {} data sheet"

_TABLE: Final[tuple[_Row, ...]] = (
    ("a100-40gb", 40, 1.555, 312, None, 300e9, _AMPERE),
    ("a100-80gb", 80, 2.039, 312, None, 300e9, _AMPERE),
    ("h100", 80, 3.35, 989.4, 1978.9, 450e9, _H100),
    ("h100-pcie", 80, 2.0, 756, 1513, PCIE5, _H100),
    ("h100-nvl", 94, 3.9, 835, 1671, 300e9, _H100),
    ("h200", 141, 4.8, 989.4, 1978.9, 450e9, "NVIDIA H200 Tensor Core GPU data sheet"),
    ("b200", 180, 8.0, 2250, 4500, 900e9, "NVIDIA DGX B200 data sheet"),
    ("l4", 24, 0.3, 121, 242.5, PCIE4, "NVIDIA L4 Tensor Core GPU data sheet"),
    ("l40s", 48, 0.864, 362, 733, PCIE4, "NVIDIA L40S data sheet"),
    ("a10", 24, 0.6, 125, None, PCIE4, "NVIDIA A10 Tensor Core GPU data sheet"),
    ("rtx3090", 24, 0.936, 71, None, PCIE4, "NVIDIA Ampere GA102 architecture white paper"),
    ("rtx4090", 24, 1.008, 165.2, 330.3, PCIE4, "NVIDIA Ada GPU architecture white paper"),
    ("rtx5090", 32, 1.792, 209.5, 419, PCIE5, "NVIDIA RTX Blackwell architecture white paper"),
    (
        "rtxpro6000",
        96,
        1.792,
        503.8,
        1007.6,
        PCIE5,
        "NVIDIA RTX PRO Blackwell architecture white paper",
    ),
    ("mi300x", 192, 5.3, 1307.4, 2614.9, 448e9, _AMD.format("MI300X")),
    ("mi325x", 256, 6.0, 1307.4, 2614.9, 448e9, _AMD.format("MI325X")),
)

GPUS: Final[Mapping[str, Gpu]] = {row[0]: _gpu(row) for row in _TABLE}

_ALIASES: Final = {"a100": "a100-80gb", "h100-sxm": "h100", "rtx-pro-6000": "rtxpro6000"}


def find_gpu(name: str) -> Gpu:
    """The GPU of a name, in any case. Raises `SerqError` (SQ722) for one not in the table."""
    asked = name.lower().replace("_", "-").replace(" ", "-")
    gpu = GPUS.get(_ALIASES.get(asked, asked)) or GPUS.get(asked.replace("-", ""))
    if gpu is not None:
        return gpu
    near = nearest(asked, GPUS)
    listed = ", ".join(GPUS)
    hint = f"did you mean `{near}`? " if near else ""
    raise unknown_hardware(f"`{name}` is no GPU of the table", f"{hint}the table has {listed}")
