import math

from hypothesis import given
from hypothesis import strategies as st

from serq.stats.log_histogram import LogHistogram, key_of
from serq.stats.quantile import ascending, quantile

NUMBERS = (
    st.floats(1e-6, 1e3) | st.floats(-1e3, -1e-6) | st.sampled_from([0.0, math.inf, -math.inf])
)


def of(values: list[float]) -> LogHistogram:
    histogram = LogHistogram()
    for value in values:
        histogram.add(value)
    return histogram


def test_without_a_value() -> None:
    assert math.isnan(of([]).mean())
    assert math.isnan(of([]).quantile(0.5))
    assert of([]).is_zero()


def test_a_quantile_stays_within_what_its_bucket_saw() -> None:
    assert of([0.02]).quantile(0.99) == 0.02
    assert of([0.0, 0.0, 0.02]).quantile(0.5) == 0.0
    assert of([-7.0]).quantile(0.5) == -7.0
    assert of([5e-324, 1.7e308]).quantile(0.5) == 5e-324
    assert of([5e-324, 1.7e308]).quantile(1) == 1.7e308


def test_mean_is_exact() -> None:
    gaps = [0.1, 0.2, 0.3, 0.7]
    assert of(gaps).mean() == (((0.1 + 0.2) + 0.3) + 0.7) / 4


def test_what_is_no_number_stands_first() -> None:
    histogram = of([math.nan, 1.0, -math.inf, math.inf])
    assert math.isnan(histogram.quantile(0.25))
    assert [histogram.quantile(q) for q in (0.5, 0.75, 1)] == [-math.inf, 1.0, math.inf]
    assert not histogram.is_zero()
    assert of([0.0, -0.0]).is_zero()


@given(st.lists(NUMBERS, min_size=1, max_size=60), st.floats(0.0, 1.0))
def test_a_quantile_is_within_half_a_percent(values: list[float], q: float) -> None:
    exact = quantile(ascending(values), q)
    assert math.isclose(of(values).quantile(q), exact, rel_tol=0.005)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_keys_are_in_the_order_of_the_values(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert key_of(low) <= key_of(high)
