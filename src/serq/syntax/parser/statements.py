"""Blocks and statements (contract §2, *stmt*): what begins each, and the ones that hold a block.

Statements of one line are in `serq.syntax.parser.commands`, runs in `serq.syntax.parser.runs`.
"""

from __future__ import annotations

from collections.abc import Callable

from serq.diagnostics import nearest
from serq.syntax import ast
from serq.syntax.parser import calls, commands, runs
from serq.syntax.parser.expansion import expand_statements, is_use
from serq.syntax.parser.expressions import (
    parse_expression,
    parse_parenthesised,
    parse_reference,
)
from serq.syntax.parser.names import expect_new_name
from serq.syntax.parser.recovery import (
    TAILS,
    close_block,
    refuse_item_inside,
    skip_option,
    skip_statement,
)
from serq.syntax.parser.state import Parser, UnparsableError
from serq.syntax.tokens import Kind, Token, cover
from serq.vocabulary.keywords import ITEMS, RETIRED, STATEMENTS


def parse_block(p: Parser, what: str) -> ast.Block:
    """`{ statement … }`; `what` names it in a sentence."""
    opening = p.expect("{", f"after {what}")
    statements: list[ast.Statement] = []
    p.deepen()
    levels = p.levels
    while not (p.at("}") or p.at_kind(Kind.END)):
        refuse_item_inside(p, opening, f"the block of {what}")
        doubtful = p.doubtful
        try:
            _parse_statement(p, statements)
        except UnparsableError:
            p.levels = levels
            skip_statement(p, _read_over)
        p.doubtful = p.doubtful and not doubtful
    p.levels -= 1
    closing = close_block(p, opening, f"the block of {what}")
    return ast.Block(tuple(statements), cover(opening.span, closing.span))


def _read_over(p: Parser) -> None:
    """Read a block of a statement that is given up, for its own mistakes."""
    parse_block(p, "this statement")


def _parse_statement(p: Parser, statements: list[ast.Statement]) -> None:
    """One statement, or the statements of a definition in place of its use."""
    word = p.peek()
    parse = _STATEMENTS.get(word.text) if word.kind is Kind.NAME else None
    if parse is not None:
        statements.append(parse(p))
    elif is_use(p):
        expand_statements(p)
        statements.extend(parse_block(p, f"`{word.text}(…)`").statements)
    elif calls.is_call(p):
        statements.append(calls.parse_call(p))
    else:
        _refuse_statement(p, word)


def _refuse_statement(p: Parser, word: Token) -> None:
    if word.kind is not Kind.NAME:
        if word.text == "{" and p.braces_lost:
            raise UnparsableError
        raise p.mistake("SQ104", f"expected a statement, found {word.describe()}")
    if word.text in RETIRED:
        raise p.mistake(
            "SQ113",
            f"`{word.text}` is a retired word and no statement",
            help=f"`{RETIRED[word.text]}` took its place",
        )
    if word.text in TAILS:
        after = f"`{word.text}` stands right after the `}}` of a `{TAILS[word.text]}`"
        p.report("SQ104", f"`{word.text}` is no statement", help=after)
        p.braces_lost = True
        raise UnparsableError
    if word.text in ITEMS:
        p.report(
            "SQ105", f"`{word.text}` declares a part of the program, and stands outside blocks"
        )
        skip_option(p)
    elif p.at("(", 1):
        if not p.doubtful:
            p.unknown_statements.append(word)
        raise UnparsableError
    else:
        raise p.mistake("SQ104", f"`{word.text}` is no statement", help=statement_help(p, word))


def statement_help(p: Parser, word: Token) -> str:
    """The nearest statement or definition, or all statements."""
    guess = nearest(word.text, (*STATEMENTS, *p.definitions.known))
    return f"did you mean `{guess}`?" if guess else f"statements are {p.one_of(STATEMENTS)}"


# Statements that hold a block


