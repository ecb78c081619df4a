import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq.stats.batch_means import half_width
from serq.stats.growing_batches import MOST, GrowingBatches
from serq.stats.sample_summary import SampleStream, summarise


def of(values: list[float]) -> GrowingBatches:
    batches = GrowingBatches()
    for value in values:
        batches.add(value)
    return batches


@pytest.mark.parametrize("count", [0, 39, 40, 41, 777, MOST - 1])
def test_of_few_values_the_interval_is_that_of_batch_means_to_the_bit(count: int) -> None:
    values = [random.Random(count).expovariate(1) for _ in range(count)]
    assert of(values).half_width() == half_width(values)


def test_batches_are_joined_in_pairs() -> None:
    batches = of([1.0] * (3 * MOST + 5))
    # 2048 batches of 1 became 1024 of 2, and 2048 of 2 became 1024 of 4; 2053 more values follow
    assert (batches.size, len(batches.sums), batches.filled) == (4, 1024 + 513, 1)
    assert set(batches.sums) == {4.0}
    assert batches.half_width() == 0.0


def test_of_many_values_the_interval_is_nearly_that_of_batch_means() -> None:
    draw = random.Random(5)
    value, values = 0.0, []
    for _ in range(100_000):
        value = 0.9 * value + draw.gauss(0, 1)
        values.append(value)
    assert math.isclose(of(values).half_width(), half_width(values), rel_tol=0.1)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), max_size=100))
def test_a_stream_of_few_has_the_summary_of_all(values: list[float]) -> None:
    stream = SampleStream()
    for value in values:
        stream.add(value)
    ours, exact = stream.summary(), summarise(values)
    for name in ("count", "mean", "cv2", "ci", "all_zero"):
        assert repr(getattr(ours, name)) == repr(getattr(exact, name))
    assert math.isnan(exact.p99) or math.isclose(ours.p99, exact.p99, rel_tol=0.005)
