"""Make a synthetic log of engine steps with known constants: `python make_steps.py steps.csv`.

The constants are those of the contract's §8 (Qwen3-8B on an A100). Decode batches, prefill chunks
and mixed steps are drawn with a seed; every time has 1 % of noise, and one step in twenty is an
outlier that took two to six times as long, as steps do that meet a garbage collection or a log.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

STEPS = 900
SEED = 20
NOISE = 0.01
OUTLIERS = 0.05
CONSTANTS = {"c": 13.9e-3, "d": 41e-6, "e": 0.138e-6, "a": 51.5e-6, "b": 4.02e-9}

HEADER = """\
# Synthetic engine steps of examples/fit/make_steps.py, seed {seed}: no measurement.
# seconds = 13.9e-3 + 41e-6 decoders + 0.138e-6 kv_decode + 51.5e-6 prefilled + 4.02e-9 attention,
# with {noise:.0%} noise; {outliers:.0%} of the steps took two to six times as long.
decoders,kv_decode,prefilled,attention,seconds
"""


def rows(seed: int = SEED, steps: int = STEPS) -> list[tuple[int, int, int, float, float]]:
    """Steps as (decoders, kv_decode, prefilled, attention, seconds)."""
    draw = random.Random(seed)
    made = []
    for number in range(steps):
        kind = number % 3  # decode, prefill, mixed
        decoders = 0 if kind == 1 else draw.choice((1, 4, 16, 32, 64, 128))
        kv = decoders * int(256 * 32 ** draw.random())  # contexts from 256 to 8192 tokens
        prefilled = 0 if kind == 0 else draw.choice((64, 128, 256, 512, 1024, 2048))
        before = draw.choice((0, 0, 512, 2048, 8192, 32768))
        attention = prefilled * (before + prefilled / 2)
        terms = (1.0, decoders, kv, prefilled, attention)
        seconds = sum(k * x for k, x in zip(CONSTANTS.values(), terms, strict=True))
        seconds *= 1.0 + draw.gauss(0.0, NOISE)
        if draw.random() < OUTLIERS:
            seconds *= draw.uniform(2.0, 6.0)
        made.append((decoders, kv, prefilled, attention, seconds))
    return made


def text(seed: int = SEED, steps: int = STEPS) -> str:
    """The file."""
    lines = [f"{d},{kv},{p},{a:g},{s:.6f}" for d, kv, p, a, s in rows(seed, steps)]
    header = HEADER.format(seed=seed, noise=NOISE, outliers=OUTLIERS)
    return header + "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
