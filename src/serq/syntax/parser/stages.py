"""`stage` (contract §2): a server of work, alone or an array, and its kind."""

from __future__ import annotations

from serq.diagnostics import Note
from serq.records import Draft
from serq.syntax import ast
from serq.syntax.parser.expressions import (
    parse_expression,
    parse_keys,
    parse_parenthesised,
    parse_single,
)
from serq.syntax.parser.options import end_option, parse_options, unknown_option, wrong_word
from serq.syntax.parser.sizes import parse_size
from serq.syntax.parser.state import Parser
from serq.syntax.tokens import Kind, Token
from serq.vocabulary.keywords import STAGE_KINDS, STEP_OPTIONS

_OLD_SPELLINGS = {"exclusive": "prefill", "decode": "first"}
"""Options that were words of their own and are said by `serve` now."""


class _Options(Draft):
    budget: ast.Expression | None = None
    cost: ast.Expression | None = None
    chunk: ast.Expression | None = None
    serve: ast.Serve | None = None
    memory: ast.Name | None = None


def parse_stage(p: Parser) -> ast.Stage:
    """`stage NAME [size] : kind;`, the `;` optional after a step stage's block."""
    first = p.advance()
    name = p.expect_name("the name of a stage after `stage`")
    size, size_span = parse_size(p, name)
    p.expect(":", f"after `stage {name.text}`")
    kind = parse_kind(p, name)
    span = p.from_last(first.span)
    p.stages += 1
    if p.at("latency"):
        raise p.mistake(
            "SQ102",
            f"expected `;` after `stage {name.text} …`, found `latency`",
            help="a wait belongs to a queue's `serve`; a stage of its own waits with `: delay`",
        )
    if isinstance(kind, ast.Step):
        p.accept(";")
    else:
        end_option(p, first)
    return ast.Stage(name.text, size, kind, span, name.span, size_span)


def parse_kind(p: Parser, stage: Token) -> ast.StageKind:
    """What stands after `:` in a stage, and after `serve` and `nic` in a queue."""
    word = p.peek()
    match word.text if word.kind is Kind.NAME else "":
        case "fifo":
            p.advance()
            servers = parse_parenthesised(p, "fifo") if p.at("(") else None
            return ast.Fifo(servers, p.from_last(word.span))
        case "ps":
            p.advance()
            return ast.Ps(parse_parenthesised(p, "ps"), p.from_last(word.span))
        case "delay":
            return ast.Delay(p.advance().span)
        case "step":
            return _parse_step(p, stage)
    raise wrong_word(p, f"a stage is of the kind {p.one_of(STAGE_KINDS)}", STAGE_KINDS)


def _parse_step(p: Parser, stage: Token) -> ast.Step:
    first = p.advance()
    options = _Options()
    what = f"the step stage `{stage.text}`"
    sound = parse_options(p, what, STEP_OPTIONS, lambda: _parse_option(p, options))
    cost = options.cost
    if cost is None:
        if sound:
            p.report(
                "SQ107",
                f"{what} has no `cost`: how long an iteration takes",
                first,
                help="write `cost` with an expression, such as `cost 0.01;`",
            )
        cost = ast.Number(0.0, first.span)
    return ast.Step(
        options.budget,
        cost,
        options.chunk,
        options.serve,
        options.memory,
        p.from_last(first.span),
    )


def _parse_option(p: Parser, options: _Options) -> None:
    word = p.expect_name("an option of a step stage")
    match word.text:
        case "budget":
            options.budget = parse_expression(p)
        case "cost":
            options.cost = parse_expression(p)
        case "chunk":
            options.chunk = parse_expression(p)
        case "memory":
            options.memory = parse_single(p, "a pool after `memory`")
        case "serve":
            options.serve = _parse_serve(p, word, options.serve)
        case _:
            _refuse_option(p, word)
    end_option(p, word)


def _parse_serve(p: Parser, word: Token, before: ast.Serve | None) -> ast.Serve:
    """`serve` with `admission`, `by (key, …)`, `decode first` or `exclusive prefill`."""
    if before is not None:
        raise p.mistake(
            "SQ106",
            "a step stage has two `serve` options: it serves its residents in one way",
            notes=(Note("the first one", before.span),),
        )
    if p.accept("by"):
        keys = parse_keys(p, "serve by")
        return ast.Serve("by", keys, p.from_last(word.span))
    if p.accept("admission"):
        return ast.Serve("admission", (), p.from_last(word.span))
    for rule, second in _OLD_SPELLINGS.items():
        if p.accept(rule):
            p.expect(second, f"after `serve {rule}`")
            return ast.Serve(f"{rule} {second}", (), p.from_last(word.span))
    rules = "`admission`, `by (key, …)`, `decode first` or `exclusive prefill`"
    raise wrong_word(p, f"`serve` takes {rules}", ("admission", "by", *_OLD_SPELLINGS))


def _refuse_option(p: Parser, word: Token) -> None:
    second = _OLD_SPELLINGS.get(word.text)
    if second is not None and p.at(second):
        raise p.mistake(
            "SQ213",
            f"`{word.text} {second}` is an old spelling",
            help=f"write `serve {word.text} {second};`",
        )
    raise unknown_option(p, word, "a step stage", STEP_OPTIONS)
