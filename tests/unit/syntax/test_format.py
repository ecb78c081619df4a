import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serq.diagnostics import Source
from serq.syntax.format import format_source
from serq.syntax.lexer import scan
from serq.syntax.tokens import Kind

PIECES = (
    "let a = 1;", "let b=a+ 1 ;", "pool kv[2]{cap 3;block   16 ;}", "pool p {\n cap 3 ; }",
    "stage s:step{cost 1;}", "stage t : fifo ( 2 ) ;", "// a comment", "/* several\n   lines */",
    "session{\nturn;hold kv [ 1 ] (2)reserve(3){\n\tend;}\n} // done",
    "def f(x)=x\n  + 1;", "gauge g = max( a ,b )?1:-2;", "workload {arrive none ;\n}",
    'workload { trace "a b.csv"\tordered ; }', "run {\n// why\n      // further in\nhorizon 1; }",
)  # fmt: skip


def laid_out(text: str) -> str:
    result = format_source(Source("program.sq", text))
    assert result.text is not None, [str(found) for found in result.diagnostics]
    return result.text


def spelled(text: str) -> list[tuple[Kind, str]]:
    tokens = scan(Source("program.sq", text), lambda _: None, comments=True)
    return [(t.kind, t.text.rstrip() if t.kind is Kind.COMMENT else t.text) for t in tokens]


@pytest.mark.parametrize(
    ("written", "laid"),
    [
        ("let a=1 ;", "let a = 1;"),
        ("let  a   =   max( 1 ,2 ) ;", "let a = max(1, 2);"),
        ("let a = 1+2 * 3;", "let a = 1+2 * 3;"),
        ("let a = - 1;", "let a = - 1;"),
        ("let a = ~ exp( 1 );", "let a = ~exp(1);"),
        ("let a = b?1:2;", "let a = b?1: 2;"),
        ("let a = max (1, 2);", "let a = max (1, 2);"),
        ("let a = b>=2;", "let a = b>=2;"),
        ("pool kv [2]{cap 3;}", "pool kv[2] { cap 3; }"),
        ("pool kv{}", "pool kv { }"),
        ("stage s:step{cost 1;};", "stage s: step { cost 1; };"),
        ("session{hold kv[ 1 ](2){}}", "session { hold kv[1](2) { } }"),
        ("let a = 1;let b = 2;", "let a = 1; let b = 2;"),
        ('workload{trace   "a  b"ordered;}', 'workload { trace "a  b"ordered; }'),
        ("let a=1; // as=it, is ", "let a=1; // as=it, is"),
        ("let a=1 /* here */;", "let a=1 /* here */;"),
        ("def f(x)=x.y;", "def f(x) = x.y;"),
        ("def f(x) = 1 . 5;", "def f(x) = 1 . 5;"),
    ],
)
def test_a_line(written: str, laid: str) -> None:
    assert laid_out(written) == f"{laid}\n"


@pytest.mark.parametrize(
    ("written", "laid"),
    [
        (
            "session {\nturn;\nloop {\nend;\n}\n}\n",
            "session {\n  turn;\n  loop {\n    end;\n  }\n}\n",
        ),
        (
            "session {\n        loop { turn;\n      end; } }\n",
            "session {\n  loop { turn;\n    end; } }\n",
        ),
        (
            "session {\n  branch (1) {\n    end; } else {\n  turn; }\n}",
            "session {\n  branch (1) {\n    end; } else {\n    turn; }\n}\n",
        ),
        ("let a = 1 +\n      2 +\n 3;\nlet b = 1;", "let a = 1 +\n      2 +\n 3;\nlet b = 1;\n"),
        (
            "session {\nhold kv (1)\nat admission (a = 1) {\nend;\n}\n}",
            "session {\n  hold kv (1)\n  at admission (a = 1) {\n    end;\n  }\n}\n",
        ),
        ("\n\n  let a = 1;\n\n\n   let b = 2;\n\n", "\n\nlet a = 1;\n\n\nlet b = 2;\n"),
        ("let a = 1;   \r\n\r\nlet b = 2;\r\n", "let a = 1;\n\nlet b = 2;\n"),
        (
            "run {\n// level\n      // deeper\n\t\t\thorizon 1; // end\n}",
            "run {\n  // level\n      // deeper\n  horizon 1; // end\n}\n",
        ),
        (
            "let a = 1 + // first\n    2;\n  let b = 1;",
            "let a = 1 + // first\n    2;\nlet b = 1;\n",
        ),
        ("run {\n  /* one\n   two */ horizon 1; }", "run {\n  /* one\n   two */ horizon 1; }\n"),
        ("", ""),
        ("\n\n", ""),
    ],
)
def test_lines(written: str, laid: str) -> None:
    assert laid_out(written) == laid


def test_a_text_with_mistakes_is_left_alone() -> None:
    result = format_source(Source("program.sq", "let a = ;"))
    assert result.text is None
    assert [found.code for found in result.diagnostics] == ["SQ101"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from("\n \t")), max_size=8))
def test_a_layout_is_its_own_layout_and_keeps_every_token(parts: list[tuple[str, str]]) -> None:
    text = ""
    for number, (piece, gap) in enumerate(parts):
        text += piece.replace("f(", f"f{number}(") + ("\n" if "//" in piece else gap)
    result = format_source(Source("program.sq", text))
    if result.text is not None:
        assert spelled(result.text) == spelled(text)
        assert laid_out(result.text) == result.text
