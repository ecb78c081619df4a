"""Every example: laid out, headed, listed, and run on both engines with one answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import serq
from serq import native
from serq.diagnostics import Source
from serq.syntax.format import format_source

FOLDER = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.sq"))

DEPLOYMENTS = (
    "single-turn/mg1", "single-turn/ps", "single-turn/vllm_single_turn", "multi-turn/closed",
    "multi-turn/replica", "multi-turn/routing", "multi-turn/vllm", "multi-turn/vllm_chat",
    "subagent/vllm_subagents", "pd-disaggregation/llmd_nixl_pull", "oracle/vllm_request",
    "replay/vllm_replay",
)  # fmt: skip

SECONDS = 20.0
"""How long a test runs a program."""

SESSIONS = 40
"""How many sessions a test lets arrive where the program says how many."""


def test_the_deployments_of_the_contract_are_there() -> None:
    assert {f"{name}.sq" for name in DEPLOYMENTS} <= set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_laid_out(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert format_source(Source(str(FOLDER / name), text)).text == text


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_its_header_says_what_it_is(name: str) -> None:
    text = (FOLDER / f"{name}.sq").read_text(encoding="utf-8")
    header = text[: re.search(r"^(?!//)", text, re.MULTILINE).start()]  # type: ignore[union-attr]
    for words in ("// Models: ", "// Leaves out: ", "// Checked against: "):
        assert words in header, words
    for test in re.findall(r"tests/[\w/]+(?:\.py)?", header):
        assert (FOLDER.parent / test).exists(), test


def test_the_list_has_all_of_them() -> None:
    listed = re.findall(r"\]\(([\w/-]+\.sq)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert len(listed) == len(set(listed))
    # The chapters of the tutorial, and the program of a fit, are introduced by their pages.
    others = [name for name in PROGRAMS if not name.startswith(("tutorial/", "fit/"))]
    assert sorted(listed) == others


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs_on_both_engines_with_one_answer(name: str) -> None:
    program = serq.compile(FOLDER / name)
    if program.ir.arrivals is None:
        program = serq.compile(FOLDER / name, horizon=SECONDS, warmup=0)
    else:
        program = serq.compile(FOLDER / name, arrivals=SESSIONS, warmup=0)
    report = serq.run(program, engine="python")
    assert report.events > 0
    if native.AVAILABLE:
        assert serq.run(program, engine="native").json() == report.json()


def test_what_a_header_tells_to_try_is_right() -> None:
    tried = 0
    for name in DEPLOYMENTS:
        text = (FOLDER / f"{name}.sq").read_text(encoding="utf-8")
        for command in re.findall(r"serq run (\S+\.sq)([^\n(]*)", text):
            assert command[0] == Path(name).name + ".sq"
            sets = dict(pair.split("=") for pair in re.findall(r"--set (\w+=[\d.]+)", command[1]))
            program = serq.compile(FOLDER / f"{name}.sq", sets=sets)
            assert program.ir != serq.compile(FOLDER / f"{name}.sq").ir or not sets
            tried += 1
    assert tried > 15
