import pytest
from tests.unit.syntax.reading import one, program, session, shown, value

from serq.syntax import ast


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("1 - 2 - 3", "((1 - 2) - 3)"),
        ("8 / 4 / 2", "((8 / 4) / 2)"),
        ("(1 + 2) * 3", "((1 + 2) * 3)"),
        ("-2 ^ 2", "(-(2 ^ 2))"),
        ("2 ^ -1 ^ 2", "(2 ^ (-(1 ^ 2)))"),
        ("2 ^ 3 ^ 2", "(2 ^ (3 ^ 2))"),
        ("(-2) ^ 2", "((-2) ^ 2)"),
        ("!-!1", "(!(-(!1)))"),
        ("-a * b", "((-a) * b)"),
        ("a || b && c", "(a || (b && c))"),
        ("a && b == c + 1", "(a && (b == (c + 1)))"),
        ("a < b == 0 && c", None),
        ("a < b && c >= d", "((a < b) && (c >= d))"),
        ("(a < b) == c", "((a < b) == c)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? 1 : 2 : 3", "(a ? (b ? 1 : 2) : 3)"),
        ("a == 0 ? -1 : 1 + 2", "((a == 0) ? (-1) : (1 + 2))"),
        ("max(1, min(a, 2)) + 1", "(max(1, min(a, 2)) + 1)"),
        ("f()", "f()"),
        ("~exp(1 + 2) * 2", "(~exp((1 + 2)) * 2)"),
        ("1 + ~h2(1, 2)", "(1 + ~h2(1, 2))"),
        ("2 ^ ~det(3)", "(2 ^ ~det(3))"),
        ("(~det(3)) ^ 2", "(~det(3) ^ 2)"),
        ("max j in 3 (j) + 1", "(max j in 3 (j) + 1)"),
        ("sum j in N (used(kv[j]) ^ 2)", "sum j in N ((used(kv[j]) ^ 2))"),
        ("min j in (N + 1) (max k in 2 (j * k))", "min j in (N + 1) (max k in 2 ((j * k)))"),
        ("max(sum, in)", "max(sum, in)"),
        ("price(s[i + 1], 1, 2)", "price(s[(i + 1)], 1, 2)"),
    ],
)
def test_the_tree_of_an_expression(text: str, tree: str | None) -> None:
    if tree is None:
        assert one(f"let x = {text};").code == "SQ109"
    else:
        assert value(text) == tree


def test_words_of_the_language_name_things_where_a_name_goes() -> None:
    assert shown(session("set max = max + run;")[0].value) == "(max + run)"  # type: ignore[union-attr]


def test_spans_cover_what_was_written() -> None:
    let = program("let x = -a * max(b, 1) ;").lets[0]
    assert let.value.span.text == "-a * max(b, 1)"
    assert isinstance(let.value, ast.Binary)
    assert let.value.left.span.text == "-a"
    assert let.value.right.span.text == "max(b, 1)"
    assert let.value.operator_span.text == "*"


def test_a_span_goes_from_what_stands_first_to_what_stands_last() -> None:
    hold = session("hold kv[i + 1] (2) reserve (3), reqs (1) { } cache (4);")[0]
    assert isinstance(hold, ast.Hold)
    assert hold.span.text == "hold kv[i + 1] (2) reserve (3), reqs (1)"
    assert [pool.span.text for pool in hold.pools] == ["kv[i + 1] (2) reserve (3)", "reqs (1)"]


def test_long_sums_are_read_without_depth() -> None:
    let = program(f"let x = {'1 + ' * 4_999}1;").lets[0]
    node, terms = let.value, 1
    while isinstance(node, ast.Binary):
        node, terms = node.left, terms + 1
    assert terms == 5_000
