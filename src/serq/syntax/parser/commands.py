"""Statements of one line that take no time (contract §2, *stmt*).

One function a statement, named after its word. Which side a statement belongs to (contract §2,
*The two sides*) is checked here, where the block it stands in is known.
"""

from __future__ import annotations

from serq.diagnostics import nearest
from serq.syntax import ast
from serq.syntax.parser.expressions import (
    parse_expression,
    parse_keys,
    parse_parenthesised,
    parse_reference,
)
from serq.syntax.parser.names import expect_new_name
from serq.syntax.parser.recovery import begins_statement, end_statement
from serq.syntax.parser.state import Parser, Side, UnparsableError
from serq.syntax.tokens import Kind


def parse_turn(p: Parser) -> ast.Turn:
    """`turn;`: the session's side."""
    _refuse_in_server(p, "whether there is a next turn")
    word = p.advance()
    end_statement(p, word)
    return ast.Turn(word.span)


def parse_end(p: Parser) -> ast.End:
    """`end;`: the session's side."""
    _refuse_in_server(p, "whether the session goes on")
    word = p.advance()
    end_statement(p, word)
    return ast.End(word.span)


def parse_request(p: Parser) -> ast.Request:
    """`request;` or `request GATEWAY;`: the session inside the workload."""
    if p.side is not Side.CLIENT:
        served = p.side in (Side.SERVER, Side.ENTRY)
        why = "what serves does not request" if served else "there is no server"
        raise _refuse_side(p, f"stands in the `session` inside `workload`: {why} in {p.side.value}")
    word = p.advance()
    gateway = None
    if p.at_kind(Kind.NAME) and not begins_statement(p):
        name = p.advance()
        gateway = ast.Name(name.text, name.span)
        p.enters_gateways = True
    else:
        p.requests.append(word)
    end_statement(p, word)
    return ast.Request(word.span, gateway)


def _refuse_in_server(p: Parser, decides: str) -> None:
    if p.side in (Side.SERVER, Side.ENTRY):
        raise _refuse_side(
            p, f"stands on the session's side: {decides} is decided there, not in {p.side.value}"
        )


def _refuse_side(p: Parser, why: str) -> UnparsableError:
    return p.mistake("SQ105", f"`{p.peek().text}` {why}")


def parse_set(p: Parser) -> ast.Set:
    """`set NAME = expression;`."""
    word = p.advance()
    name = expect_new_name(p, "the name of an attribute after `set`")
    p.expect("=", f"after `set {name.text}`")
    value = parse_expression(p)
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Set(name.text, value, span, name.span)


def parse_observe(p: Parser) -> ast.Observe:
    """`observe NAME = expression;`."""
    word = p.advance()
    name = p.expect_name("the name of an observation after `observe`")
    p.expect("=", f"after `observe {name.text}`")
    value = parse_expression(p)
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Observe(name.text, value, span, name.span)


def parse_choose(p: Parser) -> ast.Choose:
    """`choose NAME in count by (key, …);`."""
    word = p.advance()
    name = expect_new_name(p, "the name of an attribute after `choose`")
    p.expect("in", f"after `choose {name.text}`")
    count = parse_expression(p)
    if not p.at("by"):
        guess = nearest(p.peek().text, ("by",)) if p.at_kind(Kind.NAME) else None
        raise p.mistake(
            "SQ107",
            f"expected `by` after the count of `choose`, found {p.peek().describe()}",
            help=f"did you mean `{guess}`?"
            if guess
            else "write `by (key)`: the member with the least key is chosen",
        )
    p.advance()
    keys = parse_keys(p, "by")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Choose(name.text, count, keys, span, name.span)


def parse_grow(p: Parser) -> ast.Grow:
    """`grow POOL (units);`."""
    word = p.advance()
    pool = parse_reference(p, "a pool after `grow`")
    units = parse_parenthesised(p, f"grow {pool.name}")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Grow(pool, units, span)


def parse_load(p: Parser) -> ast.Load:
    """`load POOL (units);`."""
    word = p.advance()
    pool = parse_reference(p, "a pool after `load`")
    units = parse_parenthesised(p, f"load {pool.name}")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Load(pool, units, span)


def parse_drop(p: Parser) -> ast.Drop:
    """`drop POOL;`."""
    word = p.advance()
    pool = parse_reference(p, "a pool after `drop`")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Drop(pool, span)


def parse_release(p: Parser) -> ast.Release:
    """`release POOL;`."""
    word = p.advance()
    pool = parse_reference(p, "a pool after `release`")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Release(pool, span)


def parse_mark(p: Parser) -> ast.Mark:
    """`mark NAME;` names a moment in an entry of a queue, and nowhere else."""
    if p.side is not Side.ENTRY:
        raise _refuse_side(p, f"stands in an entry of a queue, and this is {p.side.value}")
    word = p.advance()
    name = p.expect_name("the name of a moment after `mark`")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Mark(name.text, span, name.span)
