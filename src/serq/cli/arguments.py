"""Arguments of the verbs: what a value must be, and the options several verbs share.

Whatever is wrong with an argument is found here, before any file is opened. Depends on click.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeVar

import click

from serq.cli.program_names import completing_declared
from serq.cli.streams import say
from serq.diagnostics import nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

WRONG_ARGUMENTS: Final = 2
"""The exit status for wrong arguments, found before any file is opened."""

_F = TypeVar("_F", bound=Callable[..., Any])


class ArgumentError(click.UsageError):
    """Wrong arguments: what is wrong, and the way out."""

    def __init__(
        self, message: str, hint: str | None = None, ctx: click.Context | None = None
    ) -> None:
        super().__init__(message, ctx)
        self.hint = hint


def show_commands(ctx: click.Context) -> NoReturn:
    """Answer a group without a command: its help, as an error (status 2)."""
    say(ctx.get_help())
    ctx.exit(WRONG_ARGUMENTS)


class Verb(click.Command):
    """A command whose errors know it, so that its usage can be shown."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and refuse one too many."""
        try:
            left = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        if left and not ctx.resilient_parsing:
            message = f"`{left[0]}` is one argument too many for `{ctx.command_path}`"
            raise ArgumentError(message, ctx=ctx)
        return left


Completion = Callable[[click.Context, click.Parameter, str], list["CompletionItem"]]
"""From the beginning of a value to what may stand there, for a shell."""


def completing_words(words: Sequence[str]) -> Completion:
    """One of some words."""

    def complete(
        _ctx: click.Context, _parameter: click.Parameter, begun: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in words if word.startswith(begun)]

    return complete


def completing_paths(kind: Literal["file", "dir"]) -> Completion:
    """A file or a folder, which the shell itself knows."""

    def complete(
        _ctx: click.Context, _parameter: click.Parameter, begun: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(begun, type=kind)]

    return complete


Check = Callable[[str], Any]
"""From the text of a value to the value; raises `ValueError` with what it must be."""


def value_option(
    name: str,
    destination: str,
    check: Check,
    *,
    metavar: str,
    help: str,
    multiple: bool = False,
    default: str | None = None,
    words: Sequence[str] = (),
    complete: Completion | None = None,
) -> Callable[[_F], _F]:
    """An option with a value, which can not be another option: `--trace --json` lacks one.

    `words` are the values it can have; `complete` completes another kind of value in a shell.
    """

    def one(ctx: click.Context, value: str) -> Any:
        if value.startswith("--"):
            hint = f"write the value after it: `{name} {metavar}`"
            raise ArgumentError(f"`{name}` has no value, but `{value}`", hint, ctx)
        try:
            return check(value)
        except ValueError as error:
            near = nearest(value, words)
            suggestion = f"did you mean `{near}`?" if near else None
            message = f"`{name}` must be {error}, not `{value}`"
            raise ArgumentError(message, suggestion, ctx) from None

    def checked(ctx: click.Context, _option: click.Parameter, value: Any) -> Any:
        if multiple:
            return tuple(one(ctx, each) for each in value)
        return None if value is None else one(ctx, value)

    return click.option(
        name,
        destination,
        type=str,
        multiple=multiple,
        default=default,
        metavar=metavar,
        callback=checked,
        help=help,
        shell_complete=completing_words(words) if words else complete,
    )


def whole(least: int) -> Check:
    """A whole number from `least` on that fits 64 bits."""

    def check(text: str) -> int:
        if re.fullmatch("[0-9]{1,20}", text, re.ASCII) is not None:
            number = int(text)
            if least <= number < 2**64:
                return number
        raise ValueError(f"a whole number from {least} to 2^64 - 1")

    return check


def above_zero(text: str) -> float:
    """A finite number above 0."""
    number = _number(text)
    if not 0 < number < math.inf:
        raise ValueError("a finite number above 0")
    return number


def from_zero(text: str) -> float:
    """A finite number from 0 on."""
    number = _number(text)
    if not 0 <= number < math.inf:
        raise ValueError("a finite number from 0 on")
    return number


def _number(text: str) -> float:
    """A number without blanks and underscores; NaN when it is none."""
    form = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    return float(text) if re.fullmatch(form, text, re.ASCII) is not None else math.nan


def assignment(text: str) -> tuple[str, str]:
    """`name=expression`."""
    name, equals, expression = text.partition("=")
    name, expression = name.strip(), expression.strip()
    if not equals or not expression or re.fullmatch(r"[^\W\d]\w*", name) is None:
        raise ValueError("`name=expression`")
    return name, expression


def folder(text: str) -> str:
    """The name of a folder."""
    if not text:
        raise ValueError("the name of a folder")
    return text


def one_of(words: Sequence[str]) -> Check:
    """One of some words."""

    def check(text: str) -> str:
        if text not in words:
            raise ValueError("one of " + ", ".join(words))
        return text

    return check


def check_outputs(read: Iterable[str | None], written: Iterable[str | None]) -> None:
    """No file is written that is read; raises `ArgumentError`."""
    names = {os.path.realpath(path) for path in read if path is not None}
    for path in written:
        if path is not None and os.path.realpath(path) in names:
            message = f"`{path}` is read and would be written over"
            raise ArgumentError(message, "name another file", click.get_current_context())


ERROR_FORMATS: Final = ("text", "json", "github")


def _stacked(*decorators: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """Decorators applied so that the first is the first in the help."""

    def decorate(function: _F) -> _F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


error_format_option = value_option(
    "--error-format",
    "error_format",
    one_of(ERROR_FORMATS),
    metavar="text|json|github",
    default="text",
    words=ERROR_FORMATS,
    help="How errors are written on standard error: for a person, as one JSON object a line, or "
    "as GitHub annotations.",
)

set_option = value_option(
    "--set",
    "sets",
    assignment,
    metavar="NAME=EXPR",
    multiple=True,
    complete=completing_declared("let"),
    help="Give a constant of the program another value.",
)

def_option = value_option(
    "--def",
    "defs",
    assignment,
    metavar="NAME=EXPR",
    multiple=True,
    complete=completing_declared("def"),
    help="Give an expression definition another body.",
)

program_options = _stacked(
    click.argument("file", metavar="FILE", shell_complete=completing_paths("file")),
    set_option,
    def_option,
    error_format_option,
)
"""FILE, `--set`, `--def` and `--error-format`."""

trace_option = value_option(
    "--trace",
    "trace",
    str,
    metavar="CSV",
    complete=completing_paths("file"),
    help="Replay this trace instead of the program's.",
)

run_options = _stacked(
    value_option("--seed", "seed", whole(0), metavar="N", help="Seed of the random streams."),
    value_option(
        "--horizon",
        "horizon",
        above_zero,
        metavar="T",
        help="End of the run, in the program's clock.",
    ),
    value_option(
        "--warmup",
        "warmup",
        from_zero,
        metavar="T",
        help="Start of measurement, in the program's clock.",
    ),
    value_option(
        "--arrivals",
        "arrivals",
        whole(1),
        metavar="N",
        help="Exactly this many sessions arrive and are drained.",
    ),
    trace_option,
)
"""What overrides the program's run: `--seed`, `--horizon`, `--warmup`, `--arrivals`, `--trace`."""
