import pytest
from tests.unit.syntax.reading import one, program


@pytest.mark.parametrize(
    ("items", "size", "sizing"),
    [
        ("pool p[3] { }", 3, set()),
        ("pool p[1 + 2 * 3] { }", 7, set()),
        ("let n = 2; pool p[n] { }", 2, {"n"}),
        ("let n = 2; let m = n * 2; let o = 5; pool p[m + 1] { }", 5, {"n", "m"}),
        ("let n = 3; let n = n + 1; pool p[n] { }", 4, {"n"}),
        ("let n = 2; let k = n; let n = 9; pool p[k] { }", 2, {"n", "k"}),
        ("let n = 2; def half(x) = x / n; pool p[half(4)] { }", 2, {"n"}),
        ("pool p[pow(2, 3) + 2 ^ 2 + exp(0) + floor(1.5) + sqrt(4) + ln(1)] { }", 16, set()),
        ("pool p[1 ? 2 : 1 / 0] { }", 2, set()),
        ("pool p[!0 + (2 > 1) + (1 && 0) + (0 || 2)] { }", 3, set()),
        ("let m = max j in 3 (j + 1); pool p[m] { }", 3, {"m"}),
        ("let n = inf; pool p[min(n, 4)] { }", 4, {"n"}),
        ("pool p[10000] { }", 10_000, set()),
    ],
)  # fmt: skip
def test_the_size_of_an_array(items: str, size: int, sizing: set[str]) -> None:
    read = program(items)
    assert read.pools[0].size == size
    assert read.array_lets == sizing


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
