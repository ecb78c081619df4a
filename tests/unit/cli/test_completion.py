"""What a shell is offered."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from tests.unit.cli.command import Command

from serq.cli.main import VERBS
from serq.diagnostics import CATALOGUE


def offered(*words: str) -> list[tuple[str, str]]:
    """Kinds and values, for the words of a command line whose last one is begun."""
    from serq.cli import main

    commands = [value for value in vars(main).values() if isinstance(value, click.Group)]
    shell = ShellComplete(commands[0], {}, "serq", "_SERQ_COMPLETE")
    return [(i.type, i.value) for i in shell.get_completions(list(words[:-1]), words[-1])]


def plain(*words: str) -> list[tuple[str, str]]:
    return [("plain", word) for word in words]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([""], plain(*VERBS)),
        (["run", "--limit-s"], plain("--limit-statements", "--limit-sessions")),
        (["run", "p.sq", "--engine", "n"], plain("native")),
        (["check", "--error-format", ""], plain("text", "json", "github")),
        (["completion", ""], plain("bash", "zsh", "fish")),
        (["explain", "SQ30"], plain(*(code for code in CATALOGUE if code.startswith("SQ30")))),
        (["run", "p"], [("file", "p")]),
        (["fmt", "p.sq", "q"], [("file", "q")]),
        (["run", "p.sq", "--trace", "t"], [("file", "t")]),
        (["run", "p.sq", "--dump", "d"], [("dir", "d")]),
        (["run", "no.sq", "--set", "x"], []),
    ],
)
def test_what_may_stand_there(words: list[str], wanted: list[tuple[str, str]]) -> None:
    assert offered(*words) == wanted


PROGRAM = """// let commented = 1;
let rate = 0.5; let rate_2 = (rate = 1; half a mistake
use "serq:vllm";
def twice(x) = 2 * x;
def block() { set y = 1; }
def none() = 0;
session { let local = 3; run @ s (1); end; }
"""


@pytest.mark.parametrize("verb", ["run", "check", "draw", "ir", "sweep", "fit", "calibrate"])
def test_the_names_a_program_declares(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.sq").write_text(PROGRAM.replace("(rate = 1;", "rate +;"))
    assert offered(verb, "p.sq", "--set", "") == plain("rate=", "rate_2=")
    assert offered(verb, "p.sq", "--set", "rate_") == plain("rate_2=")
    assert offered(verb, "p.sq", "--set", "rate=") == []
    assert offered(verb, "p.sq", "--def", "") == plain("twice=", "none=")
    assert offered(verb, "p.sq", "--set", "rate", "=", "2", "--set", "rate_") == plain("rate_2=")
    assert offered(verb, "--set", "") == []
    (tmp_path / "broken.sq").write_bytes(b"let a = 1; \xff\x00 let b = (2; let c = 3;")
    assert offered(verb, "broken.sq", "--set", "") == plain("a=", "b=")


def test_names_of_constants_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.sq").write_text("let gap = 2; let step_overhead = 0;")
    assert offered("calibrate", "p.sq", "--per-step", "s") == plain("step_overhead")
    assert offered("sweep", "p.sq", "--baseline", "") == plain("gap=", "step_overhead=")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_goes_on_behind_the_name_of_a_constant(serq: Command) -> None:
    """As a terminal does: no blank behind `NAME=`, where the value is to be written."""
    script = serq("completion", "bash").out
    ask = """
    compopt() { echo "compopt $1 $2"; }
    complete() { :; }
    env() { echo plain,rate=; echo plain,native; }
    """
    asked = subprocess.run(
        ["bash", "-c", f"{ask}\n{script}\n_serq_completion serq; echo ${{COMPREPLY[@]}}"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert asked.stdout == "compopt -o nospace\nrate= native\n"
    assert "compadd" in serq("completion", "zsh").out.split("*= ]]")[1].splitlines()[0]
