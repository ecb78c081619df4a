"""A comparison in words: how many requests agree, or the first step at which the sides part.

Depends on differences.
"""

from __future__ import annotations

from collections.abc import Sequence

from serq.oracle.difference import Difference, Parting
from serq.oracle.scenario import Scenario
from serq.oracle.steps import Request, Step

MOST_SHOWN = 10
"""Differing numbers shown of one scenario."""


def agreement(requests: int, scenarios: int, version: str) -> str:
    """`agree on 324 requests in 1 scenario, vLLM 0.30.0`."""
    return f"agree on {_count(requests, 'request')} in {_count(scenarios, 'scenario')}, {version}\n"


def disagreement(scenario: Scenario, found: Sequence[Difference], parting: Parting | None) -> str:
    """The first differing step with both batches, then the numbers that differ."""
    lines = [f"{scenario.name}: serQ and vLLM differ"]
    if parting is not None:
        at = f", first in {_name(parting.request)}" if parting.request is not None else ""
        lines.append(f"  step {parting.number} is the first that differs{at}")
        lines.append(f"    serQ  {_step(parting.serq)}")
        lines.append(f"    vLLM  {_step(parting.vllm)}")
    lines += [f"  {difference}" for difference in found[:MOST_SHOWN]]
    if len(found) > MOST_SHOWN:
        lines.append(f"  and {len(found) - MOST_SHOWN} more numbers")
    return "\n".join(lines) + "\n"


def _step(step: Step | None) -> str:
    """When it began and ended, and for every request what was computed and what is scheduled."""
    if step is None:
        return "no such step"
    batch = ", ".join(f"{_name(s.request)}: {s.computed}+{s.tokens}" for s in step.batch)
    text = f"[{step.start!r}, {step.end!r}]  {batch or 'nobody'}"
    if step.preempted:
        text += "; preempted " + ", ".join(map(_name, step.preempted))
    return text


def _name(request: Request) -> str:
    return "session {} turn {}".format(*request)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
