"""Mean and variance of a sequence, one value at a time (Welford's recurrence).

Depends on nothing of ours.
"""

from __future__ import annotations

from math import inf, nan


class RunningMoments:
    """The number of values, their mean, and the sum of squared distances from it."""

    __slots__ = ("count", "mean_so_far", "squares")

    def __init__(self) -> None:
        self.count = 0
        self.mean_so_far = 0.0
        self.squares = 0.0

    def add(self, value: float) -> None:
        """Take one more value into account."""
        self.count += 1
        distance = value - self.mean_so_far
        self.mean_so_far += distance / self.count
        self.squares += distance * (value - self.mean_so_far)

    def mean(self) -> float:
        """The mean; NaN without a value."""
        return self.mean_so_far if self.count else nan

    def variance(self) -> float:
        """The unbiased variance; NaN below two values."""
        return self.squares / (self.count - 1) if self.count > 1 else nan

    def cv2(self) -> float:
        """The squared coefficient of variation; NaN below two values.

        At mean 0 it is infinite, or NaN when nothing varied.
        """
        variance = self.variance()
        square = self.mean_so_far * self.mean_so_far
        if square == 0.0:
            return inf if variance > 0.0 else nan
        return variance / square
