"""The page about the command line has every command and every option, and no others."""

from __future__ import annotations

from pathlib import Path

import click

from serq.cli.main import VERBS, Verbs, main
from tests.docs.pages import Page, read


def group() -> Verbs:
    from serq.cli import main as module

    found = [value for value in vars(module).values() if isinstance(value, Verbs)]
    assert found, main
    return found[0]


def options(page: Page, verb: str) -> set[str]:
    """Options in the tables below the heading of a verb."""
    rows = page.rows(f"serq {verb}")
    shared = {
        "program options": "Options of a program",
        "run options": "Options of a run",
    }
    found = {row[0].strip("`").split()[0] for row in rows if row[0].startswith("`--")}
    for words, heading in shared.items():
        if words in " ".join(page.section(f"serq {verb}").split()):
            found |= {row[0].strip("`").split()[0] for row in page.rows(heading)}
    return found


def test_every_command_and_option_is_described(repository: Path) -> None:
    page = read(repository / "docs" / "cli.md")
    described = [h.removeprefix("serq ") for h in page.headings() if h.startswith("serq ")]
    assert described == list(VERBS)
    verbs = group()
    context = click.Context(verbs)
    for verb in VERBS:
        command = verbs.get_command(context, verb)
        assert command is not None
        flags = {o for p in command.params if isinstance(p, click.Option) for o in p.opts}
        assert options(page, verb) == flags - {"--help"}, verb
