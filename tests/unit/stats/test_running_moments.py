import math
import statistics

from hypothesis import given
from hypothesis import strategies as st

from serq.stats.running_moments import RunningMoments


def of(*values: float) -> RunningMoments:
    moments = RunningMoments()
    for value in values:
        moments.add(value)
    return moments


def test_recurrence_to_the_bit() -> None:
    moments = of(0.1, 0.7, 0.2)
    # means 0.1, then 0.1 + 0.6/2, then + (0.2 - 0.4)/3
    second = 0.1 + (0.7 - 0.1) / 2
    assert moments.mean() == second + (0.2 - second) / 3
    squares = (0.7 - 0.1) * (0.7 - second)
    assert moments.squares == squares + (0.2 - second) * (0.2 - moments.mean())


def test_too_few_values() -> None:
    assert math.isnan(of().mean())
    assert of(3.0).mean() == 3.0
    assert math.isnan(of(3.0).variance())
    assert math.isnan(of(3.0).cv2())


def test_coefficient_around_zero() -> None:
    assert of(-1.0, 1.0).cv2() == math.inf
    assert math.isnan(of(0.0, 0.0).cv2())
    assert of(2.0, 2.0).cv2() == 0.0


@given(st.lists(st.floats(-1e3, 1e3), min_size=2))
def test_agrees_with_the_definition(values: list[float]) -> None:
    moments = of(*values)
    assert math.isclose(moments.mean(), statistics.fmean(values), abs_tol=1e-9)
    assert math.isclose(moments.variance(), statistics.variance(values), abs_tol=1e-6)
