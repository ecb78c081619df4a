"""Staging: links fit the site, the side bar is what indexes list, and nothing is lost."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from tools.site.commands import folded
from tools.site.links import LostLinkError, cited, listed, rewrite, shown_code
from tools.site.navigation import FRONT, LostPageError, children, place, toctree
from tools.site.places import page, sources, target
from tools.site.staging import stage


@pytest.mark.parametrize(
    ("file", "where"),
    [
        ("docs/README.md", "index.md"),
        ("README.md", "index.md"),
        ("docs/language.md", "language.md"),
        ("docs/reference/README.md", "reference/index.md"),
        ("docs/reference/hold.md", "reference/hold.md"),
        ("conformance/pools/header.md", "conformance/pools/header.md"),
        ("src/serq/diagnostics/pages/SQ301.md", "errors/SQ301.md"),
        ("src/serq/semantics/pool.py", "definition.md"),
        ("ARCHITECTURE.md", "architecture.md"),
        ("examples/first.sq", "examples/first.md"),
        ("pyproject.toml", None),
    ],
)
def test_a_file_has_its_place(file: str, where: str | None) -> None:
    assert page(file) == (None if where is None else PurePosixPath(where))


def test_links_lead_to_pages_and_other_files_are_offered() -> None:
    aim = target("examples")
    assert aim is not None
    assert (str(aim.path), aim.copied) == ("examples/index.md", False)
    aim = target("examples/replay/azure2023_conv.csv")
    assert aim is not None
    assert (str(aim.path), aim.copied) == ("files/examples/replay/azure2023_conv.csv", True)
    aim = target("docs/ir.schema.json")
    assert aim is not None
    assert (str(aim.path), aim.copied) == ("ir.schema.json", True)
    aim = target("bench/programs")
    assert aim is not None
    assert (str(aim.path), aim.copied) == ("files/bench/programs.md", True)
    assert target("docs/gone.svg") is None


@pytest.mark.parametrize(
    ("text", "staged"),
    [
        ("see [a](../expressions.md#moments)", "see [a](../expressions.md#moments)"),
        ("[e]: ../../src/serq/diagnostics/pages/SQ101.md", "[e]: ../errors/SQ101.md"),
        ("[c](../../conformance/README.md)", "[c](../conformance/index.md)"),
        ("[the `c`](../../conformance/README.md)", "[the `c`](../conformance/index.md)"),
        ("[p](../../examples/first.sq)", "[p](../examples/first.md)"),
        (
            "[here](#syntax) [out](https://example.org/a)",
            "[here](#syntax) [out](https://example.org/a)",
        ),
        ("`[x](../../conformance/README.md)`", "`[x](../../conformance/README.md)`"),
        ("```\n[x](../../examples)\n```\n", "```\n[x](../../examples)\n```\n"),
    ],
)
def test_links_fit_the_site(text: str, staged: str) -> None:
    assert rewrite(text, "docs/reference/hold.md", PurePosixPath("reference/hold.md"))[0] == staged


def test_a_link_to_nothing_is_an_error() -> None:
    with pytest.raises(LostLinkError, match=r"docs/a\.md.*\.\./src/serq/gone"):
        rewrite("[x](../src/serq/gone)", "docs/a.md", PurePosixPath("a.md"))


def test_code_is_shown_where_its_name_stands_alone(tmp_path: Path) -> None:
    text = "[`Pool`](../src/serq/semantics/pool.py)\nsee [`Pool`](../src/serq/semantics/pool.py)\n"
    shown = shown_code(text, "docs/definition.md", tmp_path / "definition.md")
    assert shown.count("{literalinclude}") == 1
    assert ":pyobject: Pool\n:caption: serq.semantics.pool\n" in shown
    assert "see [`Pool`]" in shown


def test_a_case_leads_to_the_rules_it_cites() -> None:
    text = "Contract §3 *Ties*: so.\n```serq\n// Contract §3\n```\n"
    assert cited(text, PurePosixPath("conformance/pools/header.md")) == (
        "[Contract §3](../../semantics.md) *Ties*: so.\n```serq\n// Contract §3\n```\n"
    )


def test_a_long_command_goes_on_in_the_next_line() -> None:
    command = (
        "$ serq sweep examples/tutorial/06-cliff.sq --set sessions_per_second=2.5 --set kv_blocks=1"
    )
    text = f"```console\n{command} --metric observes.ttft.mean\n{'x' * 120}\n```\n"
    shown = folded(text)
    assert f"{command} \\\n    --metric observes.ttft.mean\n{'x' * 120}\n" in shown
    assert folded(text.replace("console", "text")) == text.replace("console", "text")
    assert folded("```console\n$ short --set a=1\n```\n") == "```console\n$ short --set a=1\n```\n"


def test_the_side_bar_has_the_headings_and_labels_of_the_index() -> None:
    text = (
        "# T\n\n[no](ir.md)\n\n## A\n\n| [The `IR`](ir.md) | x |\n- [G](glossary.md)\n\n"
        "## B\n\n- [I](ir.md)\n"
    )
    assert list(listed(text)) == [
        ("A", "The `IR`", "ir.md"), ("A", "G", "glossary.md"), ("B", "I", "ir.md"),
    ]  # fmt: skip
    found = children(text, "docs/README.md", FRONT)
    pages = [PurePosixPath("ir.md"), PurePosixPath("glossary.md")]
    directives = place({FRONT: found}, [FRONT, *pages])[FRONT]
    assert directives.count("{toctree}") == 1
    assert ":caption: A\n\nThe IR <ir>\nG <glossary>\n" in directives


def test_a_page_that_no_index_lists_is_an_error() -> None:
    with pytest.raises(LostPageError, match=r"no index lists ir\.md"):
        place({FRONT: {}}, [FRONT, PurePosixPath("ir.md")])


def test_an_index_lists_what_lies_below_it() -> None:
    text = "- [below](hold.md)\n- [beside](../ir.md)\n"
    index = PurePosixPath("reference/index.md")
    assert children(text, "docs/reference/README.md", index) == {
        "": {PurePosixPath("reference/hold.md"): "below"}
    }
    assert "hold" in toctree(index, {PurePosixPath("reference/hold.md"): ""})


def test_every_page_is_staged_and_staging_again_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("gone", encoding="utf-8")
    pages = stage(tmp_path)
    assert len(pages) > 250
    assert {page(source) for source in sources()} <= set(pages)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert tmp_path / "old.md" not in files
    assert stage(tmp_path) == pages
    assert {path: path.stat().st_mtime_ns for path in files} == files
