"""What is written elsewhere is told how it is written here."""

from __future__ import annotations

import pytest
from tests.unit.syntax.reading import one

UNIT = "a number has no unit behind it: write `0.006` for 6 ms and `20_000` for 20 k"


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("pool p { cap 20k; }", UNIT),
        ("stage s : step { cost 6ms + 2; }", UNIT),
        ("stage s : step { cost 6 ms + 2; }", UNIT),
        ("stage s : step { cost 6.5ms + 2; }", UNIT),
        ("session { branch (x > 20k) { end; } }", UNIT),
        ("run { horizon 10min; }", UNIT),
        ("pool p { cap 20,000; }", "digits are grouped with `_`: `20_000`"),
        ("run { horizon = 600; }", "a value follows its word at once: `horizon …;`"),
        ("pool p { cap: 32; }", "a value follows its word at once: `cap …;`"),
        ("stage s : step { cost 2 ** 3; }", "the power is `^`"),
        ("session { branch (x = 3) { end; } }", "`==` compares"),
        ("session { branch (x > 1 and y) { end; } }", "the logical and is `&&`"),
        ("session { branch (x > 1 or y) { end; } }", "the logical or is `||`"),
        ("session { branch (not x) { end; } }", "the logical not is `!`"),
        ("session { set x = not y; }", "the logical not is `!`"),
        ("session { if (x > 1) { end; } }", "a test is `branch (n > 10) { … } else { … }`"),
        ("session { while (x) { end; } }", "`loop { … }` repeats its block until the session ends"),
        ("session { return; }", "`end;` ends the session"),
        ("session { { end; } }", "a block follows `hold`, `branch` or `loop`"),
        ("session { let x = 1; }", "`set x = 1;` assigns an attribute of the session"),
        ("session { observe (x, 1); }", "`observe ttft = now - sent;` records a number"),
        (
            "session { branch (x) { } else branch (y) { } }",
            "a branch in the other case has a block around it: `else { branch (…) { … } }`",
        ),
        ("session { end; }\n}", "the block above is closed already: this `}` is one too many"),
        ("pool p { cap 90%; }", "a share is a number, such as `0.9`"),
        ("use \u201clib", 'a text stands between `"` and `"`'),
    ],
)
def test_the_way_out_is_ours(text: str, help: str) -> None:
    assert one(text).help == help


@pytest.mark.parametrize(
    "text",
    [
        "pool p { cap 20 evict lru; }",
        "run { horizon 600 warmup 60; }",
        "session { set x == 3; }",
        "session { set x = = 3; }",
        "session { set x = 1 + * 2; }",
        "session { set x = (1 n); }",
        "session { set x1 k; }",
    ],
)
def test_what_is_no_habit_is_told_none(text: str) -> None:
    assert one(text).help is None


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("let a = 3\npool p { }", "3"),
        ("pool p { cap 20\n}", "20"),
        ("session {\n  turn // the next one\n  end;\n}", "turn"),
        ("session { set x = min(1, 2)\n\n\n}", ")"),
    ],
)
def test_a_missing_semicolon_is_shown_where_it_belongs(text: str, last: str) -> None:
    (note,) = one(text).notes
    assert note.text == "the `;` belongs behind this"
    assert note.span is not None
    assert note.span.text == last


def test_one_on_the_same_line_needs_no_second_place() -> None:
    assert one("session { turn end; }").notes == ()


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("pool p { capacity 3; }", "cap"),
        ("pool p { block_size 3; }", "block"),
        ("pool p { eviction lru; }", "evict"),
        ("stage s : step { cost 3; budget_tokens 2; }", "budget"),
        ("run { horizon_s 3; }", "horizon"),
    ],
)
def test_an_option_begins_as_the_word_does(text: str, option: str) -> None:
    assert one(text).help == f"did you mean `{option}`?"
