"""`serq explain`: the page of a diagnostic's code."""

from __future__ import annotations

import click

from serq.cli.arguments import ArgumentError, Verb, completing_words
from serq.cli.streams import print_result
from serq.diagnostics import CATALOGUE

_MOST_LISTED = 10
"""Codes shown at most for a word they have in common."""

_EPILOG = """\b
Examples:
  serq explain SQ301
  serq explain read-at-wrong-moment
  serq explain"""


@click.command("explain", cls=Verb, epilog=_EPILOG)
@click.argument(
    "code", metavar="[CODE]", required=False, shell_complete=completing_words(tuple(CATALOGUE))
)
@click.pass_context
def command(ctx: click.Context, code: str | None) -> int:
    """Explain a code such as SQ301: what it means, a bad program and a good one.

    Without a code, list them all.
    """
    from serq.diagnostics.explain import find_code, listing, page

    if code is None:
        print_result(listing())
        return 0
    found = find_code(code)
    if found is None:
        raise ArgumentError(f"there is no code `{code}`", _way_out(code), ctx)
    try:
        text = page(found)
    except FileNotFoundError:
        text = f"# {found.code} {found.name}\n\nThis code has no page.\n"
    print_result(text)
    return 0


def _way_out(asked: str) -> str:
    """The code that was meant, or the few that it may be."""
    from serq.diagnostics.explain import containing, suggest

    near = suggest(asked)
    if near is not None:
        return f"did you mean `{near}`?"
    some = [f"{code.code} {code.name}" for code in containing(asked)]
    if 0 < len(some) <= _MOST_LISTED:
        return f"there is {', '.join(some)}"
    return "`serq explain` lists all codes"
