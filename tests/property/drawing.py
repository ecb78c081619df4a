"""What program strategies are made of: choices, numbers, expressions for sizes and times."""

from __future__ import annotations

from hypothesis import strategies as st

Draw = st.DrawFn


def one_of(draw: Draw, *texts: str) -> str:
    """One of the texts; the first is the simplest, and one that is named twice is likelier."""
    return draw(st.sampled_from(texts))


def number(draw: Draw, low: int, high: int) -> int:
    """A whole number."""
    return draw(st.integers(low, high))


def maybe(draw: Draw, text: str) -> str:
    """The text, or nothing."""
    return one_of(draw, "", text)


def lengths(draw: Draw, high: int) -> str:
    """An expression for a positive whole number: constant, drawn, or by session and turn."""
    value = number(draw, 1, high)
    return one_of(
        draw,
        f"{value}",
        f"floor(~uniform(1, {value + 1}))",
        f"1 + floor(~exp({value}))",
        f"{value} + serial",
        f"max(1, {value} - turn_no)",
        f"(turn_no == 1 ? {value} : floor(~erlang(2, {value})) + 1)",
    )


def duration(draw: Draw) -> str:
    """An expression for a positive time."""
    value = one_of(draw, "1", "0.5", "2", "0.25", "3.7")
    return one_of(
        draw,
        value,
        f"~exp({value})",
        f"~uniform({value}, 4)",
        f"~h2({value}, 3)",
        f"{value} + serial",
    )


def arrivals(draw: Draw) -> str:
    """How sessions arrive: enough of them at once that they get into each other's way."""
    gap = one_of(draw, "~exp(1)", "1", "~uniform(0.1, 2)", "~erlang(3, 1)", "~h2(0.5, 4)")
    return one_of(
        draw,
        f"batch({number(draw, 2, 9)})",
        f"closed({number(draw, 2, 7)})",
        f"poisson({one_of(draw, '1', '2', '0.5', '4')})",
        f"renewal({gap})",
    )
