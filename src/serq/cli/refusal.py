"""What a wrong argument, and a defect of serQ itself, look like on standard error.

    error: `--horizn` is no option of `serq run`
    help: did you mean `--horizon`?
    usage: serq run [OPTIONS] FILE

Depends on click and the verbs' options.
"""

from __future__ import annotations

import click

from serq.cli.arguments import ArgumentError
from serq.cli.streams import forget_standard_output, say, show_diagnostics
from serq.diagnostics import Diagnostic, nearest


def show_argument_error(error: click.UsageError) -> None:
    """Three lines: what is wrong, the way out when one is known, the usage."""
    message, hint = _explained(error)
    lines = [f"error: {message}"]
    if hint is not None:
        lines.append(f"help: {hint}")
    if error.ctx is not None:
        lines.append(_usage(error.ctx))
    say("\n".join(lines))


def _explained(error: click.UsageError) -> tuple[str, str | None]:
    """The sentence and the way out."""
    command = _path(error.ctx)
    match error:
        case ArgumentError():
            return error.message, error.hint
        case click.NoSuchOption():
            return f"`{error.option_name}` is no option of `{command}`", _other_option(error)
        case click.MissingParameter() if error.param is not None:
            what = error.param.human_readable_name.removesuffix("...")
            reads = {"FILE": "the program", "IN": "the log"}.get(what)
            reads = "the trace" if what == "FILE" and command == "serq trace info" else reads
            hint = f"`-` reads {reads} from standard input" if reads else None
            return f"`{command}` needs {what}", hint
        case click.BadOptionUsage():
            return f"`{error.option_name}` has no value", f"see `{command} --help`"
        case _:
            text = error.format_message().rstrip(".")
            return text[:1].lower() + text[1:], f"see `{command} --help`"


def _path(ctx: click.Context | None) -> str:
    return "serq" if ctx is None else ctx.command_path


def _usage(ctx: click.Context) -> str:
    pieces = ctx.command.collect_usage_pieces(ctx)
    return f"usage: {ctx.command_path} {' '.join(pieces)}"


def _other_option(error: click.NoSuchOption) -> str | None:
    """Which commands have that option, or which of this command's is nearest."""
    ctx = error.ctx
    if ctx is None:
        return None
    name = error.option_name
    root = ctx.find_root()
    group = root.command
    if isinstance(group, click.Group):
        having = [
            f"`serq {verb}`"
            for verb in group.list_commands(root)
            if name in _options(group.get_command(root, verb))
        ]
        if having:
            *before, last = having
            listed = f"{', '.join(before)} and {last}" if before else last
            return f"it is an option of {listed}"
    near = nearest(name, _options(ctx.command))
    return f"did you mean `{near}`?" if near else f"see `{_path(ctx)} --help`"


def _options(command: click.Command | None) -> list[str]:
    if command is None:
        return []
    params = [param for param in command.params if isinstance(param, click.Option)]
    return [name for param in params for name in (*param.opts, *param.secondary_opts)] + ["--help"]


def show_io_error(error: OSError) -> None:
    """SQ704: the system refused to read or write, where nothing more is known."""
    from serq.diagnostics import refused

    forget_standard_output()
    file = str(error.filename) if error.filename is not None else None
    message = f"input or output failed: {refused.reason(error)}"
    hint = refused.writing(file or "-", error)
    show_diagnostics([Diagnostic("SQ704", message, help=hint, file=file)], "text")


def show_internal_error(error: Exception) -> None:
    """SQ901: a defect of serQ, said in one sentence with where it happened."""
    from pathlib import Path
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    found = Diagnostic(
        "SQ901",
        f"serQ itself failed: {type(error).__name__}: {error}{where}",
        help="this is a defect of serQ, not of your program: please report it with the program",
    )
    show_diagnostics([found], "text")
