"""One mistake is one diagnostic, at its place.

`single_mistakes.txt` has a program a line: the code it must give, a blank, the text with a `‸`
where the diagnostic must start and `⏎` for a line break.
"""

from pathlib import Path

import pytest
from tests.unit.syntax.reading import mistakes, one, places

from serq.syntax.parser.state import MOST_ERRORS

ROWS = Path(__file__).with_name("single_mistakes.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", ROWS)
def test_one_mistake_is_one_diagnostic_at_its_place(row: str) -> None:
    code, marked = row.split(" ", 1)
    marked = marked.replace("⏎", "\n")
    found = one(marked.replace("‸", ""))
    assert found.code == code
    assert found.span is not None
    assert found.span.start == marked.index("‸")
    assert found.message[0] == found.message[0].lower()
    assert not found.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("lett a = 3;", "let"),
        ("sesion { end; }", "session"),
        ("pool p { capp 3; }", "cap"),
        ("pool p { evict lri; }", "lru"),
        ("pool p { preempt lfo; }", "lifo"),
        ("pool p { queue fif; }", "fifo"),
        ("pool p { spill q va s (1) when (1); }", "via"),
        ("stage s : fif;", "fifo"),
        ("stage s : step { cots 3; }", "cost"),
        ("stage s : step { cost 3; serve admision; }", "admission"),
        ("workload { arive none; }", "arrive"),
        ("workload { arrive poison (3); }", "poisson"),
        ("run { horizn 3; }", "horizon"),
        ("share maxmn;", "maxmin"),
        ("session { obsrve x = 3; }", "observe"),
        ("session { choose j im 3 by (1); }", "in"),
        ("session { choose j in 3 bx (1); }", "by"),
        ("session { hold p (1) reserv (2) { } }", "reserve"),
        ("session { hold p (1) at admision (x = 1) { } }", "admission"),
        ("session { run s prefil (3); }", "prefill"),
        ("session { brnch (1) { end; } }", "branch"),
        ("def serve_one() { end; } session { serve_on(); }", "serve_one"),
        ("let members = 3; pool p[member] { }", "members"),
    ],
)
def test_a_misspelt_word_is_told_the_nearest(text: str, word: str) -> None:
    assert one(text).help == f"did you mean `{word}`?"


def test_every_mistake_of_a_file_is_found_in_the_order_of_the_text() -> None:
    assert places("""let a = ;
pool p { capp 3; evict foo; block 16; }
stage s : step { cost 1; budgt 3; }
session {
  set x = 1 + * 2;
  foo;
  branch (x == 1 { observe y = ; }
  hold p { bar (3); }
  run s (1)
}
run { horizn 3; warmup ; }
gauge g 3;
""") == [
        ("SQ101", 1, 9),
        ("SQ111", 2, 10),
        ("SQ111", 2, 24),
        ("SQ111", 3, 26),
        ("SQ101", 5, 15),
        ("SQ104", 6, 3),
        ("SQ101", 7, 18),
        ("SQ101", 7, 32),
        ("SQ101", 8, 10),
        ("SQ102", 10, 1),
        ("SQ111", 11, 7),
        ("SQ101", 11, 24),
        ("SQ101", 12, 9),
    ]  # fmt: skip


def test_a_missing_semicolon_costs_nothing_but_itself() -> None:
    assert places("let a = 1\nlet b = @;\nsession {\n  set x = 3\n  set y = ;\n}") == [
        ("SQ102", 2, 1),
        ("SQ001", 2, 9),
        ("SQ102", 5, 3),
        ("SQ101", 5, 11),
    ]


def test_an_unclosed_block_ends_where_the_next_item_begins() -> None:
    assert places("session {\n  loop {\n    end;\n}\npool p { cap ; }\nrun { horizn 1; }") == [
        ("SQ103", 1, 9),
        ("SQ101", 5, 14),
        ("SQ111", 6, 7),
    ]


def test_a_brace_too_many_hides_only_what_it_cut_off() -> None:
    assert places("session {\n  end; } }\n  set x = 1;\n}\nlet a = ;") == [
        ("SQ110", 2, 10),
        ("SQ101", 5, 9),
    ]


def test_what_a_bad_character_breaks_is_not_reported_again() -> None:
    assert places("let a = 3 $ 4;\nlet b = 1.2.3;\nsession { set x = §3; observe y = 'a; }") == [
        ("SQ001", 1, 11),
        ("SQ003", 2, 9),
        ("SQ001", 3, 19),
        ("SQ001", 3, 35),
    ]  # fmt: skip


def test_an_open_comment_or_text_hides_the_end_it_swallowed() -> None:
    assert places("session { loop { /* end; } }") == [("SQ004", 1, 18)]
    assert places('workload { trace "a.csv; }\nsession { end; }') == [("SQ002", 1, 18)]


def test_a_constant_that_could_not_be_read_is_not_missed() -> None:
    assert places("let a = ; let b = a + 1; pool p[b] { }") == [("SQ101", 1, 9)]


def test_very_many_mistakes_end_the_reading() -> None:
    assert len(mistakes("session { " + "foo; " * 5_000 + "}")) == MOST_ERRORS


def test_a_diagnostic_says_what_was_found_and_what_is_legal() -> None:
    found = one("pool kv { evict oldest; }")
    assert found.message == "`evict` takes `lru` or `by (key, …)`, found `oldest`"
    found = one("session { hold kv (1) reuse (2) reuse (3) { } }")
    assert found.message == "expected the block of `hold`, found `reuse`"
    assert found.help is not None
    assert "each once" in found.help
