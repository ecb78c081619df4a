"""The pages that explain the codes: each is whole, and both its examples do what it says."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import serq
from serq.diagnostics import CATALOGUE
from serq.vocabulary.distributions import DISTRIBUTIONS
from serq.vocabulary.functions import VALUE_FUNCTIONS
from serq.vocabulary.keywords import ITEMS, RETIRED, STATEMENTS
from serq.vocabulary.moments import CONTEXT_VARIABLES, OLD_SPELLINGS
from tests.errors.page import SECTIONS, Mark, read_example, read_page

PAGES = Path(serq.__file__).parent / "diagnostics" / "pages"
CODES = sorted(CATALOGUE)

# Too long a text, too large a run, what an engine or an installation lacks, a defect of serQ: none
# of them can be brought about by a program on a page.
WITHOUT_EXAMPLE = {"SQ126", "SQ505", "SQ509", "SQ610", "SQ901"}
EXPLAINED = [code for code in CODES if code not in WITHOUT_EXAMPLE]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == CODES


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_its_title_and_its_sections(code: str) -> None:
    page = read_page(PAGES / f"{code}.md")
    assert page.title == f"# {code} {CATALOGUE[code].name}"
    assert tuple(page.sections) == SECTIONS
    assert all(page.sections.values())
    assert page.sections["Since"] == "0.1"


@pytest.mark.parametrize("code", EXPLAINED)
def test_the_example_yields_its_code_where_it_is_marked(code: str, tmp_path: Path) -> None:
    example = read_example(read_page(PAGES / f"{code}.md").sections["Example"])
    assert {mark.code for mark in example.marks} <= {code}
    found = findings(example, tmp_path)
    assert {mark.code for mark in found} == {code}, found
    placed = [mark for mark in found if mark.line]
    assert [mark for mark in placed if mark not in example.marks] == []
    # Only what has no text of its own, or an IR, whose rules speak of no line, goes unmarked.
    assert example.marks or example.commands or example.scripts or example.main == "program.json"


@pytest.mark.parametrize("code", CODES)
def test_what_to_write_instead_yields_nothing(code: str, tmp_path: Path) -> None:
    example = read_example(read_page(PAGES / f"{code}.md").sections["Instead"])
    assert example.files or code == "SQ901"
    assert example.marks == []
    assert findings(example, tmp_path) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("SQ104", set(STATEMENTS) - {"mark", "transfer"}),
        ("SQ110", set(ITEMS)),
        ("SQ113", set(RETIRED)),
        ("SQ207", set(VALUE_FUNCTIONS)),
        ("SQ213", {*OLD_SPELLINGS, *OLD_SPELLINGS.values()}),
        ("SQ216", set(DISTRIBUTIONS)),
        ("SQ301", set(CONTEXT_VARIABLES)),
    ],
)
def test_a_page_that_lists_words_lists_all_of_them(code: str, words: set[str]) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert words <= set(re.findall(r"`([a-z0-9_]+)[` (]", text))


def findings(example: Any, folder: Path) -> list[Mark]:
    """What an example yields; line 0 where a finding has no place in a text."""
    for name, text in example.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = [mark for command in example.commands for mark in run_command(command, folder)]
    found += [mark for script in example.scripts for mark in run_script(script, folder)]
    if example.main is not None:
        found += run_program(folder / example.main)
    return found


def run_command(command: str, folder: Path) -> list[Mark]:
    """The codes a command prints."""
    program, *arguments = command.split()
    assert program == "serq"
    done = subprocess.run(
        [sys.executable, "-c", "from serq.cli.main import main; main()", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    codes = re.findall(r"\bSQ\d{3}\b", done.stderr)
    assert (done.returncode != 0) == bool(codes), done.stderr
    return [Mark(code, "", 0) for code in codes]


def run_script(script: str, folder: Path) -> list[Mark]:
    """The codes of the error a script ends with."""
    with contextlib.chdir(folder):
        try:
            exec(script, {})
        except serq.SerqError as error:
            return [Mark(finding.code, "", 0) for finding in error.diagnostics]
    return []


def run_program(path: Path) -> list[Mark]:
    """The errors of compiling and running a program or an IR, or the notes of its report."""
    try:
        if path.suffix == ".json":
            program = serq.Program.from_json(path.read_text(encoding="utf-8"))
        else:
            program = serq.compile(path=path)
        notes = serq.run(program).notes
    except serq.SerqError as error:
        return [mark(finding, path.name) for finding in error.diagnostics]
    return [mark(note, path.name) for note in notes]


def mark(finding: Any, name: str) -> Mark:
    if finding.span is None:
        return Mark(finding.code, "", 0)
    source = Path(finding.span.source.name).name
    return Mark(finding.code, source if source.count(".") == 1 else name, finding.span.start_line)
