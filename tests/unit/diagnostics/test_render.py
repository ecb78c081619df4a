import json

from serq.diagnostics import Diagnostic, Expansion, Note, Severity, Source, Span
from serq.diagnostics.render import github
from serq.diagnostics.render import json as as_json
from serq.diagnostics.render.excerpt import excerpt
from serq.diagnostics.render.text import render

TEXT = "let lam = 0.8;\n  observe hit = hitt;\n"
SOURCE = Source("p.sq", TEXT)
NAME = Span(SOURCE, 31, 35)


def found(span: Span | None = NAME, **more: object) -> Diagnostic:
    return Diagnostic("SQ201", "unknown name `hitt`", span, **more)  # type: ignore[arg-type]


def test_the_sentence_the_place_the_carets_and_the_way_out() -> None:
    note = Note("`hit` is declared here", Span(SOURCE, 25, 28))
    assert render([found(help="did you mean `hit`?", notes=(note, Note("a fact")))]) == (
        "error[SQ201]: unknown name `hitt`\n"
        " --> p.sq:2:17\n"
        "  |\n"
        "2 |   observe hit = hitt;\n"
        "  |                 ^^^^\n"
        "note: `hit` is declared here\n"
        " --> p.sq:2:11\n"
        "  |\n"
        "2 |   observe hit = hitt;\n"
        "  |           ^^^\n"
        "  = note: a fact\n"
        "  = help: did you mean `hit`?\n"
    )


def test_the_gutter_is_as_wide_as_the_line_number() -> None:
    source = Source("p.sq", "\n" * 99 + "x\n")
    assert render([found(Span(source, 99, 100))]).splitlines()[1:] == [
        "   --> p.sq:100:1",
        "    |",
        "100 | x",
        "    | ^",
    ]


def test_uses_of_definitions_are_named_from_the_inside_out() -> None:
    outer = Expansion("outer", Span(SOURCE, 0, 3))
    inner = Expansion("inner", Span(SOURCE, 4, 7, outer))
    lines = render([found(Span(SOURCE, 31, 35, inner))]).splitlines()
    assert lines[-2:] == [
        "  = note: in `inner`, used at p.sq:1:5",
        "  = note: in `outer`, used at p.sq:1:1",
    ]


def test_without_a_place_the_file_is_named_and_without_a_file_nothing() -> None:
    assert render([found(None, file="t.csv")]) == (
        "error[SQ201]: unknown name `hitt`\n --> t.csv\n"
    )
    assert render([found(None)]) == "error[SQ201]: unknown name `hitt`\n"


def test_several_findings_are_apart_and_severities_are_named() -> None:
    warning = found(None, severity=Severity.WARNING)
    assert render([warning, found(None)]) == (
        "warning[SQ201]: unknown name `hitt`\n\nerror[SQ201]: unknown name `hitt`\n"
    )


def test_colour_is_only_added() -> None:
    import re

    plain = render([found(help="x")])
    colored = render([found(help="x")], color=True)
    assert "\x1b[1;31m" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain


def test_tabs_are_shown_as_blanks_and_wide_characters_count_twice() -> None:
    source = Source("p.sq", "\tlet\t日本 = e\u0301x;")
    part = excerpt(Span(source, 5, 7))
    assert part.text == "    let 日本 = e\u0301x;"
    assert part.carets == "        ^^^^"
    assert excerpt(Span(source, 12, 13)).carets == " " * 16 + "^"


def test_what_a_terminal_would_obey_is_not_shown() -> None:
    source = Source("p\x1b.sq", "a\x1b[31m\x00\u202e b")
    shown = render([Diagnostic("SQ001", "bad \x07", Span(source, 0, 1))], color=False)
    assert "a\ufffd[31m\ufffd\ufffd b" in shown
    assert not any(character in shown for character in "\x1b\x00\x07\u202e")


def test_a_long_line_is_cut_around_the_span() -> None:
    source = Source("p.sq", "x" * 1000 + "HERE" + "y" * 1000)
    part = excerpt(Span(source, 1000, 1004))
    assert len(part.text) == 102
    assert part.text[part.carets.index("^") : len(part.carets)] == "HERE"
    assert (part.text[0], part.text[-1]) == ("…", "…")
    whole = excerpt(Span(source, 0, 2004))
    assert len(whole.carets) <= 102


def test_a_span_over_several_lines_is_shown_on_its_first() -> None:
    source = Source("p.sq", "ab\ncd\r\n")
    assert excerpt(Span(source, 1, 5)).carets == " ^"
    assert excerpt(Span(source, 3, 7)).text == "cd"


def test_an_empty_span_at_the_end_has_a_caret() -> None:
    source = Source("p.sq", "ab")
    assert excerpt(Span(source, 2, 2)).carets == "  ^"
    empty = excerpt(Span(Source("p.sq", ""), 0, 0))
    assert (empty.line, empty.text, empty.carets) == (1, "", "^")


def test_json_is_one_object_a_line() -> None:
    expansion = Expansion("f", Span(SOURCE, 0, 3))
    one = found(
        Span(SOURCE, 31, 35, expansion),
        notes=(Note("here", NAME), Note("there")),
        data={"known": ("a", "b"), "span": NAME.text, "other": object},
    )
    first, second = as_json.render([one, found(None, file="t.csv")]).splitlines()
    place = {"file": "p.sq", "line": 2, "column": 17, "end_line": 2, "end_column": 21}
    assert json.loads(first) == {
        "code": "SQ201",
        "name": "unknown-name",
        "severity": "error",
        "message": "unknown name `hitt`",
        "help": None,
        "place": place,
        "notes": [{"message": "here", "place": place}, {"message": "there", "place": None}],
        "expansions": [
            {
                "name": "f",
                "place": {
                    "file": "p.sq", "line": 1, "column": 1, "end_line": 1, "end_column": 4,
                },
            }
        ],
        "data": {"known": ["a", "b"], "span": "hitt", "other": "<class 'object'>"},
    }  # fmt: skip
    assert json.loads(second)["place"] == {
        "file": "t.csv", "line": None, "column": None, "end_line": None, "end_column": None,
    }  # fmt: skip


def test_github_annotations_are_escaped() -> None:
    source = Source("a,b:c.sq", TEXT)
    one = Diagnostic("SQ201", "100% odd", Span(source, 31, 35), help="no")
    note = Diagnostic("SQ801", "noted", severity=Severity.NOTE)
    assert github.render([one, note]) == (
        "::error file=a%2Cb%3Ac.sq,line=2,col=17,endLine=2,endColumn=21,"
        "title=SQ201 unknown-name::100%25 odd%0Ahelp: no\n"
        "::notice title=SQ801 observation-never-held::noted\n"
    )
