import pytest

from serq.diagnostics import Diagnostic, Source
from serq.syntax.lexer import number_value, scan
from serq.syntax.tokens import Kind, Token


def tokens(text: str, *, comments: bool = False) -> tuple[list[Token], list[Diagnostic]]:
    found: list[Diagnostic] = []
    return list(scan(Source("t.sq", text), found.append, comments=comments)), found


def spelled(text: str) -> list[str]:
    read, found = tokens(text)
    assert found == []
    return [token.text for token in read[:-1]]


def test_symbols_of_two_characters_are_read_before_those_of_one() -> None:
    assert spelled("a<=b>=c==d!=e&&f||!g") == [
        *("a", "<=", "b", ">=", "c", "==", "d", "!=", "e", "&&", "f", "||", "!", "g"),
    ]


def test_words_are_letters_digits_and_underscores_of_any_script() -> None:
    assert spelled("_a ÿ 数 a٣ größe2 ª") == ["_a", "ÿ", "数", "a٣", "größe2", "ª"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5.0), ("5.", 5.0), (".5", 0.5), ("1_000", 1000.0), ("1__", 1.0), ("1._5", 1.5),
        ("1e3", 1000.0), ("1E-3", 0.001), ("1.e+2", 100.0), ("1e999", float("inf")),
    ],
)  # fmt: skip
def test_a_number_and_its_value(text: str, value: float) -> None:
    assert spelled(text) == [text]
    assert number_value(text) == value


@pytest.mark.parametrize(
    ("text", "parts"),
    [("1e", ["1", "e"]), ("1e+", ["1", "e", "+"]), ("5x", ["5", "x"]), ("1e5_0", ["1e5", "_0"])],
)
def test_a_number_ends_where_it_makes_no_sense(text: str, parts: list[str]) -> None:
    assert spelled(text) == parts


def test_comments_are_dropped_or_kept_and_do_not_nest() -> None:
    text = "a // b\n/* c\n/* d */ e"
    assert spelled(text) == ["a", "e"]
    kept, _ = tokens(text, comments=True)
    assert [t.text for t in kept if t.kind is Kind.COMMENT] == ["// b", "/* c\n/* d */"]


def test_a_text_in_quotes_may_span_lines_and_has_no_escapes() -> None:
    assert spelled('"a\nb\\" c') == ['"a\nb\\"', "c"]


def test_places_count_characters() -> None:
    read, _ = tokens('"é𝄞" x\n  y')
    assert [(t.span.start_line, t.span.start_column) for t in read] == [
        (1, 1), (1, 6), (2, 3), (2, 4),
    ]  # fmt: skip
    assert read[0].span.text == '"é𝄞"'


@pytest.mark.parametrize(
    ("text", "code", "column", "says"),
    [
        ("a @ b", "SQ001", 3, "unexpected character `@`"),
        ("a & b", "SQ001", 3, "unexpected character `&`"),
        ("a ² b", "SQ001", 3, "unexpected character `²` (U+00B2)"),
        ("\ufeffa", "SQ001", 1, "unexpected character U+FEFF (zero width no-break space)"),
        ("\x00a", "SQ001", 1, "unexpected character U+0000"),
        ("a 1.2.3 b", "SQ003", 3, "the number 1.2.3 has more than one decimal point"),
        ('a "b', "SQ002", 3, "a text begins here and is never closed"),
        ("a /* b", "SQ004", 3, "a comment begins here and is never closed"),
        ("a /*/ b", "SQ004", 3, "a comment begins here and is never closed"),
    ],
)
def test_what_is_no_token(text: str, code: str, column: int, says: str) -> None:
    _, found = tokens(text)
    assert [(d.code, d.message) for d in found] == [(code, says)]
    assert found[0].span is not None
    assert found[0].span.start_column == column


def test_reading_goes_on_after_a_bad_character() -> None:
    read, found = tokens("a @@ b § c")
    assert [t.text for t in read if t.kind is Kind.NAME] == ["a", "b", "c"]
    assert [d.span.start_column for d in found if d.span is not None] == [3, 8]


def test_unexpected_characters_in_a_row_are_one_mistake() -> None:
    _, found = tokens("a @ ² §\n $ % b 1.2.3 @ c")
    assert [(d.code, d.span.start_line, d.span.start_column) for d in found if d.span] == [
        ("SQ001", 1, 3),
        ("SQ003", 2, 8),
        ("SQ001", 2, 14),
    ]


def test_what_is_a_comment_elsewhere_is_one_mistake() -> None:
    read, found = tokens("let # it's `5` %\n# and more\na; # b\nc")
    assert [t.text for t in read] == ["let", "a", ";", "c", ""]
    assert [(d.message, d.help, d.span.text, d.span.start_line) for d in found if d.span] == [
        ("unexpected character `#`", "a comment begins with `//`", "#", 1),
        ("unexpected character `#`", "a comment begins with `//`", "#", 3),
    ]


def test_the_end_says_what_it_leaves_open() -> None:
    assert tokens("a")[0][-1].text == ""
    assert tokens('a "b')[0][-1].text == '"'
    assert tokens("a /* b")[0][-1].text == "/*"
