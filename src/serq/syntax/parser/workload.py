"""`workload` and `run` (contract §2): how sessions arrive and evolve, and for how long to run."""

from __future__ import annotations

from dataclasses import field

from serq.diagnostics import Note, nearest
from serq.records import Draft
from serq.syntax import ast
from serq.syntax.parser.expressions import parse_expression, parse_parenthesised
from serq.syntax.parser.options import end_option, parse_choice, parse_options, unknown_option
from serq.syntax.parser.state import Parser, Side, UnparsableError
from serq.syntax.parser.statements import parse_block
from serq.syntax.tokens import Kind, Token
from serq.vocabulary.keywords import (
    ARRIVALS,
    RUN_OPTIONS,
    TRACE_ARRIVAL_OPTIONS,
    WORKLOAD_ITEMS,
)


class _Parts(Draft):
    arrive: ast.Arrive | None = None
    trace: ast.Trace | None = None
    init: ast.Block | None = None
    turn: ast.Block | None = None
    session: ast.Block | None = None
    hidden: list[ast.Hidden] = field(default_factory=list)


def parse_workload(p: Parser) -> ast.Workload:
    """`workload { … }`; of `arrive`, `trace`, `init` and `turn` the last one counts."""
    first = p.advance()
    parts = _Parts()
    parse_options(p, "the workload", WORKLOAD_ITEMS, lambda: _parse_part(p, parts))
    return ast.Workload(
        parts.arrive,
        parts.trace,
        parts.init,
        parts.turn,
        parts.session,
        tuple(parts.hidden),
        p.from_last(first.span),
    )


def _parse_part(p: Parser, parts: _Parts) -> None:
    word = p.peek()
    match word.text if word.kind is Kind.NAME else "":
        case "arrive":
            parts.arrive = _parse_arrive(p)
        case "trace":
            parts.trace = _parse_trace(p)
        case "init":
            parts.init = _parse_side(p, Side.WORKLOAD)
        case "turn":
            parts.turn = _parse_side(p, Side.WORKLOAD)
        case "session":
            if parts.session is not None:
                raise p.mistake(
                    "SQ202",
                    "the workload has two `session` blocks",
                    notes=(Note("the first one", parts.session.span),),
                )
            p.client = word
            parts.session = _parse_side(p, Side.CLIENT)
        case "hidden":
            parts.hidden.extend(_parse_hidden(p))
        case _:
            raise _refuse_part(p)


def _refuse_part(p: Parser) -> UnparsableError:
    guess = nearest(p.peek().text, WORKLOAD_ITEMS) if p.at_kind(Kind.NAME) else None
    return p.mistake(
        "SQ111",
        f"{p.peek().describe()} is no part of a workload",
        help=f"did you mean `{guess}`?" if guess else f"legal are {p.one_of(WORKLOAD_ITEMS)}",
    )


def _parse_side(p: Parser, side: Side) -> ast.Block:
    word = p.advance()
    p.side = side
    return parse_block(p, f"`{word.text}`")


def _parse_arrive(p: Parser) -> ast.Arrive:
    """`arrive KIND ( expression );`, `arrive trace [scale ( expression )];` or `arrive none;`."""
    word = p.advance()
    kind = parse_choice(p, "arrive", ARRIVALS)
    argument: ast.Expression | None = None
    if kind == "trace":
        argument = _parse_scale(p)
    elif kind != "none":
        argument = parse_parenthesised(p, f"arrive {kind}")
    span = p.from_last(word.span)
    end_option(p, word)
    return ast.Arrive(kind, argument, span)


def _parse_scale(p: Parser) -> ast.Expression | None:
    """`scale ( expression )` after `arrive trace`, when it is there."""
    if p.at(";") or p.at("}"):
        return None
    if p.at("("):
        message = f"`arrive trace` has no argument, found {p.peek().describe()}"
        raise p.mistake("SQ101", message, help="a factor for its times is `scale (0.5)`")
    option = parse_choice(p, "arrive trace", TRACE_ARRIVAL_OPTIONS)
    return parse_parenthesised(p, option)


def _parse_trace(p: Parser) -> ast.Trace:
    """`trace "path" [ordered];`."""
    word = p.advance()
    path = expect_text(p, "the path of a trace, in quotes, after `trace`")
    ordered = p.accept("ordered") is not None
    span = p.from_last(word.span)
    end_option(p, word)
    return ast.Trace(path.text[1:-1], ordered, span)


def expect_text(p: Parser, what: str) -> Token:
    """Take a text in quotes."""
    if p.at_kind(Kind.STRING):
        return p.advance()
    raise p.mistake("SQ101", f"expected {what}, found {p.peek().describe()}")


def _parse_hidden(p: Parser) -> list[ast.Hidden]:
    """`hidden NAME, …;`."""
    word = p.advance()
    names = [p.expect_name("the name of an attribute after `hidden`")]
    while p.accept(","):
        names.append(p.expect_name("the name of an attribute after `,`"))
    end_option(p, word)
    return [ast.Hidden(name.text, name.span) for name in names]


class RunParts(Draft):
    """The options of every `run` so far; a later one replaces an earlier one."""

    horizon: ast.Expression | None = None
    warmup: ast.Expression | None = None
    seed: ast.Expression | None = None
    arrivals: ast.Expression | None = None
    first: Token | None = None

    def options(self) -> ast.RunOptions | None:
        """What the `run` items say together, None when there is none."""
        if self.first is None:
            return None
        span = self.first.span
        return ast.RunOptions(self.horizon, self.warmup, self.seed, self.arrivals, span)


def parse_run_options(p: Parser, parts: RunParts) -> None:
    """`run { horizon e; warmup e; seed e; arrivals e; }`."""
    first = p.advance()
    parts.first = parts.first or first
    parse_options(p, "`run`", RUN_OPTIONS, lambda: _parse_run_option(p, parts))


def _parse_run_option(p: Parser, parts: RunParts) -> None:
    word = p.expect_name("an option of `run`")
    value = parse_expression(p)
    end_option(p, word)
    match word.text:
        case "horizon":
            parts.horizon = value
        case "warmup":
            parts.warmup = value
        case "seed":
            parts.seed = value
        case "arrivals":
            parts.arrivals = value
        case _:
            unknown_option(p, word, "`run`", RUN_OPTIONS)
