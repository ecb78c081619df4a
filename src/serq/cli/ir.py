"""`serq ir`: print a program's IR as JSON."""

from __future__ import annotations

from typing import Any

import click

from serq.cli.arguments import Verb, program_options, run_options
from serq.cli.streams import print_result
from serq.cli.verb import load, refusing

_EPILOG = """\b
Examples:
  serq ir program.sq > program.ir.json
  serq ir program.sq --set lam=0.9 --seed 7
  serq ir replay.sq --trace sessions.csv --inline-trace"""


@click.command("ir", cls=Verb, epilog=_EPILOG)
@program_options
@run_options
@click.option(
    "--inline-trace",
    is_flag=True,
    help="Put the trace's sessions into the IR; needs `arrive batch(n)` and an ordered trace.",
)
@refusing
def command(*, inline_trace: bool, **arguments: Any) -> int:
    """Print a program's IR as JSON; `serq run` reads it back."""
    from serq.ir.write import json_chunks

    program = load(**arguments)
    if inline_trace:
        from serq.api.inline import inline_trace as inline

        program = inline(program)
    print_result(json_chunks(program.ir), "\n")
    return 0
