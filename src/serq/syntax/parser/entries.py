"""Entries (contract §2, *Queues*): what a queue does with one request, one for each of its roles.

The roles say what an entry is called and takes. Depends on the parser's state and the statements.
"""

from __future__ import annotations

from collections.abc import Sequence

from serq.diagnostics import Note, nearest
from serq.syntax import ast
from serq.syntax.parser.expansion import counted
from serq.syntax.parser.state import Parser, Side
from serq.syntax.parser.statements import parse_block
from serq.vocabulary.roles import QUEUE_PARTS, VERBS


def parse_entry(p: Parser, lets: int) -> ast.Entry:
    """`VERB [(NAME, …)] [from NAME] block`; `lets` constants are declared above it."""
    verb = p.advance()
    if verb.text not in VERBS and not (p.at("(") or p.at("{") or p.at("from")):
        guess = nearest(verb.text, (*QUEUE_PARTS, *VERBS))
        raise p.mistake(
            "SQ111",
            f"`{verb.text}` is no part of a queue",
            help=f"did you mean `{guess}`?"
            if guess
            else f"legal are {p.one_of(QUEUE_PARTS)}, then the entries {p.one_of(VERBS)}",
        )
    parameters = _parse_parameters(p, verb.text) if p.accept("(") else ()
    source = None
    if p.accept("from"):
        name = p.expect_name("a name for the source after `from`")
        source = ast.Name(name.text, name.span)
    p.side = Side.ENTRY
    body = parse_block(p, f"`{verb.text}`")
    p.accept(";")
    return ast.Entry(verb.text, parameters, source, body, lets, verb.span)


def _parse_parameters(p: Parser, verb: str) -> tuple[ast.Name, ...]:
    parameters: list[ast.Name] = []
    while not p.at(")"):
        name = p.expect_name(f"a parameter of `{verb}`")
        parameters.append(ast.Name(name.text, name.span))
        if not p.accept(","):
            break
    p.expect(")", f"after the parameters of `{verb}`")
    return tuple(parameters)


def check_entry(
    p: Parser, entry: ast.Entry, roles: Sequence[str], before: Sequence[ast.Entry]
) -> None:
    """An entry belongs to a role of its queue, takes what the role says, and stands once."""
    role = VERBS.get(entry.verb)
    if role is None:
        _refuse(p, entry, f"`{entry.verb}` is an entry of no role", f"entries are {_entries(p)}")
    elif role.name not in roles:
        found = f"`{entry.verb}` is an entry of a `{role.name}`, which the queue does not play"
        _refuse(p, entry, found, f"declare the queue with `: {', '.join((*roles, role.name))}`")
    elif entry.source is not None and not role.takes_source:
        _refuse(p, entry, f"`{entry.verb}` takes no `from`", f"write `{role.example}`")
    elif len(entry.parameters) != role.parameters:
        takes = counted(role.parameters, "parameter")
        p.add_at(
            "SQ208",
            f"the entry `{entry.verb}` takes {takes}, found {len(entry.parameters)}",
            entry.span,
            help=f"write `{role.example}`",
        )
    for other in before:
        if other.verb == entry.verb and (other.source is None) == (entry.source is None):
            note = (Note("the first one", other.span),)
            p.add_at("SQ106", f"the queue has two such `{entry.verb}`", entry.span, notes=note)
            return


def _entries(p: Parser) -> str:
    return p.one_of(role.example for role in VERBS.values())


def _refuse(p: Parser, entry: ast.Entry, found: str, way_out: str) -> None:
    p.add_at("SQ148", found, entry.span, help=way_out)
