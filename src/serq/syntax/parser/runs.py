"""`run` and the forms of the serving vocabulary (contract §2, *The serving vocabulary*).

A form keeps what was written and how many stages stood above it; the linker finds its stage.
"""

from __future__ import annotations

from serq.diagnostics import nearest
from serq.syntax import ast
from serq.syntax.parser.expressions import (
    parse_expression,
    parse_parenthesised,
    parse_reference,
)
from serq.syntax.parser.recovery import end_statement
from serq.syntax.parser.state import Parser, Side
from serq.syntax.tokens import Kind, Token

_MODES = ("prefill", "decode")


def parse_run(p: Parser) -> ast.Run:
    """`run STAGE [prefill | decode] (work) [growing POOL];`, or `run STAGE, STAGE, … (work);`.

    In an entry of a queue `run (work)` runs on the queue's own stage.
    """
    word = p.advance()
    if p.at("("):
        if p.side is not Side.ENTRY:
            raise p.mistake(
                "SQ101", "`run` names the stage it runs on before its work: `run STAGE (work)`"
            )
        if p.queue is not None and not p.queue_serves:
            p.report(
                "SQ107",
                f"`run (…)` runs on the stage of the queue `{p.queue.text}`, which has no `serve`"
                " above",
                help="name the stage, `run STAGE (…)`, or declare the queue's with `serve`",
            )
        return _end_run(p, word, (), "plain")
    stages = [parse_reference(p, "a stage after `run`")]
    while p.accept(","):
        stages.append(parse_reference(p, "a stage after `,`"))
    mode = p.advance().text if p.at("prefill") or p.at("decode") else "plain"
    if p.at_kind(Kind.NAME):
        guess = nearest(p.peek().text, _MODES)
        raise p.mistake(
            "SQ101",
            f"expected the work of `run` in parentheses, found {p.peek().describe()}",
            help=f"did you mean `{guess}`?" if guess else None,
        )
    return _end_run(p, word, tuple(stages), mode)


def _end_run(p: Parser, word: Token, stages: tuple[ast.Reference, ...], mode: str) -> ast.Run:
    work = parse_parenthesised(p, f"run {stages[-1].name}" if stages else "run")
    growing = _parse_growing(p)
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Run(stages, mode, work, growing, span)


def parse_serving(p: Parser) -> ast.Serving:
    """`prefill`, `decode` or `tool`: `ROLE [[index] | on STAGE] work [growing POOL];`."""
    role = p.advance()
    index = on = None
    if p.accept("["):
        index = parse_expression(p)
        p.expect("]", f"after the index of `{role.text}`")
    elif p.accept("on"):
        on = parse_reference(p, f"a stage after `{role.text} on`")
    work = parse_expression(p)
    growing = _parse_growing(p)
    span = p.from_last(role.span)
    end_statement(p, role)
    return ast.Serving(role.text, index, on, work, growing, p.stages, span, role.span)


def parse_transfer(p: Parser) -> ast.Transfer:
    """`transfer [[index] | on STAGE, …] work from POOL to POOL (tokens);`."""
    word = p.advance()
    index = None
    on: list[ast.Reference] = []
    if p.accept("["):
        index = parse_expression(p)
        p.expect("]", "after the index of `transfer`")
    elif p.accept("on"):
        on.append(parse_reference(p, "a stage after `transfer on`"))
        while p.accept(","):
            on.append(parse_reference(p, "a stage after `,`"))
    work = parse_expression(p)
    if not p.accept("from"):
        raise p.mistake(
            "SQ107",
            "a `transfer` says whence and where the KV goes: `transfer (x) from P to Q (n);`",
            word,
            help="a link that only takes time is a `run`",
        )
    source = parse_reference(p, "a pool after `from`")
    p.expect("to", f"after `from {source.name}`")
    target = parse_reference(p, "a pool after `to`")
    tokens = parse_parenthesised(p, f"to {target.name}")
    span = p.from_last(word.span)
    end_statement(p, word)
    return ast.Transfer(index, tuple(on), work, source, target, tokens, p.stages, span, word.span)


def _parse_growing(p: Parser) -> ast.Reference | None:
    return parse_reference(p, "a pool after `growing`") if p.accept("growing") else None
