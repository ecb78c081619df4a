"""`serq trace`: make traces of request logs, and say what a trace holds.

Depends on the traces, and on the files and figures of the sweeps.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from serq.cli.arguments import (
    ArgumentError,
    Verb,
    above_zero,
    check_outputs,
    completing_paths,
    completing_words,
    error_format_option,
    from_zero,
    show_commands,
    value_option,
    whole,
)
from serq.cli.streams import gathered_result, print_result, say
from serq.cli.sweep_arguments import figure
from serq.cli.verb import STDIN, refusing
from serq.diagnostics import nearest
from serq.trace.convert import FORMATS, WITH_RUNS

if TYPE_CHECKING:
    from serq.trace.convert import Converted

_LISTED: Final = "\n".join(f"  {name:<15} {what}" for name, what in FORMATS.items())
_NANOSECONDS = 1_000_000_000

_EPILOG = """\b
Examples:
  serq trace import azure AzureLLMInferenceTrace_conv.csv trace.csv
  serq trace info trace.csv"""

_IMPORT_EPILOG = f"""\b
Formats:
{_LISTED}

\b
Examples:
  serq trace import azure AzureLLMInferenceTrace_conv.csv trace.csv
  serq trace import mooncake conversation_trace.jsonl trace.csv --to 600
  serq trace import vllm result.json trace.csv
  zcat BurstGPT_1.csv.gz | serq trace import burstgpt - - > trace.csv

IN may be compressed with gzip; - is standard input, and as OUT standard
output. OUT is written when all of the log is right, and not before."""

_INFO_EPILOG = """\b
Examples:
  serq trace info trace.csv
  serq trace info trace.csv --plot trace.svg
  serq trace info trace.csv --json
  serq trace import azure log.csv - | serq trace info -"""


class Traces(click.Group):
    """The commands on traces."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command the arguments start with."""
        name = args[0]
        found = self.get_command(ctx, name)
        if found is None and not ctx.resilient_parsing:
            near = nearest(name, list(self.commands))
            listed = " and ".join(f"`{each}`" for each in self.commands)
            hint = f"did you mean `{near}`?" if near else f"the commands are {listed}"
            raise ArgumentError(f"`{name}` is no command of serq trace", hint, ctx)
        return name, found, args[1:]


