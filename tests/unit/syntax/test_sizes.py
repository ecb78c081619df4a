import pytest
from tests.unit.syntax.reading import one, program

from serq.diagnostics import Source
from serq.syntax import parse


@pytest.mark.parametrize(
    ("items", "size"),
    [
        ("pool p[3] { }", 3),
        ("pool p[1 + 2 * 3] { }", 7),
        ("let n = 2; pool p[n] { }", 2),
        ("let n = 2; let m = n * 2; let o = 5; pool p[m + 1] { }", 5),
        ("let n = 3; let n = n + 1; pool p[n] { }", 4),
        ("let n = 2; let k = n; let n = 9; pool p[k] { }", 2),
        ("let n = 2; def half(x) = x / n; pool p[half(4)] { }", 2),
        ("pool p[pow(2, 3) + 2 ^ 2 + exp(0) + floor(1.5) + sqrt(4) + ln(1)] { }", 16),
        ("pool p[1 ? 2 : 1 / 0] { }", 2),
        ("pool p[!0 + (2 > 1) + (1 && 0) + (0 || 2)] { }", 3),
        ("let m = max j in 3 (j + 1); pool p[m] { }", 3),
        ("let n = inf; pool p[min(n, 4)] { }", 4),
        ("pool p[10000] { }", 10_000),
    ],
)  # fmt: skip
def test_the_size_of_an_array(items: str, size: int) -> None:
    assert program(items).pools[0].size == size


SIZED = "let n = 2; let m = n * 2; pool p[m + 1] { }"


@pytest.mark.parametrize(
    ("sets", "size"),
    [
        ({"n": 3}, 7),
        ({"m": 3}, 4),
        ({"m": "n + 1"}, 4),
        ({"m": "later"}, 5),  # no constant: the linker says so, of the value
        ({"m": "1 +"}, 5),
        ({"other": 9}, 5),
    ],
)
def test_a_size_reads_what_comes_from_outside(sets: dict[str, float | str], size: int) -> None:
    read = parse(Source("program.sq", SIZED), sets=sets).program
    assert read is not None
    assert read.pools[0].size == size


def test_a_size_from_outside_that_is_none_says_where_it_comes_from() -> None:
    (found,) = parse(Source("program.sq", SIZED), sets={"n": "1 / 4"}).diagnostics
    assert found.code == "SQ403"
    assert [(note.span.source.name, note.span.text) for note in found.notes if note.span] == [
        ("--set n", "1 / 4")
    ]


@pytest.mark.parametrize(
    "size",
    ["0", "-1", "1.5", "10001", "inf", "0 / 0", "1 / 0", "ln(-1)", "exp(1000)", "(-8) ^ 0.5",
     "later", "~exp(1)", "used(q)", "max(1)", "1 || later", "blocksize(p)"],
)  # fmt: skip
def test_what_is_no_size(size: str) -> None:
    found = one(f"pool p[{size}] {{ }} let later = 2;")
    assert found.code == "SQ403"
    assert found.span is not None
    assert found.span.start_column == 8


def test_a_size_of_very_many_terms_is_computed_without_depth() -> None:
    assert program(f"let n = {'1 + ' * 4_999}1; pool p[n] {{ }}").pools[0].size == 5_000
