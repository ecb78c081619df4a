import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq.stats.growing_batches import MOST
from serq.stats.step_function import summarise
from serq.stats.step_stream import GrowingWindows, StepStream


def of(times: list[float], values: list[float], start: float, horizon: float) -> StepStream:
    stream = StepStream(start, horizon)
    for time, value in zip(times, values, strict=True):
        stream.add(time, value)
    return stream


def test_over_no_time_or_without_a_value_there_is_no_summary() -> None:
    assert math.isnan(of([0.0], [1.0], 5.0, 9.0).summary(5.0).mean)
    assert math.isnan(of([], [], 0.0, 9.0).summary(9.0).max)


@given(
    st.lists(st.tuples(st.floats(0.0, 5.0), st.floats(-1e3, 1e3)), min_size=1, max_size=80),
    st.floats(0.0, 20.0),
)
def test_mean_and_range_are_those_of_the_changes_to_the_bit(
    pieces: list[tuple[float, float]], start: float
) -> None:
    times, values, now = [], [], 0.0
    for gap, value in pieces:
        times.append(now)
        values.append(value)
        now += gap
    end = max(now, start) + 1.0
    exact = summarise(times, values, start, end)
    ours = of(times, values, start, 1e6).summary(end)
    assert (ours.mean, ours.min, ours.max) == (exact.mean, exact.min, exact.max)


@pytest.mark.parametrize(("end", "least"), [(1000.0, 1024), (999.9, 1023), (17.0, 1024)])
def test_windows_cover_nearly_all_of_the_time(end: float, least: int) -> None:
    draw = random.Random(3)
    times, values, now, value = [0.0], [0.0], 0.0, 0.0
    while now < end:
        now += draw.expovariate(20)
        value = 0.95 * value + draw.gauss(0, 1)
        times.append(now)
        values.append(value)
    times, values = times[:-1], values[:-1]
    stream = of(times, values, 10.0, 1000.0)
    ours, exact = stream.summary(end), summarise(times, values, 10.0, end)
    assert least <= len(stream.windows.areas) < MOST
    assert math.isclose(ours.ci, exact.ci, rel_tol=0.2)
    held = sum(stream.windows.areas) + stream.windows.unfinished
    assert math.isclose(held, exact.mean * (end - 10.0), rel_tol=1e-9)


def test_windows_get_wider_and_keep_their_area() -> None:
    windows = GrowingWindows(0.0, 2.0**40)  # the first is one second wide
    windows.hold(1.0, 0.0, 3.5)
    assert (windows.areas, windows.unfinished) == ([1.0, 1.0, 1.0], 0.5)
    windows.widen()
    assert (windows.width, windows.areas, windows.unfinished) == (2.0, [2.0], 1.5)
    windows.hold(2.0, 3.5, 4.0)
    assert (windows.areas, windows.unfinished) == ([2.0, 2.5], 0.0)
    assert math.isnan(windows.half_width(1.0))
