import math

from hypothesis import given
from hypothesis import strategies as st

from serq.stats.gap_histogram import GapHistogram
from serq.stats.quantile import quantile


def of(gaps: list[float]) -> GapHistogram:
    histogram = GapHistogram()
    for gap in gaps:
        histogram.add(gap)
    return histogram


def test_without_a_gap() -> None:
    assert math.isnan(of([]).mean())
    assert math.isnan(of([]).quantile(0.5))


def test_a_quantile_stays_within_what_its_bucket_saw() -> None:
    assert of([0.02]).quantile(0.99) == 0.02
    assert of([0.0, 0.0, 0.02]).quantile(0.5) == 0.0


def test_mean_is_exact() -> None:
    gaps = [0.1, 0.2, 0.3, 0.7]
    assert of(gaps).mean() == (((0.1 + 0.2) + 0.3) + 0.7) / 4


@given(
    st.lists(st.floats(1e-6, 1e3), min_size=1, max_size=60),
    st.floats(0.0, 1.0),
)
def test_a_quantile_is_within_one_percent(gaps: list[float], q: float) -> None:
    exact = quantile(sorted(gaps), q)
    assert math.isclose(of(gaps).quantile(q), exact, rel_tol=0.0101)
