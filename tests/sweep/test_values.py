"""The values of a constant, from the text a person writes."""

from __future__ import annotations

import pytest

from serq.sweeps.values import MOST_VALUES, values_of


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ("1,2,4", (1, 2, 4)),
        ("0.5", (0.5,)),
        (" 1 , -2e3 ", (1, -2000)),
        ("1:10:3", (1, 4, 7, 10)),
        ("1:9:3", (1, 4, 7)),
        ("2:4", (2, 3, 4)),
        ("0.1:0.3:0.1", (0.1, 0.2, 0.3)),
        ("1:64:*4", (1, 4, 16, 64)),
        ("1:3,10", (1, 2, 3, 10)),
        ("min(a, 2),b", ("min(a, 2)", "b")),
        ("used(kv[0,1]),1", ("used(kv[0,1])", 1)),
        ("a > 1 ? 2 : 3", ("a > 1 ? 2 : 3",)),
        (3, (3,)),
        ([1, "x", 2.5], (1, "x", 2.5)),
        (range(3), (0, 1, 2)),
    ],
)
def test_values(given: object, values: tuple[object, ...]) -> None:
    assert values_of(given) == values


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("", "a value on each side of a comma"),
        ("1,,2", "a value on each side of a comma"),
        ("2:1", "whose last value is not below its first"),
        ("1:2:0", "a step above 0"),
        ("1:2:-1", "a step above 0"),
        ("1:8:*1", "a factor above 1"),
        ("0:8:*2", "a first value above 0"),
        ("0:1e9", "at most"),
        ("1:1e300:1e-9", "at most"),
        ([], "at least one value"),
        (range(MOST_VALUES + 1), "at most"),
    ],
)
def test_what_are_no_values(given: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        values_of(given)


@pytest.mark.parametrize("given", [None, [None], object()])
def test_what_is_neither_number_nor_text(given: object) -> None:
    with pytest.raises(TypeError):
        values_of(given)
