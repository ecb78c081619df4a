"""`serq check`: compile a program, read its trace, and say how large it is."""

from __future__ import annotations

from typing import Any

import click

from serq.cli.arguments import Verb, program_options, trace_option
from serq.cli.streams import print_result
from serq.cli.verb import load, refusing

_EPILOG = """\b
Examples:
  serq check program.sq
  serq check program.sq --set blocks=2000
  serq check replay.sq --trace sessions.csv
  serq check program.sq --error-format json"""


@click.command("check", cls=Verb, epilog=_EPILOG)
@program_options
@trace_option
@refusing
def command(**arguments: Any) -> int:
    """Say whether a program and its trace are right, and everything that is wrong with them."""
    from serq.api.trace import read_program_trace

    program = load(**arguments)
    read_program_trace(program)
    print_result(f"OK: {program.summary()}\n")
    return 0
