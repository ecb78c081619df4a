"""The nearest known name to a misspelt one, if there is one."""

from __future__ import annotations

import pytest

from serq.diagnostics import nearest


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("horizn", ["horizon", "warmup"], "horizon"),
        ("slot", ["slots", "slat"], None),
        ("ab", ["abcd"], None),
        ("RATE", ["rate", "n"], "rate"),
        ("Rate", ["rate", "rat"], "rate"),
        ("RATE", ["rate", "Rate"], None),
        ("rate", ["rate"], None),
    ],
)
def test_nearest(name: str, known: list[str], near: str | None) -> None:
    assert nearest(name, known) == near
