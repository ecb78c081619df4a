"""A file of another kind, handed over as a program: told once, with what to do with it."""

from __future__ import annotations

import pytest
from tests.unit.cli.command import Command

from serq.api.compile import compile
from serq.api.no_program import no_program

TRACE = "# Origin: `a log`, 5 % of it, it's ours.\n\nsession,turn,new,out,think\n0,0,1,1,0\n"
AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.68,374,44\n"

OTHERS = {
    "a trace": (TRACE, "it looks like a trace", "`serq trace info {}`"),
    "a trace without a header": ("0,0,540,42,0,0\n", "it looks like a trace", "--trace"),
    "a trace with arrivals": ("0,0,5,2,0.5,,17.25\n", "it looks like a trace", "--trace"),
    "a trace with a mark": ("\ufeff" + TRACE, "it looks like a trace", "`serq trace info {}`"),
    "a trace of a spreadsheet": ("session;turn;new\n", "it looks like a trace", "info {}`"),
    "a log": (AZURE, "it looks like a log of azure", "`serq trace import azure {} TRACE`"),
    "a log of lines": (
        '{"timestamp": 0, "input_length": 5}\n{"timestamp": 1, "input_length": 5}\n',
        "it looks like a log of mooncake",
        "`serq trace import mooncake {} TRACE`",
    ),
    "a result": (
        '{"input_lens": [1], "output_lens": [2]}',
        "it looks like a log of vllm",
        "`serq trace import vllm {} TRACE`",
    ),
    "a table": ("# 5 % noise\ndecoders,seconds\n1,2\n", "it looks like a table", "`serq fit`"),
    "bytes": ("\x7fELF\x02\x01\x01\0\0\0 let a", "it is not text", "UTF-8"),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("verb", ["check", "run", "draw", "ir", "sweep", "fmt"])
def test_what_is_no_program_is_told_once(serq: Command, verb: str, kind: str) -> None:
    text, what, hint = OTHERS[kind]
    asked = serq(verb, serq.write("file.csv", text))
    assert (asked.status, asked.out) == (1, "")
    assert asked.err.count("error[") == 1
    assert asked.err.startswith(f"error[SQ703]: `file.csv` is no program: {what}")
    assert "help: " in asked.err
    assert hint.format("file.csv") in asked.err


def test_standard_input_has_no_name_to_give_on(serq: Command) -> None:
    assert "`serq trace info FILE`" in serq("check", "-", stdin=TRACE).err


@pytest.mark.parametrize(
    "text",
    [
        "let a, b = 1;",
        "# a comment of another language\npool kv { cap 1; }",
        "x, y;",
        "session;",
        "session; turn; end;",
        "let a = 3 \x00;",
        '{"version": 10, "start_time": 1, "end_time": 2}',
        '{"a": 1}',
        "",
        "\t" * 5_000 + "a" + "\ta" * 5_000 + ";",
    ],
)
def test_what_may_be_meant_as_a_program_keeps_its_own_mistakes(text: str) -> None:
    assert no_program(text, "p.sq") is None


def test_a_good_program_is_never_asked() -> None:
    text = "session { end; } workload { arrive batch (1); } run { horizon 1; }"
    assert compile(source=text).warnings == ()
    assert no_program(text, "p.sq") is None
