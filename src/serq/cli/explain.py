"""`serq explain`: the page of a diagnostic's code."""

from __future__ import annotations

import click

from serq.cli.arguments import ArgumentError, Verb
from serq.cli.streams import print_result

_EPILOG = """\b
Examples:
  serq explain SQ301
  serq explain read-at-wrong-moment
  serq explain"""


@click.command("explain", cls=Verb, epilog=_EPILOG, short_help="Explain a code such as SQ301.")
@click.argument("code", metavar="[CODE]", required=False)
@click.pass_context
def command(ctx: click.Context, code: str | None) -> int:
    """Explain a code such as SQ301: what it means, a bad program and a good one.

    Without a code, list them all.
    """
    from serq.diagnostics.explain import find_code, listing, page, suggest

    if code is None:
        print_result(listing())
        return 0
    found = find_code(code)
    if found is None:
        near = suggest(code)
        hint = f"did you mean `{near}`?" if near else "`serq explain` lists all codes"
        raise ArgumentError(f"there is no code `{code}`", hint, ctx)
    try:
        text = page(found)
    except FileNotFoundError:
        text = f"# {found.code} {found.name}\n\nThis code has no page.\n"
    print_result(text)
    return 0
