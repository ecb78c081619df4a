"""Whatever the text, reading it ends, raises nothing, and a tree means no mistake."""

from hypothesis import given, settings
from hypothesis import strategies as st

from serq.diagnostics import Source
from serq.syntax import parse
from serq.syntax.format import format_source
from serq.vocabulary.functions import FUNCTIONS
from serq.vocabulary.keywords import KEYWORDS
from serq.vocabulary.operators import BINARY

WORDS = (
    *sorted(KEYWORDS), *FUNCTIONS, *BINARY, *"(){}[],;:.=~?!", "a", "kv", "f(", "1", "2.5",
    '"t.csv"', "// c\n", "/* c */", "@", '"', "/*", "\n",
)  # fmt: skip

PROGRAM = """def f(x, n) = x * n + 1; def go(p) { hold p (1) { run s (f(2, 3)); } cache (1); }
let n = 3; pool kv[n] { cap 100; block 16; evict by (age, size); admit via e; }
stage s : fifo (2); stage e : step { budget 8; cost max(1, tokens); serve decode first; memory kv; }
workload { arrive poisson (0.5); hidden o; init { set k = 0; } turn { set o = ~exp(3); }
  session { turn; loop { request; branch with (0.5) { end; } else { turn; } } } }
server { choose j in n by (used(kv[j])); go(kv[j]); hold kv[j] (1), kv[0] (2) reserve (3)
  at admission (hit = min(cachedin(kv[j]), 4)) { prefill (hit) growing kv[j]; } cache (k) ; }
gauge g = sum j in n (free(kv[j])); run { horizon 10; seed 1; }
"""


def check(text: str) -> None:
    result = parse(Source("program.sq", text), read_library=lambda _: "def lib(x) = x;")
    assert (result.program is None) == bool(result.diagnostics)
    for found in result.diagnostics:
        str(found)
    format_source(Source("<text>", text))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_a_soup_of_words(words: list[str]) -> None:
    check(" ".join(words))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_program_with_words_lost_doubled_or_replaced(data: st.DataObject) -> None:
    words = PROGRAM.split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at] = data.draw(st.sampled_from(["", words[at] + " " + words[at], *WORDS]))
    check(" ".join(words))


def test_the_program_itself_is_sound() -> None:
    assert parse(Source("program.sq", PROGRAM)).diagnostics == []
