"""Queueing theory's closed forms: the mean sojourn lies in the report's 95 % interval.

Each law is run with seeds 1 to 20; the interval must cover the exact value for at least 18 of
them. The runs are long against the correlation time of the queue, since batch means under-cover
otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

import serq

SEEDS = range(1, 21)
COVERED_AT_LEAST = 18

OPEN = """
stage svc : {stage};
workload {{ arrive poisson({rate}); }}
session {{
  set arrived = now;
  run svc ({service});
  observe sojourn = now - arrived;
  end;
}}
run {{ horizon {horizon}; warmup {warmup}; seed 1; }}
"""

CLOSED = """
stage think : delay;
stage svc : fifo;
workload {{ arrive closed({population}); }}
session {{
  loop {{
    run think (~exp({think}));
    set arrived = now;
    run svc (~exp(1));
    observe sojourn = now - arrived;
  }}
}}
run {{ horizon {horizon}; warmup {warmup}; seed 1; }}
"""


@dataclass(frozen=True)
class Law:
    """A service law of mean 1: how it is written, and its second moment."""

    name: str
    text: str
    second_moment: float


LAWS = (
    Law("deterministic", "~det(1)", 1.0),
    Law("uniform", "~uniform(0, 2)", 4 / 3),
    Law("erlang", "~erlang(2, 1)", 1.5),
    Law("exponential", "~exp(1)", 2.0),
    Law("hyperexponential", "~h2(1, 4)", 5.0),
)


def open_program(stage: str, rate: float, service: str, horizon: float) -> str:
    """One stage under Poisson arrivals."""
    return OPEN.format(
        stage=stage, rate=rate, service=service, horizon=horizon, warmup=horizon / 20
    )


def check_coverage(program: str, exact: float) -> None:
    """Run every seed and count the intervals that hold the exact value."""
    outside = []
    for seed in SEEDS:
        sojourn = serq.run(serq.compile(source=program, seed=seed)).observe("sojourn")
        assert sojourn is not None
        assert math.isfinite(sojourn.ci)
        if abs(sojourn.mean - exact) > sojourn.ci:
            outside.append((seed, sojourn.mean, sojourn.ci))
    covered = len(SEEDS) - len(outside)
    assert covered >= COVERED_AT_LEAST, f"{covered} of {len(SEEDS)} cover {exact}: {outside}"


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_pollaczek_khinchine(law: Law) -> None:
    """M/G/1 first come first served: E[S] + rate E[S^2] / (2 (1 - rate E[S]))."""
    rate = 0.4
    exact = 1 + rate * law.second_moment / (2 * (1 - rate))
    check_coverage(open_program("fifo", rate, law.text, 60_000), exact)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_processor_sharing_is_insensitive(law: Law) -> None:
    """M/G/1-PS: E[S] / (1 - rate E[S]) for every service law."""
    rate = 0.4
    check_coverage(open_program("ps(1)", rate, law.text, 60_000), 1 / (1 - rate))


def test_several_servers() -> None:
    """M/M/3: 1 + C(3, a) / (3 - a), with Erlang's C."""
    servers, offered = 3, 1.5
    terms = [offered**k / math.factorial(k) for k in range(servers)]
    tail = offered**servers / math.factorial(servers) * servers / (servers - offered)
    erlang_c = tail / (math.fsum(terms) + tail)
    exact = 1 + erlang_c / (servers - offered)
    check_coverage(open_program(f"fifo({servers})", offered, "~exp(1)", 20_000), exact)


def test_infinite_servers() -> None:
    """M/G/infinity: nobody waits, so the sojourn is the service."""
    check_coverage(open_program("delay", 2.0, "~uniform(0, 2)", 10_000), 1.0)


def test_closed_network() -> None:
    """M/M/1//N by mean value analysis: R(n) = 1 + Q(n-1), Q(n) = n R(n) / (Z + R(n))."""
    population, think = 6, 8.0
    queue = 0.0
    response = 0.0
    for n in range(1, population + 1):
        response = 1 + queue
        queue = n * response / (think + response)
    program = CLOSED.format(population=population, think=think, horizon=40_000, warmup=2_000)
    check_coverage(program, response)
