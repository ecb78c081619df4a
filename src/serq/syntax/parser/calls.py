"""The call of a queue's entry (contract §2, *Queues*): `Q[i].verb (…) [from P[j]] [to POOL (n)];`.

Whether there is such a queue and such an entry is the linker's to see: queues may be declared
below the call. Depends on the parser's state and the expressions.
"""

from __future__ import annotations

from serq.syntax import ast
from serq.syntax.parser.expressions import (
    parse_expression,
    parse_parenthesised,
    parse_reference,
)
from serq.syntax.parser.recovery import end_statement
from serq.syntax.parser.state import Parser
from serq.syntax.tokens import Kind, cover


def is_call(p: Parser) -> bool:
    """Whether the statement begins like a call: a name with `.` or `[` after it."""
    return p.at_kind(Kind.NAME) and (p.at(".", 1) or p.at("[", 1))


def parse_call(p: Parser) -> ast.EntryCall:
    """The whole statement."""
    name = p.advance()
    queue: ast.Reference = ast.Name(name.text, name.span)
    if p.accept("["):
        index = parse_expression(p)
        last = p.expect("]", f"after the index of `{name.text}`")
        queue = ast.Indexed(name.text, index, cover(name.span, last.span), name.span)
    p.expect(".", f"after `{name.text}`: the statement calls an entry of a queue")
    verb = p.expect_name(f"an entry of the queue `{name.text}` after `.`")
    arguments = _parse_arguments(p, f"{name.text}.{verb.text}")
    source = parse_reference(p, "a queue or a pool after `from`") if p.accept("from") else None
    target = tokens = None
    if p.accept("to"):
        target = parse_reference(p, "a pool after `to`")
        tokens = parse_parenthesised(p, f"to {target.name}")
    span = p.from_last(name.span)
    end_statement(p, name)
    return ast.EntryCall(queue, verb.text, arguments, source, target, tokens, span, verb.span)


def _parse_arguments(p: Parser, called: str) -> tuple[ast.Expression, ...]:
    """`( expression, … )`, perhaps none."""
    p.expect("(", f"after `{called}`")
    arguments: list[ast.Expression] = []
    while not p.at(")"):
        arguments.append(parse_expression(p))
        if not p.accept(","):
            break
    p.expect(")", f"after the arguments of `{called}`")
    return tuple(arguments)
