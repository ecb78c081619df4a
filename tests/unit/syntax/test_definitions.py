import pytest
from tests.unit.syntax.reading import mistakes, one, places, program, shown

from serq.diagnostics import Expansion
from serq.syntax import ast


def read(text: str, definitions: dict[str, str] | None = None) -> str:
    """The constant `x` of a text."""
    lets = program(text, definitions=definitions).lets
    return next(shown(let.value) for let in lets if let.name == "x")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("def f(a) = a + 1; let x = 2 * f(3);", "(2 * (3 + 1))"),
        ("def f(a) = a * 2; let x = f(1 + 2) ^ 2;", "(((1 + 2) * 2) ^ 2)"),
        ("def f() = -1; let x = f () ^ 2;", "((-1) ^ 2)"),
        ("def f(a, b) = a - b; let x = f(b, a);", "(b - a)"),
        ("def f(a) = a; def g(a) = f(a) + f(a + 1); let x = g(-2);", "((-2) + ((-2) + 1))"),
        ("def f(a) = used(a); let x = f(kv[j + 1]);", "used(kv[(j + 1)])"),
        ("def f(a) = a; let x = f(max(1, 2));", "max(1, 2)"),
        ("def f(n) = max j in n (j); let x = f(3);", "max j in 3 (j)"),
        ("def two() = 2; let x = sum j in two() (j);", "sum j in 2 (j)"),
        ("def f(a,) = a; let x = f(~exp(1));", "~exp(1)"),
        ("def unused(a) = 1 + ; let x = 1;", "1"),
        ("def f(a) = a; let f2 = 1; let x = f + 1;", "(f + 1)"),
    ],
)  # fmt: skip
def test_an_expression_in_place_of_its_use(text: str, tree: str) -> None:
    assert read(text) == tree


def test_statements_in_place_of_their_use() -> None:
    session = program("""
        def inner(n) { set a = n; }
        def outer(p, n) { inner(n); hold p (n) { inner(n + 1); } cache (n); }
        session { turn; outer(kv[1], 2 + 3); end; }
    """).session
    assert session is not None
    kinds = [type(statement) for statement in session.statements]
    assert kinds == [ast.Turn, ast.Set, ast.Hold, ast.End]
    hold = session.statements[2]
    assert isinstance(hold, ast.Hold)
    assert shown(hold.pools[0].pool) == "kv[1]"
    assert shown(hold.cache) == "(2 + 3)"
    assert isinstance(hold.body.statements[0], ast.Set)
    assert shown(hold.body.statements[0].value) == "((2 + 3) + 1)"


def test_a_use_may_stand_wherever_its_kind_may() -> None:
    read = program("""
        def two() = 2;
        pool kv[two()] { cap two(); } stage s : ps (two()); gauge g = two(); run { horizon two(); }
    """)
    assert read.pools[0].size == 2
    assert read.run is not None
    assert shown(read.run.horizon) == "2"


def chain(expansion: Expansion | None) -> list[tuple[str, str]]:
    """The uses an expansion came through, innermost first."""
    uses = []
    while expansion is not None:
        uses.append((expansion.name, expansion.use.text))
        expansion = expansion.use.expansion
    return uses


def test_what_a_definition_wrote_says_through_which_uses_it_came() -> None:
    text = "def g(a) = a + foo(1); def f(a) = g(a) * 2; let x = f(bar) + 1;"
    value = program(text).lets[0].value
    assert value.span.text == "f(bar) + 1"
    assert isinstance(value, ast.Binary)
    times = value.left
    assert isinstance(times, ast.Binary)
    plus = times.left
    assert isinstance(plus, ast.Binary)
    assert isinstance(plus.right, ast.Call)
    assert plus.right.span.text == "foo(1)"
    assert chain(plus.right.span.expansion) == [("g", "g(a)"), ("f", "f(bar)")]
    assert (plus.left.span.text, plus.left.span.expansion) == ("bar", None)


def test_a_mistake_in_a_body_is_shown_there_once_with_its_use() -> None:
    found = one("def f(a) { foo; }\nsession { f(1); f(2); }")
    assert found.span is not None
    assert (found.span.start_line, found.span.start_column) == (1, 12)
    assert chain(found.span.expansion) == [("f", "f(1)")]


def test_a_mistake_in_an_argument_is_shown_where_it_is_written() -> None:
    found = one("def f(p) { hold p (3) { } } session { f(q + 1); }")
    assert found.message == "expected the name of a pool to hold, found an expression"
    assert found.span is not None
    assert chain(found.span.expansion) == [("f", "f(q + 1)")]


def test_a_broken_definition_says_so_once() -> None:
    assert places("def f(x) { set x = 1; } session { f(1); f(2, 3); set a = f(1); }") == [
        ("SQ122", 1, 5)
    ]
    assert places("def f(x, x) = x; session { set a = f(1); }") == [("SQ202", 1, 10)]


def test_an_argument_may_not_be_captured_through_another_definition() -> None:
    found = one(
        "def g() = z; def f(x) { set z = 1; set y = x; } session { set z = 2; f(g() + 1); }"
    )
    assert found.code == "SQ122"
    assert found.message == (
        "the argument for `x` reads `z`, and the body of `f` assigns that name"
    )


def test_uses_that_write_out_too_much_are_refused() -> None:
    doubling = "def d0(x) = x + x;\n" + "".join(
        f"def d{n}(x) = d{n - 1}(x) + d{n - 1}(x);\n" for n in range(1, 40)
    )
    found = one(f"{doubling}let a = d39(1);")
    assert found.code == "SQ125"
    assert found.span is not None
    assert found.span.text == "d39(1)"


def test_replaced_bodies() -> None:
    text = "def f(a) = a; def g(a) = f(a) * 3; let x = g(2);"
    assert read(text, {"f": "a + 1"}) == "((2 + 1) * 3)"
    assert read(text, {"g": "f(a)"}) == "2"


@pytest.mark.parametrize(
    ("replacement", "code", "where"),
    [
        ({"h": "1"}, "SQ214", ""),
        ({"f": "a +"}, "SQ101", "--def f:1:4"),
        ({"f": ""}, "SQ101", "--def f:1:1"),
        ({"f": "a; end"}, "SQ101", "--def f:1:2"),
        ({"f": "a)"}, "SQ101", "--def f:1:2"),
        ({"f": "a @"}, "SQ001", "--def f:1:3"),
        ({"f": "f(a)"}, "SQ120", "program.sq:1:5"),
        ({"f": "g(a)"}, "SQ120", "program.sq:1:19"),
        ({"s": "1"}, "SQ121", "program.sq:1:36"),
    ],
)
def test_a_replacement_is_one_expression_for_a_definition_of_one(
    replacement: dict[str, str], code: str, where: str
) -> None:
    text = "def f(a) = a; def g(a) = f(a); def s() { end; } let x = g(2); session { s(); }"
    found = mistakes(text, definitions=replacement)
    assert [(mistake.code, mistake.where() if where else "") for mistake in found] == [
        (code, where)
    ]


def test_an_unknown_replacement_is_told_what_there_is() -> None:
    (found,) = mistakes("def full(a) = a;", definitions={"ful": "1"})
    assert (found.help, found.file) == ("did you mean `full`?", "program.sq")
    (found,) = mistakes("session { end; }", definitions={"f": "1"})
    assert found.help == "it defines none"
