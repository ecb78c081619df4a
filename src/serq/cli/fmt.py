"""`serq fmt`: lay a program's text out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from serq.cli.arguments import Verb, completing_paths, error_format_option
from serq.cli.streams import print_result, say
from serq.cli.verb import STDIN, refusing
from serq.diagnostics import Diagnostic, SerqError

_EPILOG = """\b
Examples:
  serq fmt program.sq lib/*.sq
  serq fmt --check program.sq
  cat program.sq | serq fmt -

All files are read before any is written; one that is refused leaves all
as they are."""


@click.command("fmt", cls=Verb, epilog=_EPILOG)
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    shell_complete=completing_paths("file"),
)
@click.option(
    "--check", is_flag=True, help="Write nothing; name the files that would change, status 1."
)
@error_format_option
@refusing
def command(*, files: tuple[str, ...], check: bool, error_format: str) -> int:  # noqa: ARG001
    """Lay out the text of programs, in place; `-` is from standard input to standard output."""
    formatted = _format_all(files)
    changed = {file: text for file, (text, before) in formatted.items() if text != before}
    if check:
        for file in changed:
            say(f"would reformat {file}")
        return 1 if changed else 0
    for file, text in changed.items():
        if file != STDIN:
            _replace(Path(file), text)
    if STDIN in formatted:
        print_result(formatted[STDIN][0])
    return 0


def _format_all(files: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """The text of every file, laid out and as it is. Raises `SerqError` with all findings."""
    from serq.api.no_program import no_program
    from serq.api.read_text import read_stream, read_text
    from serq.diagnostics import Source
    from serq.syntax.format import format_source

    findings: list[Diagnostic] = []
    formatted: dict[str, tuple[str, str]] = {}
    for file in dict.fromkeys(files):
        try:
            if file == STDIN:
                before, name = read_stream(sys.stdin.buffer, "<stdin>"), "<stdin>"
            else:
                before, name = read_text(Path(file), file), file
        except SerqError as error:
            findings += error.diagnostics
            continue
        result = format_source(Source(name, before))
        if result.text is None:
            other = no_program(before, name)
            findings += result.diagnostics if other is None else [other]
        else:
            formatted[file] = result.text, before
    if findings:
        raise SerqError(findings)
    return formatted


def _replace(path: Path, text: str) -> None:
    from serq.files import whole

    with whole(path) as staged:
        staged.write_text(text, encoding="utf-8", newline="\n")
