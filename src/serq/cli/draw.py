"""`serq draw`: a program as a figure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from serq.api.draw import FORMATS, VIEWS
from serq.cli.arguments import (
    ArgumentError,
    Verb,
    check_outputs,
    completing_paths,
    one_of,
    program_options,
    value_option,
)
from serq.cli.streams import print_result
from serq.cli.verb import STDOUT, load, refusing

_SUFFIXES = {".svg": "svg", ".tikz": "tikz", ".tex": "tikz", ".png": "png"}

_EPILOG = """\b
Examples:
  serq draw program.sq --out program.svg
  serq draw program.sq --view session --out session.png
  serq draw program.sq --format tikz > figure.tex

The suffix of --out (.svg, .png, .tikz, .tex) says the format when --format
does not. An SVG follows the light or dark scheme of its reader's screen.
PNG needs the extra: pip install "serq[png]"."""


def _file(text: str) -> str:
    if not text:
        raise ValueError("the name of a file")
    return text


@click.command("draw", cls=Verb, epilog=_EPILOG)
@program_options
@value_option(
    "--format",
    "format",
    one_of(FORMATS),
    metavar="|".join(FORMATS),
    words=FORMATS,
    help="Format of the figure; by the suffix of --out, else svg.",
)
@value_option(
    "--view",
    "view",
    one_of(VIEWS),
    metavar="|".join(VIEWS),
    default=VIEWS[0],
    words=VIEWS,
    help="The queueing network with its pools, or the session's statements.",
)
@value_option(
    "--out",
    "out",
    _file,
    metavar="PATH",
    complete=completing_paths("file"),
    help="File to write instead of standard output, which `-` is too.",
)
@click.option("--dark", is_flag=True, help="Draw on dark paper.")
@refusing
def command(
    *,
    format: str | None,
    view: str,
    out: str | None,
    dark: bool,
    **arguments: Any,
) -> int:
    """Draw a program: its deployment as a queueing network, or its session as a flow."""
    from serq.api.draw import draw

    out = None if out == STDOUT else out
    chosen = format or _by_suffix(out)
    if chosen == "png" and out is None and sys.stdout is not None and sys.stdout.isatty():
        hint = "write it to a file: `--out figure.png`"
        raise ArgumentError("a PNG is not for a terminal", hint, click.get_current_context())
    check_outputs((arguments["file"],), (out,))
    program = load(**arguments)
    drawn = draw(program, chosen, view, dark=True if dark else None)
    if out is None:
        print_result(drawn)
    else:
        _write(out, drawn)
    return 0


def _by_suffix(out: str | None) -> str:
    if out is None:
        return "svg"
    suffix = Path(out).suffix.lower()
    if suffix not in _SUFFIXES:
        *others, last = _SUFFIXES
        hint = f"let its name end in {', '.join(others)} or {last}, or give `--format`"
        raise ArgumentError(
            f"the suffix of `{out}` names no format", hint, click.get_current_context()
        )
    return _SUFFIXES[suffix]


def _write(out: str, drawn: str | bytes) -> None:
    from serq.files import whole

    with whole(out) as staged:
        staged.write_bytes(drawn if isinstance(drawn, bytes) else drawn.encode())
