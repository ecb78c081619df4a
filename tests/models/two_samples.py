"""Whether two implementations of a model agree in distribution.

Each is run with twenty seeds and gives a number a seed; the two sets of twenty are compared by the
Wilcoxon rank-sum test (Mann and Whitney 1947), which supposes nothing about their law. Its
statistic is about standard normal when both come from one law, and is beyond 3.29 one time in a
thousand. The seeds are fixed, so a test gives one answer for ever: with some sixty comparisons,
two models that agree would have been refused with a probability of six per cent, on the day the
tests were written, and never since.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import serq

SEEDS = range(1, 21)
LIMIT = 3.29

EXAMPLES = Path(__file__).parents[2] / "examples"

Numbers = dict[str, float]
"""What one run says, by name."""


def rank_sum(one: Sequence[float], other: Sequence[float]) -> float:
    """The standardised rank-sum statistic of two samples; equal values share their rank."""
    pooled = sorted([*one, *other])
    ranks: dict[float, float] = {}
    at = 0
    while at < len(pooled):
        end = at
        while end < len(pooled) and pooled[end] == pooled[at]:
            end += 1
        ranks[pooled[at]] = (at + 1 + end) / 2
        at = end
    m, n = len(one), len(other)
    total = sum(ranks[value] for value in one)
    mean, variance = m * (m + n + 1) / 2, m * n * (m + n + 1) / 12
    return (total - mean) / math.sqrt(variance)


def compare(ours: Callable[[int], Numbers], theirs: Callable[[int], Numbers]) -> Numbers:
    """The statistic of every number that both give, over the seeds; each is printed."""
    left = [ours(seed) for seed in SEEDS]
    right = [theirs(seed) for seed in SEEDS]
    found: Numbers = {}
    for name in left[0]:
        one, other = [run[name] for run in left], [run[name] for run in right]
        found[name] = rank_sum(one, other)
        mean, there = sum(one) / len(one), sum(other) / len(other)
        print(f"{name}: serQ {mean:.4f}, by hand {there:.4f}, rank-sum {found[name]:+.2f}")
    return found


def observed(
    example: str, sets: Mapping[str, float], horizon: float, warmup: float, names: Sequence[str]
) -> Callable[[int], Numbers]:
    """Runs an example with a seed: the mean of each observation, and the p90 of the last."""
    program = EXAMPLES / example

    def run(seed: int) -> Numbers:
        compiled = serq.compile(program, sets=sets, horizon=horizon, warmup=warmup, seed=seed)
        report = serq.run(compiled)
        return summary({name: list(report.observes[name].samples) for name in names})

    return run


def summary(samples: dict[str, list[float]]) -> Numbers:
    """The mean of each, the 90th percentile of the last, and how many the last are."""
    means = {f"mean {name}": sum(each) / len(each) for name, each in samples.items()}
    name, last = list(samples.items())[-1]
    p90 = sorted(last)[int(0.9 * len(last))]
    return {**means, f"p90 {name}": p90, "count": float(len(last))}