@click.group(
    "trace",
    cls=Traces,
    epilog=_EPILOG,
    invoke_without_command=True,
    options_metavar="[--help]",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Make a trace of a request log, or say what a trace holds."""
    if ctx.invoked_subcommand is None:
        show_commands(ctx)


@command.command(
    "import", cls=Verb, epilog=_IMPORT_EPILOG, short_help="Make a trace of a request log."
)
@click.argument("name", metavar="FORMAT", shell_complete=completing_words(list(FORMATS)))
@click.argument("source", metavar="IN", shell_complete=completing_paths("file"))
@click.argument("target", metavar="OUT", shell_complete=completing_paths("file"))
@value_option(
    "--limit", "limit", whole(1), metavar="N", help="Take the first N requests, and no more."
)
@value_option(
    "--from",
    "start",
    from_zero,
    metavar="T",
    help="Take requests from T seconds after the log's first one on; the trace begins there.",
)
@value_option(
    "--to",
    "end",
    above_zero,
    metavar="T",
    help="Take requests sent less than T seconds after the log's first one.",
)
@value_option(
    "--run", "run", whole(1), metavar="N", help="Of a log with several runs, take the Nth."
)
@click.option(
    "--no-sessions",
    "single",
    is_flag=True,
    help="Make every request a session of its own, also where the log knows conversations.",
)
@value_option(
    "--note",
    "notes",
    str,
    metavar="TEXT",
    multiple=True,
    help="Write a comment into the trace, such as the log's origin and licence.",
)
@error_format_option
@click.option("--quiet", is_flag=True, help="Say nothing about the requests on standard error.")
@click.pass_context
def import_command(ctx: click.Context, /, **arguments: Any) -> int:
    """Make a trace of a request log that another tool wrote."""
    _check_import(ctx, arguments)
    status: int = _import(**arguments)
    return status


def _check_import(ctx: click.Context, arguments: dict[str, Any]) -> None:
    """What can be wrong before a file is opened."""
    name = arguments["name"]
    if name not in FORMATS:
        near = nearest(name, list(FORMATS))
        listed = ", ".join(f"`{each}`" for each in FORMATS)
        hint = f"did you mean `{near}`?" if near else f"the formats are {listed}"
        raise ArgumentError(f"`{name}` is no format of a request log", hint, ctx)
    if arguments["target"] != STDIN:
        check_outputs((arguments["source"],), (arguments["target"],))
    if arguments["run"] is not None and name not in WITH_RUNS:
        listed = " and ".join(f"`{each}`" for each in WITH_RUNS)
        raise ArgumentError(f"a log of `{name}` is one run", f"`--run` is for {listed}", ctx)
    start, end = arguments["start"], arguments["end"]
    if start is not None and end is not None and start >= end:
        raise ArgumentError(f"`--from {start:g}` is not before `--to {end:g}`", None, ctx)
    for note in arguments["notes"]:
        if len(note.splitlines()) > 1:
            raise ArgumentError("a `--note` is one line", "give it several times", ctx)


@refusing
def _import(
    *,
    name: str,
    source: str,
    target: str,
    limit: int | None,
    start: float | None,
    end: float | None,
    run: int | None,
    single: bool,
    notes: tuple[str, ...],
    error_format: str,
    quiet: bool,
) -> int:
    from serq.trace.convert import Selection, convert
    from serq.trace.logs.log import open_log

    del error_format
    selection = Selection(
        start=round((start or 0.0) * _NANOSECONDS),
        end=None if end is None else round(end * _NANOSECONDS),
        limit=limit,
        run=run,
        link=not single,
    )
    stream = sys.stdin.buffer if source == STDIN else source
    shown = "<stdin>" if source == STDIN else source
    with open_log(stream, shown) as log, _output(target) as file, _progress(quiet) as tell:
        done = convert(log, name, file, selection, notes=notes, tell=tell)
    if not quiet:
        say("\n".join(_told(done, name)))
    return 0


@contextmanager
def _output(target: str) -> Iterator[TextIO]:
    """Where a trace is written: a file that is whole or as it was, or standard output."""
    from serq.files import whole as whole_file

    if target != STDIN:
        with whole_file(target) as staged, staged.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    with gathered_result() as file:
        yield file


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[Converted], None]]:
    """How far a conversion is, on a terminal, when it lasts over a second."""
    shown = not quiet and sys.stderr.isatty()
    due = time.monotonic() + 1.0
    told = False

    def tell(done: Converted) -> None:
        nonlocal due, told
        if shown and time.monotonic() >= due:
            due, told = time.monotonic() + 0.2, True
            say(f"\r{done.requests:,} requests", end="")

    try:
        yield tell
    finally:
        if told:
            say("\r\x1b[K", end="")


def _told(done: Converted, name: str) -> list[str]:
    """What was converted and what was not, for a person."""
    lines = [f"{done.requests} requests of {name} in {done.sessions} sessions"]
    for count, what in (
        (done.outside, "requests outside the window were left out"),
        (done.failed, "requests that failed were left out"),
        (done.overlaps, "turns were sent before the answer to the one before: their think is 0"),
        (done.restarts, "prompts do not contain their conversation so far: each starts a session"),
    ):
        if count:
            lines.append(f"{count} {what}")
    if done.reuse.prompt:
        repeated, kept = (
            100.0 * part / done.reuse.prompt for part in (done.reuse.repeated, done.reuse.kept)
        )
        lines.append(
            f"{repeated:.1f} % of the prompt tokens repeat blocks of earlier requests; "
            f"{kept:.1f} % are the context of a session of the trace"
        )
    return lines


@command.command("info", cls=Verb, epilog=_INFO_EPILOG, short_help="Say what a trace holds.")
@click.argument("file", metavar="FILE", shell_complete=completing_paths("file"))
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as one line of JSON.")
@value_option(
    "--plot",
    "plot",
    figure,
    metavar="PATH",
    complete=completing_paths("file"),
    help="Draw arrivals and lengths into a file that ends in .svg, .png or .pdf.",
)
@error_format_option
@refusing
def info_command(*, file: str, as_json: bool, plot: str | None, error_format: str) -> int:
    """Say what a trace holds: sessions, arrivals, lengths, prefixes to reuse."""
    import json

    from serq.cli.trace_text import info_json, info_text
    from serq.trace.info import describe
    from serq.trace.read import read_trace, read_trace_lines

    del error_format
    if plot is not None:
        from serq.figures import check_installed

        check_installed()
    piped = file == STDIN
    info = describe(read_trace_lines(sys.stdin.buffer, "<stdin>") if piped else read_trace(file))
    if plot is not None:
        from serq.files import whole as whole_file
        from serq.trace.plot import save

        with whole_file(plot) as staged:
            save(info, staged, plot)
    text = json.dumps(info_json(info)) if as_json else "\n".join(info_text(info))
    print_result(text + "\n")
    return 0
