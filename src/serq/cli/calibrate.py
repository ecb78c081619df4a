"""`serq calibrate`: a program's two overhead constants from measured light-load runs."""

from __future__ import annotations

from typing import Any

import click

from serq.cli.arguments import (
    ArgumentError,
    Verb,
    above_zero,
    completing_paths,
    program_options,
    trace_option,
    value_option,
    whole,
)
from serq.cli.engines import engine_option
from serq.cli.fit_arguments import figure, file_name
from serq.cli.program_names import completing_declared
from serq.cli.streams import print_result, say
from serq.cli.verb import refusing

_INTERRUPTED = 130

_EPILOG = """\b
Examples:
  serq calibrate my.sq --trace sessions.csv --measured runs.csv
  serq calibrate my.sq --trace sessions.csv --measured runs.csv --plot ridge.svg
  serq calibrate my.sq --measured runs.csv --per-step c_it --per-request c0

RUNS has a row a run: run (a name), use (fit or held_out), constants of the
program by name, and measured values such as ttft.mean and hit.mean. FILE has
a constant for the seconds a step adds and one for those a request adds.
Ctrl-C ends the search and prints the best so far."""


@click.command("calibrate", cls=Verb, epilog=_EPILOG)
@program_options
@value_option(
    "--measured",
    "measured",
    file_name,
    metavar="RUNS",
    complete=completing_paths("file"),
    help="The measured runs, a row each.",
)
@trace_option
@value_option(
    "--per-step",
    "per_step",
    file_name,
    metavar="NAME",
    default="step_overhead",
    complete=completing_declared("let", end=""),
    help="The constant of seconds a step; step_overhead.",
)
@value_option(
    "--per-request",
    "per_request",
    file_name,
    metavar="NAME",
    default="request_overhead",
    complete=completing_declared("let", end=""),
    help="The constant of seconds a request; request_overhead.",
)
@value_option(
    "--most-step", "most_step", above_zero, metavar="S", help="Most seconds a step tried; 0.02."
)
@value_option(
    "--most-request",
    "most_request",
    above_zero,
    metavar="S",
    help="Most seconds a request tried; 0.1.",
)
@value_option("--seed", "seed", whole(0), metavar="N", help="Seed of the search; 1.")
@value_option(
    "--threads",
    "threads",
    whole(1),
    metavar="N",
    help="Runs at a time; one for each processor when not given.",
)
@engine_option()
@value_option(
    "--plot",
    "plot",
    figure,
    metavar="PATH",
    complete=completing_paths("file"),
    help="Draw the ridge into a .svg, .png or .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@refusing
def command(
    *,
    file: str,
    sets: tuple[tuple[str, str], ...],
    defs: tuple[tuple[str, str], ...],
    error_format: str,  # noqa: ARG001 - `refusing` reads it
    measured: str | None,
    as_json: bool,
    quiet: bool,
    plot: str | None,
    **options: Any,
) -> int:
    """Fit the overhead a step and the overhead a request, and predict the other runs."""
    from serq.cli.fit_programs import compiler
    from serq.cli.progress import runs_bar
    from serq.fit.calibration import MOST_REQUEST, MOST_STEP, calibrate, document, text
    from serq.fit.light_runs import read_light_runs
    from serq.fit.outcome import as_json as to_json

    if measured is None:
        raise ArgumentError("`--measured` is missing", "name the measured runs: `--measured RUNS`")
    if plot is not None:
        from serq.fit.plots import check_figure

        check_figure(plot)
    runs = read_light_runs(measured)

    make = compiler(file, sets, defs, options["trace"])
    with runs_bar(quiet=quiet) as bar:
        found = calibrate(
            make,
            runs,
            names=(options["per_step"], options["per_request"]),
            most=(options["most_step"] or MOST_STEP, options["most_request"] or MOST_REQUEST),
            seed=1 if options["seed"] is None else options["seed"],
            threads=options["threads"],
            engine=options["engine"],
            progress=bar,
        )
    if plot is not None and found.ridge:
        from serq.fit.plots import plot_ridge

        plot_ridge(found, plot)
    print_result(to_json(document(found)) + "\n" if as_json else text(found))
    if found.partial:
        say("interrupted: the search did not end")
        return _INTERRUPTED
    return 0
