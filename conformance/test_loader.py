"""The page format: what the loader reads, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.answers import FIELDS, bless, differences
from conformance.loader import PageError, load_suite, parse_page

PAGE = Path("folder/page.md")
PROSE = "Nothing arrives, so nobody is ever there and nothing is ended.\n"
PROGRAM = "```serq\nworkload { arrive none; }\n```\n"
EXPECT = "```expect\nended = 0\n```\n"


def page(*parts: str, head: str = "# Concept\n\n## A claim\n\n") -> str:
    return head + "\n".join(parts or (PROSE, PROGRAM, EXPECT))


def report(**values: Any) -> Any:
    """A report with one row of each kind, all numbers 0 unless given as `kind__field`."""
    rows = {
        kind: SimpleNamespace(
            name="x",
            index=None,
            **{name: values.get(f"{kind}__{name}", 0) for name in names},
        )
        for kind, names in FIELDS.items()
    }
    run = "horizon end warmup seed events arrivals ended turns mean_live".split()
    return SimpleNamespace(
        observes={"x": rows["observe"]},
        gauges={"x": rows["gauge"]},
        stages=[rows["stage"]],
        pools=[rows["pool"]],
        **{name: values.get(name, 0) for name in run},
    )


def test_a_page_is_a_concept_with_claims() -> None:
    (case,) = parse_page(PAGE, page())
    assert (case.concept, case.title, case.level) == ("Concept", "A claim", "exact")
    assert case.name == "folder/page: A claim"
    assert case.program == "workload { arrive none; }\n"
    assert case.expect == {"ended": 0}
    assert case.expect_lines == (12, 12)


def test_the_level_stands_in_the_front_matter() -> None:
    (case,) = parse_page(PAGE, "---\nlevel: draws\n---\n" + page())
    assert case.level == "draws"


def test_files_lie_next_to_the_program() -> None:
    library = '```serq file=lib.sq\ndef f(x) = x; //! SQ108 "x"\n```\n'
    (case,) = parse_page(PAGE, page(PROSE, library, "```csv file=t.csv\n0,0,1,1,0\n```\n", PROGRAM))
    assert case.files == {"lib.sq": 'def f(x) = x; //! SQ108 "x"\n', "t.csv": "0,0,1,1,0\n"}
    (refusal,) = case.refusals
    assert (refusal.file, refusal.line, refusal.code, refusal.part) == ("lib.sq", 1, "SQ108", "x")


def test_refused_lines_are_counted_in_the_program() -> None:
    program = "```serq\nlet a = 1;\nset b = c; //! SQ201 //! SQ304\n```\n"
    (case,) = parse_page(PAGE, page(PROSE, program))
    assert [(r.line, r.code) for r in case.refusals] == [(2, "SQ201"), (2, "SQ304")]
    assert case.expect is None


def test_a_difference_from_the_reference_has_a_reason() -> None:
    (case,) = parse_page(PAGE, page("reference: differs — it panics\n", PROSE, PROGRAM, EXPECT))
    assert case.differs == "it panics"


@pytest.mark.parametrize(
    "text",
    [
        page(PROGRAM, EXPECT),
        page(PROSE, EXPECT),
        page(PROSE, PROGRAM),
        page(PROSE, PROGRAM, PROGRAM, EXPECT),
        page(PROSE, "```serq\nset b = c; //! SQ201\n```\n", EXPECT),
        page(PROSE, "```serq\nset b = c; //! nonsense\n```\n"),
        page(PROSE, PROGRAM, "```expect\nended = \n```\n"),
        page(PROSE, PROGRAM, "```expect\n[pool.kv]\ncap = 1\n```\n"),
        page(PROSE, PROGRAM, "```expect\n```\n"),
        page(PROSE, PROGRAM, "```expect\nended = 0\n"),
        page(PROSE, PROGRAM, "```python\nended = 0\n```\n"),
        page(PROSE, PROGRAM, "```csv\n0,0,1,1,0\n```\n", EXPECT),
        page("reference: differs\n", PROSE, PROGRAM, EXPECT),
        page(head="## A claim\n\n"),
        page(head="# Concept\n\n"),
        page(head="# Concept\n\n# Another\n\n## A claim\n\n"),
        "---\nlevel: hard\n---\n" + page(),
        "---\nlevel: exact\n" + page(),
    ],
)
def test_a_malformed_page_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(PageError, match=r"^\S+:\d+: "):
        parse_page(PAGE, text)


def test_a_claim_is_made_once_in_the_suite(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(page(), encoding="utf-8")
    (tmp_path / "b.md").write_text(page(), encoding="utf-8")
    with pytest.raises(PageError, match=r"is made at .*a\.md:3 too"):
        load_suite(tmp_path)


def test_floats_are_the_same_number_and_time_averages_nearly() -> None:
    found = report(stage__mean_wait=0.1 + 0.2, stage__mean_number=0.1 + 0.2)
    assert not differences({"stage": {"x": {"mean_number": 0.3}}}, found)
    (wrong,) = differences({"stage": {"x": {"mean_wait": 0.3}}}, found)
    assert str(wrong) == "stage.x.mean_wait: expected 0.3, found 0.30000000000000004"


def test_a_list_is_the_samples_and_nan_is_a_value() -> None:
    found = report(observe__samples=[1.0, 2.0], observe__ci=float("nan"))
    assert not differences({"observe": {"x": [1.0, 2.0]}}, found)
    assert not differences({"observe": {"x": {"ci": float("nan")}}}, found)
    assert differences({"observe": {"x": [1.0]}}, found)
    assert differences({"observe": {"x": {"mean": float("nan")}}}, found)


def test_minus_zero_is_told_from_zero() -> None:
    found = report(observe__samples=[-0.0])
    assert differences({"observe": {"x": [0.0]}}, found)
    assert not differences({"observe": {"x": [0.0]}}, found, zero_signs=False)


def test_a_name_nobody_has_is_a_difference() -> None:
    for expect in ({"observe": {"y": [0.0]}}, {"stage": {"x": {"speed": 0}}}, {"begun": 0}):
        assert differences(expect, report())


def test_a_law_holds_within_its_interval() -> None:
    found = report(observe__mean=2.1, observe__ci=0.2)
    assert not differences({"observe": {"x": {"mean": 2.0}}}, found, "law")
    assert differences({"observe": {"x": {"mean": 2.4}}}, found, "law")


def test_blessing_changes_values_and_nothing_else(tmp_path: Path) -> None:
    expect = "```expect\n# why\nended = 0\nobserve.x.samples = [\n  1.0,\n]\nturns = 5\n```\n"
    path = tmp_path / "page.md"
    path.write_text(page(PROSE, PROGRAM, expect), encoding="utf-8")
    (case,) = parse_page(path, path.read_text(encoding="utf-8"))
    bless(case, report(ended=3, turns=5, observe__samples=[0.5] * 40))
    (again,) = parse_page(path, path.read_text(encoding="utf-8"))
    assert again.expect == {"ended": 3, "observe": {"x": {"samples": [0.5] * 40}}, "turns": 5}
    assert "# why\nended = 3\n" in path.read_text(encoding="utf-8")
    assert replace(again, expect=None, expect_lines=(0, 0)) == replace(
        case, expect=None, expect_lines=(0, 0)
    )
