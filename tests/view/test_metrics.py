"""Widths and line breaks: the same on every machine, since no font is asked."""

from __future__ import annotations

import pytest

from serq.view.metrics import MARGIN, items, width, wrap

SIZE = 10.0


def fits(lines: list[str], room: float) -> bool:
    return all(width(line, SIZE) <= room for line in lines)


def test_widths_are_those_of_helvetica_and_a_margin() -> None:
    assert width("", SIZE) == 0
    assert width("iW", SIZE) == pytest.approx((0.222 + 0.944) * SIZE * MARGIN)
    assert width("Wi", 2 * SIZE) == pytest.approx(2 * width("iW", SIZE))
    assert width("kv", SIZE, bold=True) > width("kv", SIZE)
    assert width("東京", SIZE) == pytest.approx(2 * SIZE * MARGIN)
    assert width("e\u0301", SIZE) == width("e", SIZE)


def test_lines_are_broken_at_blanks_and_about_equally_long() -> None:
    assert wrap("one two three four", SIZE, 1000) == ["one two three four"]
    lines = wrap("a few words that go on for two lines", SIZE, 120)
    assert " ".join(lines) == "a few words that go on for two lines"
    assert len(lines) == 2
    assert fits(lines, 120)
    assert abs(width(lines[0], SIZE) - width(lines[1], SIZE)) < 40


def test_a_product_and_the_arguments_of_a_call_stay_whole() -> None:
    room = 150
    assert wrap("0.006 + 4e-5 * decoders + 5e-5 * prefilled", SIZE, room) == [
        "0.006 + 4e-5 * decoders", "+ 5e-5 * prefilled"
    ]  # fmt: skip
    assert wrap("fresh ? ~uniform(1000, 3000) : ~exp(500)", SIZE, room) == [
        "fresh ? ~uniform(1000, 3000)", ": ~exp(500)"
    ]  # fmt: skip
    assert wrap("max(cached * 2, prompt - 1) / 8000", SIZE, room) == [
        "max(cached * 2, prompt - 1)", "/ 8000"
    ]  # fmt: skip


def test_a_word_that_is_too_wide_is_broken_at_a_sign() -> None:
    lines = wrap("a_name_of_many_words_without_a_blank", SIZE, 90)
    assert "".join(lines) == "a_name_of_many_words_without_a_blank"
    assert fits(lines, 90)
    assert lines[0].endswith("_")


def test_what_does_not_fit_ends_in_an_ellipsis() -> None:
    lines = wrap("word " * 400, SIZE, 60, most=3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert fits(lines, 60)


def test_items_are_kept_whole() -> None:
    lines = items(["cap 64,000", "block 16", "evict lru", "preempt lifo"], SIZE, 120, most=6)
    assert lines == ["cap 64,000 · block 16", "evict lru · preempt lifo"]
    assert items(["word"] * 9, SIZE, 30, most=2) == ["word", "…"]
