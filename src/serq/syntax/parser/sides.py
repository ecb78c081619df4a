"""The two sides (contract §2): which session, server and requests a program must have.

One session, at top level or inside `workload`; the latter goes with a `server` it requests.
Depends on the items and the parser's state.
"""

from __future__ import annotations

from serq.diagnostics import Note
from serq.syntax.parser.items import Items
from serq.syntax.parser.state import Parser


def check_sides(p: Parser, items: Items) -> None:
    """Report the first thing that is missing or stands too much; nothing is said of a program
    that could not be read whole, for what is missing may stand in what was read over.
    """
    if p.diagnostics or p.unknown_statements:
        return
    client = items.workload.session if items.workload is not None else None
    if p.requests and items.server_word is None:
        p.report("SQ116", "`request` runs the `server`, and there is none", p.requests[0])
    elif p.client is not None and items.session_word is not None and items.has_session():
        words = sorted((p.client, items.session_word), key=lambda word: word.span.start)
        p.report(
            "SQ202",
            "the program has two sessions: one inside `workload` and one at top level",
            words[1],
            notes=(Note("the first one", words[0].span),),
        )
    elif items.server_word is None:
        _check_without_server(p)
    elif client is None:
        p.report(
            "SQ117",
            "this `server` is never requested: there is no `session` inside `workload`",
            items.server_word,
            help="write the session inside `workload`, with `request;` where the server runs",
        )
    elif not p.requests:
        p.report(
            "SQ117",
            "this `server` is never requested: the session inside `workload` has no `request;`",
            items.server_word,
            notes=(Note("the session", client.span),),
        )


def _check_without_server(p: Parser) -> None:
    if p.client is not None and not p.enters_gateways:
        p.report(
            "SQ116",
            "a `session` inside `workload` goes with a `server`, and there is none",
            p.client,
            help="write the session at top level, a `server` that it requests, or the gateway of"
            " a queue: `request GATEWAY;`",
        )
