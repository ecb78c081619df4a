"""`serq check`: compile a program and say how large it is."""

from __future__ import annotations

from typing import Any

import click

from serq.cli.arguments import Verb, program_options
from serq.cli.streams import print_result
from serq.cli.verb import load, refusing

_EPILOG = """\b
Examples:
  serq check program.sq
  serq check program.sq --set blocks=2000
  serq check program.sq --error-format json"""


@click.command("check", cls=Verb, epilog=_EPILOG, short_help="Say whether a program is right.")
@program_options
@refusing
def command(**arguments: Any) -> int:
    """Say whether a program is right, and everything that is wrong with it."""
    program = load(**arguments)
    print_result(f"OK: {program.summary()}\n")
    return 0
