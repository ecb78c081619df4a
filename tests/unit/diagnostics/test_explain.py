import pytest

from serq.diagnostics import CATALOGUE
from serq.diagnostics.explain import containing, find_code, listing, page, suggest


@pytest.mark.parametrize("asked", ["SQ301", "sq301", "301", "read-at-wrong-moment", " SQ301 "])
def test_a_code_is_found_by_any_of_its_names(asked: str) -> None:
    assert find_code(asked) is CATALOGUE["SQ301"]


@pytest.mark.parametrize(("asked", "near"), [("SQ3O1", "SQ301"), ("sq9999", None), ("xyz", None)])
def test_a_misspelt_code_has_a_nearest_one(asked: str, near: str | None) -> None:
    assert find_code(asked) is None
    assert suggest(asked) == near


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        ("sq80", [f"SQ80{number}" for number in range(1, 7)]),
        ("STUCK", ["SQ802"]),
        ("", []),
        ("zebra", []),
    ],
)
def test_a_part_of_a_code_or_of_its_name_finds_it(asked: str, codes: list[str]) -> None:
    assert [code.code for code in containing(asked)] == codes


def test_a_page_is_the_codes_own() -> None:
    assert page(CATALOGUE["SQ301"]).startswith("# SQ301 read-at-wrong-moment\n")


def test_the_listing_has_every_code() -> None:
    assert [line.split()[0] for line in listing().splitlines()] == list(CATALOGUE)
