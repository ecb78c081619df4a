"""The two sides: the server's statements stand in the place of every `request;` (contract §2,
*The two sides*), an entry's in the place of its calls (*Queues*).

That each side has the other, and its own words, is the parser's to see. Depends on the unit and
`serq.link.tree`.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq.link import tree
from serq.link.findings import SERVER, Splice
from serq.link.unit import Unit
from serq.syntax import ast

MOST_SPLICED = 1_000_000
"""Statements that requests may put in place."""


def server_of(unit: Unit, program: ast.Program) -> ast.Block | None:
    """What requests stand for; None, with a finding, when they put too much in place."""
    session, server = program.session, program.server
    if session is None or server is None:
        return None
    requests = [each for each in tree.statements(session) if isinstance(each, ast.Request)]
    if len(requests) * sum(1 for _ in tree.statements(server)) <= MOST_SPLICED:
        return server
    unit.findings.report(
        "SQ125",
        f"the requests put more than {MOST_SPLICED:,} statements in place",
        requests[-1].span,
        help="request the server in a `loop`",
    )
    return None


def spliced(
    unit: Unit, block: ast.Block, server: ast.Block | None
) -> Iterator[tuple[ast.Statement, ast.Block | None]]:
    """A block's statements with the server's in the place of its requests, and an entry's in the
    place of its calls.

    Each comes with the server that requests below it stand for; what is reported about a
    statement put in place says which request or call put it there.
    """
    for statement in block.statements:
        if isinstance(statement, ast.Splice):
            name, put, inner = statement.entry, statement.block, server
        elif not isinstance(statement, ast.Request):
            yield statement, server
            continue
        elif server is None:
            continue
        else:
            name, put, inner = SERVER, server, None
        outer = unit.findings.expansion
        unit.findings.expansion = Splice(name, unit.findings.place(statement.span))
        yield from spliced(unit, put, inner)
        unit.findings.expansion = outer
