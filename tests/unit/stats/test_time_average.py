import math

from serq.stats.time_average import TimeAverage


def test_mean_of_what_was_held() -> None:
    average = TimeAverage()
    average.record(4.0, 2.0)  # 0 for 2, then 4 for 3, then 1 for 5
    average.record(1.0, 5.0)
    assert average.mean(0.0, 10.0) == (0.0 * 2 + 4.0 * 3 + 1.0 * 5) / 10


def test_the_area_grows_only_when_the_value_changes() -> None:
    average = TimeAverage(0.1)
    for now in (0.1, 0.2, 0.3):
        average.record(0.1, now)
    assert (average.integral, average.since) == (0.0, 0.0)
    average.record(0.2, 0.7)
    assert (average.integral, average.since) == (0.1 * 0.7, 0.7)


def test_restart_keeps_the_value_and_forgets_the_past() -> None:
    average = TimeAverage()
    average.record(8.0, 1.0)
    average.restart(3.0)
    average.record(2.0, 4.0)
    assert average.mean(3.0, 5.0) == (8.0 + 2.0) / 2


def test_over_no_time_there_is_no_mean() -> None:
    assert math.isnan(TimeAverage(1.0).mean(5.0, 5.0))
    assert math.isnan(TimeAverage(1.0).mean(5.0, 4.0))
