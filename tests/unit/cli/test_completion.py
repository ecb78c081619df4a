"""What a shell is offered."""

from __future__ import annotations

import click
import pytest
from click.shell_completion import ShellComplete

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
        (["run", "p.sq", "--set", "x"], []),
    ],
)
def test_what_may_stand_there(words: list[str], wanted: list[tuple[str, str]]) -> None:
    assert offered(*words) == wanted
