import math

from hypothesis import given
from hypothesis import strategies as st

from serq.stats.batch_means import half_width_around
from serq.stats.step_function import summarise, window_mean


def test_mean_over_a_window_that_cuts_pieces() -> None:
    times, values = [0.0, 2.0, 6.0], [1.0, 3.0, 5.0]
    assert window_mean(times, values, 1.0, 8.0) == (1.0 * 1 + 3.0 * 4 + 5.0 * 2) / 7


def test_summary() -> None:
    times, values = [0.0, 10.0, 20.0, 20.0], [2.0, 4.0, 100.0, 4.0]
    summary = summarise(times, values, 0.0, 20.0)
    assert summary.mean == 3.0
    assert (summary.min, summary.max) == (2.0, 4.0)  # 100 was held for no time
    assert summary.ci == half_width_around([2.0] * 10 + [4.0] * 10, 3.0)


def test_over_no_time_there_is_no_summary() -> None:
    for times, end in (([0.0], 0.0), ([], 5.0)):
        summary = summarise(times, [1.0] * len(times), 0.0, end)
        assert math.isnan(summary.mean)
        assert math.isnan(summary.max)


@given(
    st.lists(st.floats(0.001, 5.0), min_size=1, max_size=30),
    st.integers(0, 10),
)
def test_windows_share_out_the_whole(gaps: list[float], start: int) -> None:
    times = [0.0]
    for gap in gaps:
        times.append(times[-1] + gap)
    values = [float(i % 7) for i in range(len(times))]
    low, high = float(start), start + 40.0
    summary = summarise(times, values, low, high)
    width = (high - low) / 20
    windows = [
        window_mean(times, values, low + i * width, low + (i + 1) * width) for i in range(20)
    ]
    assert math.isclose(math.fsum(windows) / 20, summary.mean, abs_tol=1e-9)
    assert math.isclose(summary.ci, half_width_around(windows, summary.mean), abs_tol=1e-6)