def parse_hold(p: Parser) -> ast.Hold:
    """`hold pools [reuse (e)] [at admission (…)] block [cache (e)] [lease POOL (e)];`."""
    word = p.advance()
    pools = [_parse_hold_pool(p)]
    while p.accept(","):
        pools.append(_parse_hold_pool(p))
    reuse = parse_parenthesised(p, "reuse") if p.accept("reuse") else None
    bindings = _parse_bindings(p) if p.accept("at") else ()
    header = p.from_last(word.span)
    if not p.at("{"):
        raise _refuse_clause(p)
    body = parse_block(p, "`hold`")
    cache = parse_parenthesised(p, "cache") if p.accept("cache") else None
    lease = _parse_lease(p) if p.at("lease") else None
    p.accept(";")
    return ast.Hold(tuple(pools), reuse, bindings, body, cache, lease, header)


def _parse_hold_pool(p: Parser) -> ast.HoldPool:
    """`POOL (units) [reserve (units)]`."""
    pool = parse_reference(p, "a pool to hold")
    units = parse_parenthesised(p, f"hold {pool.name}")
    reserve = parse_parenthesised(p, "reserve") if p.accept("reserve") else None
    return ast.HoldPool(pool, units, reserve, p.from_last(pool.span))


def _parse_bindings(p: Parser) -> tuple[ast.Binding, ...]:
    """`at admission ( NAME = expression, … )`, from `admission` on."""
    p.expect("admission", "after `at`")
    p.expect("(", "after `at admission`")
    bindings = [_parse_binding(p)]
    while p.accept(","):
        bindings.append(_parse_binding(p))
    p.expect(")", "after the bindings of `at admission`")
    return tuple(bindings)


def _parse_binding(p: Parser) -> ast.Binding:
    name = expect_new_name(p, "the name of a binding")
    p.expect("=", f"after `{name.text}`")
    value = parse_expression(p)
    return ast.Binding(name.text, value, p.from_last(name.span), name.span)


def _parse_lease(p: Parser) -> ast.Lease:
    """`lease POOL (time)`."""
    word = p.advance()
    pool = parse_reference(p, "a pool of this hold after `lease`")
    time = parse_parenthesised(p, f"lease {pool.name}")
    return ast.Lease(pool, time, p.from_last(word.span))


def _refuse_clause(p: Parser) -> UnparsableError:
    found = p.peek()
    p.braces_lost = True
    clauses = ("reserve", "reuse", "at")
    guess = nearest(found.text, clauses) if found.kind is Kind.NAME else None
    return p.mistake(
        "SQ101",
        f"expected the block of `hold`, found {found.describe()}",
        help=f"did you mean `{guess}`?"
        if guess
        else "before the block stand the pools, each with its `reserve`, then `reuse`, then"
        " `at admission`, each once",
    )


def parse_branch(p: Parser) -> ast.Branch:
    """`branch (test) block [else block]`, or `branch with (probability) …`."""
    word = p.advance()
    draws = p.accept("with") is not None
    test = parse_parenthesised(p, "branch with" if draws else "branch")
    header = p.from_last(word.span)
    then = parse_block(p, "`branch`")
    otherwise = parse_block(p, "`else`") if p.accept("else") else None
    return ast.Branch(test, draws, then, otherwise, header)


def parse_loop(p: Parser) -> ast.Loop:
    """`loop block`."""
    word = p.advance()
    return ast.Loop(parse_block(p, "`loop`"), word.span)


_STATEMENTS: dict[str, Callable[[Parser], ast.Statement]] = {
    "turn": commands.parse_turn,
    "request": commands.parse_request,
    "end": commands.parse_end,
    "set": commands.parse_set,
    "observe": commands.parse_observe,
    "choose": commands.parse_choose,
    "grow": commands.parse_grow,
    "load": commands.parse_load,
    "drop": commands.parse_drop,
    "release": commands.parse_release,
    "mark": commands.parse_mark,
    "run": runs.parse_run,
    "prefill": runs.parse_serving,
    "decode": runs.parse_serving,
    "tool": runs.parse_serving,
    "transfer": runs.parse_transfer,
    "hold": parse_hold,
    "branch": parse_branch,
    "loop": parse_loop,
}
