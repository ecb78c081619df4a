"""`pool` (contract §2): a counted resource, alone or an array, and its options."""

from __future__ import annotations

from serq.diagnostics import Span
from serq.records import Draft
from serq.syntax import ast
from serq.syntax.parser.expressions import (
    parse_expression,
    parse_keys,
    parse_parenthesised,
    parse_single,
)
from serq.syntax.parser.options import (
    end_option,
    parse_choice,
    parse_options,
    unknown_option,
    wrong_word,
)
from serq.syntax.parser.sizes import parse_size
from serq.syntax.parser.state import Parser
from serq.syntax.tokens import Token
from serq.vocabulary.keywords import POOL_OPTIONS


class _Options(Draft):
    cap: ast.Expression | None = None
    block: ast.Expression | None = None
    evict: tuple[ast.Expression, ...] | None = None
    preempt: str | None = None
    queue: tuple[ast.Expression, ...] | None = None
    admit_via: ast.Name | None = None
    spill: ast.Spill | None = None


def parse_pool(p: Parser) -> ast.Pool:
    """`pool NAME [size] { options }`; an option written again replaces the first."""
    first = p.advance()
    name = p.expect_name("the name of a pool after `pool`")
    size, size_span = parse_size(p, name)
    return end_pool(p, first, name, name.text, (size, size_span))


def end_pool(
    p: Parser, first: Token, name: Token, long_name: str, size: tuple[int | None, Span | None]
) -> ast.Pool:
    """`{ options }` of a pool known in the program by its long name."""
    options = _Options()
    parse_options(p, f"the pool `{name.text}`", POOL_OPTIONS, lambda: _parse_option(p, options))
    return ast.Pool(
        long_name,
        size[0],
        options.cap,
        options.block,
        options.evict,
        options.preempt,
        options.queue,
        options.admit_via,
        options.spill,
        p.from_last(first.span),
        name.span,
        size[1],
    )


def _parse_option(p: Parser, options: _Options) -> None:
    word = p.expect_name("an option of a pool")
    match word.text:
        case "cap":
            options.cap = parse_expression(p)
        case "block":
            options.block = parse_expression(p)
        case "evict":
            options.evict = _parse_order(p, "evict", "lru")
        case "preempt":
            options.preempt = parse_choice(p, "preempt", ("none", "lifo"))
        case "queue":
            options.queue = _parse_order(p, "queue", "fifo")
        case "admit":
            p.expect("via", "after `admit`")
            options.admit_via = parse_single(p, "a stage after `admit via`")
        case "spill":
            options.spill = _parse_spill(p, word.span)
        case _:
            raise unknown_option(p, word, "a pool", POOL_OPTIONS)
    end_option(p, word)


def _parse_order(p: Parser, option: str, default: str) -> tuple[ast.Expression, ...]:
    """The default order, which has no keys, or `by ( key, … )`."""
    if p.accept(default):
        return ()
    if not p.accept("by"):
        raise wrong_word(p, f"`{option}` takes `{default}` or `by (key, …)`", (default, "by"))
    return parse_keys(p, f"{option} by")


def _parse_spill(p: Parser, start: Span) -> ast.Spill:
    """`spill POOL via STAGE (work) when (predicate)`."""
    to = parse_single(p, "a pool after `spill`")
    p.expect("via", f"after `spill {to.name}`")
    via = parse_single(p, "a stage after `via`")
    work = parse_parenthesised(p, f"via {via.name}")
    p.expect("when", "after the work of the spill")
    when = parse_parenthesised(p, "when")
    return ast.Spill(to, via, work, when, p.from_last(start))
