"""`serq run`: compile a program, run it, print the report."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from serq.cli.arguments import (
    ArgumentError,
    Verb,
    completing_paths,
    folder,
    program_options,
    run_options,
    value_option,
    whole,
)
from serq.cli.engines import engine_option
from serq.cli.streams import print_result, say
from serq.cli.verb import load, refusing

if TYPE_CHECKING:
    from serq.report.report import Report

_INTERRUPTED = 130

_EPILOG = """\b
Examples:
  serq run program.sq
  serq run program.sq --set lam=0.9 --seed 7 --json
  serq run program.sq --trace sessions.csv --dump samples
  cat program.sq | serq run -

FILE is a program, an IR when its name ends in .json or its text starts
with {, and - is standard input. Ctrl-C ends the run and prints what was
measured until then."""


@click.command("run", cls=Verb, epilog=_EPILOG)
@program_options
@run_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as one line of JSON.")
@click.option("--steps", is_flag=True, help="Add the table of step stages to the report.")
@value_option(
    "--dump",
    "dump",
    folder,
    metavar="DIR",
    complete=completing_paths("dir"),
    help="Write the samples as CSV files into DIR.",
)
@engine_option(
    "Engine to run on; the fastest present when not given. The report is the same on all."
)
@value_option(
    "--limit-events",
    "limit_events",
    whole(1),
    metavar="N",
    help="Events and session steps at one instant at most.",
)
@value_option(
    "--limit-statements",
    "limit_statements",
    whole(1),
    metavar="N",
    help="Statements of one session at one instant at most.",
)
@value_option(
    "--limit-sessions",
    "limit_sessions",
    whole(1),
    metavar="N",
    help="Sessions alive at once at most.",
)
@click.option(
    "--no-samples",
    is_flag=True,
    help="Keep statistics alone: memory does not grow with the run, quantiles are within 0.5 %.",
)
@click.option("--quiet", is_flag=True, help="No progress bar and no line about the engine.")
@refusing
def command(
    *,
    as_json: bool,
    steps: bool,
    dump: str | None,
    engine: str | None,
    no_samples: bool,
    quiet: bool,
    limit_events: int | None,
    limit_statements: int | None,
    limit_sessions: int | None,
    **arguments: Any,
) -> int:
    """Run a program and print the report."""
    from serq.api.run import run
    from serq.cli.progress import progress_bar

    if no_samples and dump is not None:
        hint = "leave one of them out"
        message = "`--dump` writes the samples that `--no-samples` does not keep"
        raise ArgumentError(message, hint, click.get_current_context())
    program = load(**arguments)
    if dump is not None:
        from serq.report.dump import check_folder

        check_folder(dump, program.ir.observes, program.trace_path())
    limits = {
        "limit_events": limit_events,
        "limit_statements": limit_statements,
        "limit_sessions": limit_sessions,
    }
    given: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
    started = time.perf_counter()
    with progress_bar(program.ir.horizon, quiet=quiet) as progress:
        report = run(program, engine, progress=progress, samples=not no_samples, **given)
    seconds = time.perf_counter() - started
    text = report.json() + "\n" if as_json else report.text(steps=steps)
    if dump is not None and not report.partial:
        report.dump(dump)
    print_result(text)
    if not quiet:
        say(_speed(report, seconds))
    if not report.partial:
        return 0
    if dump is not None:
        say(f"the run was interrupted: no samples were written into `{dump}`")
    return _INTERRUPTED


def _speed(report: Report, seconds: float) -> str:
    rate = report.events / seconds if seconds > 0 else 0.0
    return f"engine {report.engine}, {report.events} events in {seconds:.2f} s, {rate:.0f} events/s"
