"""`serq sweep`: run a program over a grid of its constants, print the table, draw the figure."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from serq.cli.arguments import (
    Verb,
    above_zero,
    check_outputs,
    completing_paths,
    error_format_option,
    from_zero,
    trace_option,
    value_option,
    whole,
)
from serq.cli.engines import engine_option
from serq.cli.program_names import completing_declared
from serq.cli.streams import print_result, say, show_diagnostics
from serq.cli.sweep_arguments import (
    Values,
    check_figure,
    check_options,
    figure,
    file_name,
    metric,
    named,
    seeds,
    table_file,
    varied,
)
from serq.cli.verb import STDIN, refusing
from serq.diagnostics import Diagnostic, Note

if TYPE_CHECKING:
    from serq.sweeps.table import Sweep

_INTERRUPTED = 130

_EPILOG = """\b
Examples:
  serq sweep program.sq --set rate=1,2,4 --replications 5
  serq sweep program.sq --set rate=0.5:4:0.5 --set blocks=1000:16000:*2 \\
      --metric observes.ttft.p99 --plot ttft.svg --log blocks
  serq sweep program.sq --set replicas=1:8 --csv runs.csv

A metric is a number of the report: observes.NAME.mean, .p99 or any other
quantile such as .p95, gauges.NAME.mean, stages.NAME.utilization,
pools.NAME[0].preemptions, pools.NAME[sum].preemptions, mean_live."""


@click.command("sweep", cls=Verb, epilog=_EPILOG)
@click.argument("file", metavar="FILE", shell_complete=completing_paths("file"))
@value_option(
    "--set",
    "sets",
    varied,
    metavar="NAME=VALUES",
    multiple=True,
    complete=completing_declared("let"),
    help="Values of a constant: 1,2,4 or 1:10:3 (from, to, step) or 1:64:*2 (factor).",
)
@value_option(
    "--def",
    "defs",
    varied,
    metavar="NAME=BODIES",
    multiple=True,
    complete=completing_declared("def"),
    help="Bodies of an expression definition, with commas between them.",
)
@value_option(
    "--seeds", "seeds", seeds, metavar="A..B", help="Seeds of the replications: 1..5 or 1,4,9."
)
@value_option(
    "--replications",
    "replications",
    whole(1),
    metavar="N",
    help="How many replications of each point, from the program's seed on; 1 when not given.",
)
@value_option(
    "--metric",
    "metrics",
    metric,
    metavar="PATH",
    multiple=True,
    help="A number of the report to read; mean and p99 of every observation when none is given.",
)
@value_option(
    "--baseline",
    "baseline",
    varied,
    metavar="NAME=VALUE",
    complete=completing_declared("let"),
    help="Add the differences to this value, run by run with the same seed.",
)
@value_option(
    "--csv",
    "csv",
    table_file,
    metavar="PATH",
    complete=completing_paths("file"),
    help="Write the runs, one a line, into a CSV file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the table as one line of JSON.")
@value_option(
    "--plot",
    "plot",
    figure,
    metavar="PATH",
    complete=completing_paths("file"),
    help="Draw the means into a file that ends in .svg, .png or .pdf.",
)
@value_option(
    "--log",
    "log",
    file_name,
    metavar="NAME",
    multiple=True,
    help="Give the constant, or the metric, a logarithmic scale in the figure.",
)
@value_option(
    "--label",
    "labels",
    named,
    metavar="NAME=TEXT",
    multiple=True,
    help="What the constant, or the metric, is called in the figure.",
)
@value_option("--horizon", "horizon", above_zero, metavar="T", help="End of every run.")
@value_option("--warmup", "warmup", from_zero, metavar="T", help="Start of measurement.")
@value_option(
    "--arrivals",
    "arrivals",
    whole(1),
    metavar="N",
    help="Exactly this many sessions arrive in every run and are drained.",
)
@trace_option
@value_option(
    "--threads",
    "threads",
    whole(1),
    metavar="N",
    help="Runs at a time; one for each processor when not given. The table is the same for any.",
)
@engine_option()
@error_format_option
@click.option("--quiet", is_flag=True, help="No progress bar.")
@refusing
def command(
    *,
    file: str,
    sets: tuple[tuple[str, Values], ...],
    defs: tuple[tuple[str, Values], ...],
    metrics: tuple[str, ...],
    baseline: tuple[str, Values] | None,
    csv: str | None,
    as_json: bool,
    plot: str | None,
    log: tuple[str, ...],
    labels: tuple[tuple[str, str], ...],
    error_format: str,
    quiet: bool,
    **options: Any,
) -> int:
    """Run a program at every point of a grid and print the means over the replications."""
    from serq.cli.progress import runs_bar
    from serq.files import check, whole
    from serq.sweeps.sweep import sweep

    constants, definitions = dict(sets), dict(defs)
    axes = [name for name, values in {**constants, **definitions}.items() if len(values) > 1]
    check_options(constants, definitions, baseline, options)
    check_outputs((file, options["trace"]), (csv, plot))
    check_figure(axes, metrics, plot, (*log, *(name for name, _ in labels)))
    for path in (csv, plot):
        if path is not None:
            check(path)
    with runs_bar(quiet=quiet) as progress:
        found = sweep(
            **_program(file),
            sets=constants,
            defs=definitions,
            metrics=metrics or None,
            progress=progress,
            **options,
        )
    if found.warnings:
        show_diagnostics(found.warnings, error_format)
    if csv is not None:
        with whole(csv) as staged:
            staged.write_text(found.csv(), encoding="utf-8", newline="\n")
    if plot is not None:
        found.plot(plot, log=log, labels=dict(labels))
    against = None if baseline is None else (baseline[0], baseline[1][0])
    print_result(found.json() + "\n" if as_json else found.text(baseline=against))
    return _end(found, error_format)


def _program(file: str) -> dict[str, Any]:
    """What says where the program is."""
    if file != STDIN:
        return {"path": file}
    from serq.api.read_text import read_stream

    return {"source": read_stream(sys.stdin.buffer, "<stdin>"), "name": "<stdin>"}


def _end(found: Sweep, error_format: str) -> int:
    """Say why runs failed, a reason once; the exit status."""
    from serq.sweeps.grid import named

    told: dict[str, Diagnostic] = {}
    again = 0
    for row in found.failures:
        where = ", ".join(filter(None, (named(row.point), f"seed {row.seed}")))
        for error in row.errors:
            if str(error) in told:
                again += 1
            else:
                told[str(error)] = replace(error, notes=(*error.notes, Note(f"at {where}")))
    if told:
        show_diagnostics(list(told.values()), error_format)
    if again:
        say(f"and {again} more runs failed for the same reasons")
    if found.partial:
        say("interrupted: the table has the runs that were done")
        return _INTERRUPTED
    return 1 if told else 0
