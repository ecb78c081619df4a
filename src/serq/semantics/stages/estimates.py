"""What a stage measures of itself while it runs: rate, load, wait (contract §2, *price*).

Averages forget: each new value moves them by one hundredth of the distance, and the first is
taken as it is. Depends on nothing of ours.
"""

from __future__ import annotations

from serq.ir.arithmetic import minimum

WEIGHT = 0.01
MOST_LOAD = 0.99


class Estimates:
    """Running averages of the gap between starts, the service and the wait of finished jobs."""

    __slots__ = ("gap", "last_start", "seen", "service", "wait")

    def __init__(self) -> None:
        self.seen = 0
        self.service = 0.0
        self.wait = 0.0
        self.gap = 0.0
        self.last_start = 0.0

    def update(self, started: float, wait: float, service: float) -> None:
        """A job is done that `started` then, after a `wait`, and took `service`."""
        if self.seen == 0:
            self.service, self.wait = service, wait
        else:
            self.service = _moved(self.service, service)
            self.wait = _moved(self.wait, wait)
            gap = started - self.last_start
            self.gap = gap if self.seen == 1 else _moved(self.gap, gap)
        self.last_start = started
        self.seen += 1

    def rate(self) -> float:
        """Jobs per unit of time: 1 over the gap, 0 until there is one above 0."""
        return 1.0 / self.gap if self.gap > 0.0 else 0.0

    def load(self) -> float:
        """Rate times service, at most 0.99."""
        return minimum(self.rate() * self.service, MOST_LOAD)


def _moved(average: float, value: float) -> float:
    """An average after one more value."""
    return (1.0 - WEIGHT) * average + WEIGHT * value
