import math

from serq.stats.batch_means import half_width


def test_too_few_samples_have_no_interval() -> None:
    assert half_width([1.0] * 39) == math.inf
    assert half_width([1.0] * 40) == 0.0


def test_twenty_batches_from_the_front() -> None:
    # batch i of two samples has mean i; means 0 ... 19 have variance 35 (20 * 21 / 12)
    samples = [float(i) for i in range(20) for _ in range(2)]
    assert half_width(samples) == 2.093 * math.sqrt(35.0 / 20)


def test_what_is_left_over_at_the_end_is_dropped() -> None:
    samples = [float(i) for i in range(20) for _ in range(2)]
    assert half_width([*samples, *[1e9] * 19]) == half_width(samples)
