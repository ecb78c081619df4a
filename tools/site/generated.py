"""Pages that are made and not written: indexes of folders, the error catalogue, programs, help."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import click

from serq.cli.main import VERBS, Verbs, cli
from serq.diagnostics import CATALOGUE
from tools.site.places import ERRORS, ROOT

RANGES = {
    "SQ0": "Characters",
    "SQ1": "Syntax",
    "SQ2": "Names",
    "SQ3": "Moments and effects",
    "SQ4": "Structure",
    "SQ5": "The JSON form and the engines",
    "SQ6": "In a run",
    "SQ7": "Traces and files",
    "SQ8": "Warnings and notes",
    "SQ9": "Defects of serQ",
}
"""The headings of the catalogue, by the first digit of the code."""


def title(text: str) -> str:
    """The title of a page."""
    found = re.search(r"^# +(.+?) *$", text, re.M)
    assert found is not None, text[:80]
    return found[1]


def errors() -> dict[PurePosixPath, str]:
    """The catalogue of codes, and a page for each range of them."""
    lines = [
        "# Errors, warnings and notes",
        "",
        "Every finding has a code that never changes its meaning. `serq explain SQ301` shows the "
        "page of a code in the terminal; these are the same pages. The programs on them are "
        "tested: the first is refused with just that code, the second is accepted.",
        "",
    ]
    pages = {}
    for digit, heading in RANGES.items():
        table = _codes(digit)
        name = heading.lower().replace(" ", "-")
        pages[PurePosixPath(f"errors/{name}.md")] = f"# {heading}\n\n{table}"
        lines += [f"## [{heading}]({name}.md)", "", table]
    return {PurePosixPath("errors/index.md"): "\n".join(lines), **pages}


def codes_of(page: PurePosixPath) -> list[PurePosixPath]:
    """The pages of the codes that a page of the catalogue lists."""
    names = {heading.lower().replace(" ", "-"): digit for digit, heading in RANGES.items()}
    digit = names[page.stem]
    return [PurePosixPath(f"errors/{code}.md") for code in CATALOGUE if code.startswith(digit)]


def _codes(digit: str) -> str:
    """A table of the codes of a range, with the first sentence of each page."""
    rows = [
        f"| [{code.code}]({code.code}.md) | {code.name} | {_meaning(code.code)} |"
        for code in CATALOGUE.values()
        if code.code.startswith(digit)
    ]
    return "\n".join(["| code | name | what it means |", "|---|---|---|", *rows, ""])


def _meaning(code: str) -> str:
    text = (ROOT / ERRORS / f"{code}.md").read_text(encoding="utf-8")
    section = text.partition("## What it means\n\n")[2].partition("\n\n")[0]
    sentence = re.match(r".+?\.(?=\s|$)", " ".join(section.split()))
    assert sentence is not None, code
    return sentence[0].replace("|", "\\|")


def folder(name: str, pages: dict[PurePosixPath, str]) -> str:
    """An index of pages of a folder by their titles."""
    lines = [f"# {name}", ""]
    lines += [f"- [{title(text)}]({page.name})" for page, text in sorted(pages.items())]
    return "\n".join([*lines, ""])


def program(repository_path: str) -> str:
    """The page of a program: what its first comment says, and the program."""
    where = PurePosixPath(repository_path)
    text = (ROOT / where).read_text(encoding="utf-8")
    comment = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        comment.append(line.removeprefix("//").strip())
    fence = f"```serq\n{text.rstrip()}\n```\n"
    return f"# {where.name}\n\n`{where}`. {' '.join(comment)}\n\n{fence}"


def shown_folder(repository_path: str) -> str:
    """The page of a folder that has no index: its files, the programs among them in full."""
    lines = ["---", "orphan: true", "---", "", f"# {repository_path}", ""]
    for path in sorted((ROOT / repository_path).iterdir()):
        if path.suffix == ".sq":
            text = path.read_text(encoding="utf-8").rstrip()
            lines += [f"## {path.name}", "", f"```serq\n{text}\n```", ""]
        elif path.is_file():
            lines += [f"`{path.name}`", ""]
    return "\n".join(lines)


def commands() -> str:
    """What `--help` says, command by command."""
    assert isinstance(cli, Verbs)
    context = click.Context(cli, info_name="serq", max_content_width=100, terminal_width=100)
    lines = ["# What `--help` says", "", "Made of the commands themselves.", ""]
    lines += [f"```text\n{cli.get_help(context)}\n```", ""]
    for verb in VERBS:
        command = cli.get_command(context, verb)
        assert command is not None
        inner = click.Context(command, context, verb, max_content_width=100, terminal_width=100)
        lines += [f"## serq {verb}", "", f"```text\n{command.get_help(inner)}\n```", ""]
    return "\n".join(lines)


def schema() -> str:
    """The JSON Schema of the IR."""
    text = (ROOT / "docs" / "ir.schema.json").read_text(encoding="utf-8")
    return f"# The schema of the IR\n\n`docs/ir.schema.json`:\n\n```json\n{text}```\n"
