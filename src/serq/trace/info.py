"""What a trace holds, in numbers: sessions and turns, arrivals, lengths, prefixes to reuse.

The prompt of a turn is what the session has said so far, its earlier `new` and `out` tokens, and
the turn's own `new` ones. What of it repeats the session's earlier context could be found in a
prefix cache that forgets nothing; a `forced` turn misses it on purpose. Depends on `serq.stats`
and on `serq.trace.session`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan, nan
from typing import Final

from serq.stats.quantile import quantile
from serq.stats.running_moments import RunningMoments
from serq.trace.session import TimedSession, TraceSession

QUANTILES: Final = (0.05, 0.5, 0.9, 0.95, 0.99)
BUSY_SECONDS: Final = 60.0


class Distribution:
    """The values of something, one of each turn or session, in ascending order."""

    def __init__(self, values: Sequence[float]) -> None:
        moments = RunningMoments()
        for value in values:
            moments.add(value)
        self.ascending = array("d", sorted(values))
        self.count = moments.count
        self.mean = moments.mean()
        self.cv2 = moments.cv2()

    def quantile(self, q: float) -> float:
        """The `q` quantile; NaN without a value, or with one that is NaN."""
        return nan if isnan(self.mean) else quantile(self.ascending, q)

    def as_dict(self) -> dict[str, float]:
        """Its numbers by name."""
        named = {f"p{q * 100:g}": self.quantile(q) for q in QUANTILES}
        return {
            "count": self.count,
            "mean": self.mean,
            "cv2": self.cv2,
            "min": self.quantile(0.0),
            **named,
            "max": self.quantile(1.0),
        }


@dataclass(frozen=True, slots=True)
class Arrivals:
    """When the sessions arrive: `first` and `last`, `rate` sessions a second between them, the
    squared coefficient of variation `cv2` of the gaps (1 for a Poisson process, more in bursts),
    and the rate in the busiest minute that starts with an arrival, NaN when there is no minute.
    """

    times: array[float]
    first: float
    last: float
    rate: float
    cv2: float
    busiest: float

    def as_dict(self) -> dict[str, float]:
        """Its numbers by name."""
        names = ("first", "last", "rate", "cv2", "busiest")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Info:
    """What a trace holds. `arrivals` is None where a session does not say when it arrives;
    `repeated_tokens` of the `prompt_tokens` repeat the session's context, `reuse` is their share.
    """

    sessions: int
    turns: int
    forced: int
    arrivals: Arrivals | None
    distributions: dict[str, Distribution]
    prompt_tokens: float
    output_tokens: float
    repeated_tokens: float

    @property
    def reuse(self) -> float:
        """The share of prompt tokens that repeat their session's context."""
        return self.repeated_tokens / self.prompt_tokens if self.prompt_tokens > 0.0 else nan

    def as_dict(self) -> dict[str, object]:
        """All of it by name, for JSON."""
        return {
            "sessions": self.sessions,
            "turns": self.turns,
            "forced_turns": self.forced,
            "arrivals": None if self.arrivals is None else self.arrivals.as_dict(),
            **{name: each.as_dict() for name, each in self.distributions.items()},
            "prompt_tokens": self.prompt_tokens,
            "output_tokens": self.output_tokens,
            "repeated_tokens": self.repeated_tokens,
            "reuse": self.reuse,
        }


def describe(sessions: Sequence[TraceSession]) -> Info:
    """The numbers of a trace that was read.

    The distributions are `turns_per_session`, and in tokens `prompt` (with the context), `new`
    and `output`, and in seconds `think`, of the turns that follow another.
    """
    counts, prompts, new, output, think = (array("d") for _ in range(5))
    prompt_tokens = output_tokens = repeated = 0.0
    forced = 0
    for session in sessions:
        counts.append(len(session))
        context = 0.0
        for number, turn in enumerate(session):
            prompts.append(context + turn.new)
            new.append(turn.new)
            output.append(turn.out)
            if number:
                think.append(turn.think)
            prompt_tokens += context + turn.new
            output_tokens += turn.out
            if turn.forced:
                forced += 1
            else:
                repeated += context
            context += turn.new + turn.out
    distributions = {
        "turns_per_session": counts,
        "prompt": prompts,
        "new": new,
        "output": output,
        "think": think,
    }
    return Info(
        sessions=len(sessions),
        turns=len(prompts),
        forced=forced,
        arrivals=_arrivals(sessions),
        distributions={name: Distribution(values) for name, values in distributions.items()},
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        repeated_tokens=repeated,
    )


def _arrivals(sessions: Sequence[TraceSession]) -> Arrivals | None:
    timed = [session.arrival for session in sessions if isinstance(session, TimedSession)]
    if len(timed) < len(sessions):
        return None
    times = array("d", sorted(timed))
    gaps = RunningMoments()
    for before, after in pairwise(times):
        gaps.add(after - before)
    span = times[-1] - times[0]
    return Arrivals(
        times=times,
        first=times[0],
        last=times[-1],
        rate=gaps.count / span if span > 0.0 else nan,
        cv2=gaps.cv2(),
        busiest=_busiest(times) if span >= BUSY_SECONDS else nan,
    )


def _busiest(times: Sequence[float]) -> float:
    """The most arrivals within a minute from one of them on, a second."""
    most, first = 0, 0
    for last, time in enumerate(times):
        while time - times[first] >= BUSY_SECONDS:
            first += 1
        most = max(most, last - first + 1)
    return most / BUSY_SECONDS
