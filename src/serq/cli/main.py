"""The command line: which verbs there are, what a wrong argument looks like, how a command ends.

Exit status: 0 fine; 1 the program, trace, run or output failed; 2 wrong arguments, found before
any file is opened; 130 interrupted; 141 whoever read standard output went away. A command that
fails prints nothing on standard output.
Depends on the verbs, loaded when they are named.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

import click

from serq.cli.arguments import WRONG_ARGUMENTS, ArgumentError, show_commands
from serq.cli.refusal import show_argument_error, show_internal_error, show_io_error
from serq.cli.streams import (
    READER_GONE,
    forget_standard_output,
    prepare_streams,
    show_diagnostics,
)
from serq.diagnostics import SerqError, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VERBS: Final = {
    "run": "Run a program and print the report.",
    "sweep": "Run a program over a grid.",
    "fit": "Fit a cost to measurements.",
    "calibrate": "Fit two overheads to light-load runs.",
    "check": "Say whether a program is right.",
    "draw": "Draw a program as a figure.",
    "ir": "Print a program's IR as JSON.",
    "trace": "Make a trace of a request log, or say what a trace holds.",
    "oracle": "Compare with vLLM's scheduler, request by request.",
    "fmt": "Lay out the text of programs.",
    "explain": "Explain a code such as SQ301.",
    "completion": "Print a shell's completion script.",
}
"""The verbs in the order of the help, and what it says of each: none is loaded to be listed."""

_INTERRUPTED: Final = 130
_COMPLETING: Final = "_SERQ_COMPLETE"
"""The variable with which a shell asks for a completion."""

_EPILOG = """\b
Examples:
  serq run program.sq
  serq check program.sq
  serq explain SQ301

Exit status: 0 fine; 1 the program, trace, run or output failed;
2 wrong arguments; 130 interrupted."""


class Verbs(click.Group):
    """The verbs, each in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All of them, in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The verb of a name, loaded now."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"serq.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """All of them, in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Those whose name begins so, and the options."""
        from click.shell_completion import CompletionItem

        verbs = [
            CompletionItem(verb, help=said)
            for verb, said in VERBS.items()
            if verb.startswith(incomplete)
        ]
        return [*verbs, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb the arguments start with."""
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            near = nearest(name, VERBS)
            listed = ", ".join(f"`{verb}`" for verb in VERBS)
            hint = f"did you mean `{near}`?" if near else f"the commands are {listed}"
            if name == "help":
                hint = "`serq --help` lists the commands, and `serq COMMAND --help` explains one"
            raise ArgumentError(f"`{name}` is no command of serq", hint, ctx)
        return name, command, args[1:]


def _print_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from serq.cli.streams import print_result
    from serq.cli.version import version_text

    print_result(version_text())
    ctx.exit()


@click.group(
    cls=Verbs,
    epilog=_EPILOG,
    options_metavar="[--version] [--help]",
    invoke_without_command=True,
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, the engines present and the formats, and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """serQ: an LLM serving deployment is a program; compile, simulate, report."""
    if ctx.invoked_subcommand is None:
        show_commands(ctx)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The command `serq`."""
    sys.exit(command_status(arguments))


def command_status(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status."""
    prepare_streams()
    listed = None if arguments is None else list(arguments)
    try:
        status = cli.main(args=listed, prog_name="serq", standalone_mode=False)
    except click.UsageError as error:
        show_argument_error(error)
        return WRONG_ARGUMENTS
    except SystemExit:
        # So click ends a completion, and when the reader of the help went away.
        if _COMPLETING in os.environ:
            raise
        forget_standard_output()
        return READER_GONE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return _INTERRUPTED
    except SerqError as error:
        show_diagnostics(error.diagnostics, "text")
        return 1
    except OSError as error:
        show_io_error(error)
        return 1
    except Exception as error:
        show_internal_error(error)
        return 1
    return status if isinstance(status, int) else 0
