"""`serq oracle`: serQ's program of vLLM beside vLLM's own scheduler, request by request."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from serq.cli.arguments import (
    ArgumentError,
    Verb,
    completing_paths,
    error_format_option,
    show_commands,
    value_option,
    whole,
)
from serq.cli.engines import engine_option
from serq.cli.streams import gathered_result, print_result
from serq.cli.verb import refusing
from serq.diagnostics import Diagnostic, SerqError, nearest

if TYPE_CHECKING:
    from serq.oracle.scenario import Scenario

_EPILOG = """\b
Examples:
  serq oracle vllm scenario.json
  serq oracle generate --seed 7 --count 500 > drawn.json
  serq oracle vllm drawn.json
  serq oracle recorded tests/oracle/vllm/*.json"""


class _Commands(click.Group):
    """The commands of the oracle; an unknown one is answered with the nearest."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command the arguments start with."""
        found = self.get_command(ctx, args[0])
        if found is None and not ctx.resilient_parsing:
            near = nearest(args[0], list(self.commands))
            listed = ", ".join(f"`{name}`" for name in self.commands)
            hint = f"did you mean `{near}`?" if near else f"there are {listed}"
            raise ArgumentError(f"`{args[0]}` is no command of `serq oracle`", hint, ctx)
        return args[0], found, args[1:]

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order of this file."""
        return list(self.commands)


@click.group(
    "oracle",
    cls=_Commands,
    epilog=_EPILOG,
    options_metavar="",
    invoke_without_command=True,
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Compare serQ's program of vLLM with vLLM's own scheduler, request by request."""
    if ctx.invoked_subcommand is None:
        show_commands(ctx)


_files = click.argument(
    "files",
    metavar="SCENARIO...",
    nargs=-1,
    required=True,
    shell_complete=completing_paths("file"),
)
_quiet = click.option("--quiet", is_flag=True, help="No progress bar.")


@command.command(
    "vllm",
    cls=Verb,
    short_help="Put scenarios through the scheduler of the installed vLLM.",
    epilog="""\b
Examples:
  serq oracle vllm scenario.json
  serq oracle vllm drawn.json --record recorded.json

Exit status: 0 when they agree, 1 when they differ or vLLM is missing.""",
)
@_files
@value_option(
    "--record",
    "record",
    str,
    metavar="FILE",
    complete=completing_paths("file"),
    help="Write the scenarios with what vLLM did to FILE, in columns.",
)
@_quiet
@error_format_option
@refusing
def vllm(*, files: tuple[str, ...], record: str | None, quiet: bool, error_format: str) -> int:  # noqa: ARG001
    """Run scenarios on serQ and on the installed vLLM's scheduler with a stand-in for the model.

    Prints the first differing step of each scenario that differs, with both sides' batch.
    """
    from dataclasses import replace

    from serq.files import check
    from serq.files import whole as whole_file
    from serq.oracle.difference import compare, first_step
    from serq.oracle.driver import drive
    from serq.oracle.scheduler import vllm_version
    from serq.oracle.show import disagreement
    from serq.oracle.simulate import watch
    from serq.oracle.write import scenarios_text

    scenarios = _read(files)
    if record is not None:
        check(record)
    version = f"vllm {vllm_version()}"
    told: list[str] = []
    recorded: list[Scenario] = []
    for scenario in _watched(scenarios, len(scenarios), quiet=quiet):
        theirs = drive(scenario)
        ours = watch(scenario, version)
        found = compare(scenario, ours, theirs.outcomes, theirs.totals)
        parting = first_step(ours.steps, theirs.steps)
        if found or parting is not None:
            told.append(disagreement(scenario, found, parting))
        recorded.append(replace(scenario, expected=theirs.outcomes, totals=theirs.totals))
    if record is not None:
        with whole_file(record) as staged:
            staged.write_text(scenarios_text(recorded, version=version), encoding="utf-8")
    return _tell(scenarios, told, version)


@command.command(
    "recorded",
    cls=Verb,
    short_help="Compare with what was recorded in the scenarios.",
    epilog="""\b
Examples:
  serq oracle recorded tests/oracle/vllm/*.json
  serq oracle recorded recorded.json --engine python

Exit status: 0 when they agree, 1 when they differ. No vLLM is needed.""",
)
@_files
@engine_option()
@_quiet
@error_format_option
@refusing
def recorded(*, files: tuple[str, ...], engine: str | None, quiet: bool, error_format: str) -> int:  # noqa: ARG001
    """Run scenarios on serQ and compare with the outcomes that their files state."""
    from serq.oracle.difference import compare
    from serq.oracle.show import disagreement
    from serq.oracle.simulate import simulate

    scenarios = _read(files)
    told: list[str] = []
    for scenario in _watched(scenarios, len(scenarios), quiet=quiet):
        if not scenario.expected:
            message = f"the scenario `{scenario.name}` has no recorded outcome"
            hint = "`serq oracle vllm SCENARIO --record FILE` records what vLLM does"
            raise SerqError([Diagnostic("SQ706", message, help=hint)])
        ran = simulate(scenario, engine)
        found = compare(scenario, ran, scenario.expected, scenario.totals)
        if found:
            told.append(disagreement(scenario, found, None))
    versions = sorted({scenario.version for scenario in scenarios})
    return _tell(scenarios, told, ", ".join(versions))


@command.command(
    "generate",
    cls=Verb,
    short_help="Draw scenarios from a seed.",
    epilog="""\b
Examples:
  serq oracle generate --seed 7 --count 500 > drawn.json
  serq oracle generate --seed 7 --conversations 300 > replay.json""",
)
@value_option("--seed", "seed", whole(0), metavar="N", default="1", help="Seed; 1 without it.")
@value_option("--count", "count", whole(1), metavar="N", default="100", help="How many; 100.")
@value_option(
    "--first", "first", whole(0), metavar="N", default="0", help="Number of the first; 0."
)
@value_option(
    "--conversations",
    "sessions",
    whole(1),
    metavar="N",
    help="Instead, one scenario of N conversations on a server of ordinary size.",
)
@_quiet
@error_format_option
@refusing
def generate(
    *,
    seed: int,
    count: int,
    first: int,
    sessions: int | None,
    quiet: bool,
    error_format: str,  # noqa: ARG001
) -> int:
    """Draw scenarios from a seed: small memories, mixed prompts, preemption, forced misses.

    Scenario N of a seed is the same however many are drawn.
    """
    from serq.oracle.generate import conversations
    from serq.oracle.generate import generate as draw
    from serq.oracle.write import scenarios_pieces

    total = count if sessions is None else 1
    drawn = draw(seed, count, first) if sessions is None else iter([conversations(seed, sessions)])
    with gathered_result() as file:
        file.writelines(scenarios_pieces(_watched(drawn, total, quiet=quiet)))
    return 0


def _read(files: Sequence[str]) -> list[Scenario]:
    """The scenarios of all files. Raises `SerqError` with what is wrong with any of them."""
    from serq.oracle.files import read_scenarios

    found: list[Diagnostic] = []
    scenarios: list[Scenario] = []
    for file in files:
        try:
            scenarios += read_scenarios(file)
        except SerqError as error:
            found += error.diagnostics
    if found:
        raise SerqError(found)
    return scenarios


def _watched(scenarios: Iterable[Scenario], total: int, *, quiet: bool) -> Iterator[Scenario]:
    """The scenarios one after another, with a bar on a terminal."""
    if quiet or total < 2 or not sys.stderr.isatty():
        yield from scenarios
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(file=sys.stderr)
    yield from track(scenarios, "scenarios", total, console=console, transient=True)


def _tell(scenarios: Sequence[Scenario], told: Sequence[str], version: str) -> int:
    """Print the differences, or that there are none; the exit status."""
    from serq.oracle.show import agreement

    requests = sum(len(scenario.turns) for scenario in scenarios)
    if not told:
        print_result(agreement(requests, len(scenarios), version.replace("vllm", "vLLM")))
        return 0
    last = f"{len(told)} of {len(scenarios)} scenario{'s' * (len(scenarios) != 1)} differ\n"
    print_result([*told, last])
    return 1
