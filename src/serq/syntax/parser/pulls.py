"""`READER pull SOURCE [latency expression] share policy;` (contract §2, *Queues*): which queue
reads the KV from which, over the NICs of both.

Both queues stand above the relation. Depends on the parser's state and the expressions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from serq.diagnostics import Note, nearest
from serq.records import Record
from serq.syntax import ast
from serq.syntax.parser.expressions import parse_expression
from serq.syntax.parser.options import parse_choice
from serq.syntax.parser.state import Parser, UnparsableError
from serq.syntax.tokens import Token

POLICIES = ("maxmin", "bottleneck")


class Relation(Record):
    """A relation and what it declares: the wait before a read, where it has a latency."""

    pull: ast.Pull
    wait: ast.Stage | None
    time: ast.Let | None
    share: ast.Share


def parse_pull(
    p: Parser,
    queues: Mapping[str, ast.Queue],
    before: Sequence[ast.Pull],
    share: ast.Share | None,
) -> Relation:
    """The whole item but its `;`; `share` is the policy the program has so far."""
    reader = p.advance()
    p.advance()
    source = p.expect_name(f"the queue that `{reader.text}` reads from, after `pull`")
    latency = parse_expression(p) if p.accept("latency") else None
    if not p.accept("share"):
        raise p.mistake(
            "SQ107",
            f"the relation says how concurrent reads divide the NICs: expected `share`, found"
            f" {p.peek().describe()}",
            help=f"write `{reader.text} pull {source.text} … share maxmin;` or `share bottleneck`",
        )
    policy = parse_choice(p, "share", POLICIES)
    span = p.from_last(reader.span)
    queue = _end(p, queues, reader)
    _end(p, queues, source)
    if source.text == reader.text:
        raise p.mistake("SQ146", f"`{reader.text}` reads from another queue, not itself", source)
    _check_others(p, reader, policy, before, share)
    pull = ast.Pull(_name(reader), _name(source), latency, policy, span)
    wait = time = None
    if latency is not None:
        name = ast.time_of(ast.pool_of(reader.text, "pull"))
        time = ast.Let(name, latency, latency.span, latency.span)
        p.constants.declare(time)
        delay = ast.pool_of(reader.text, "nic.latency")
        wait = ast.Stage(delay, queue.size, ast.Delay(latency.span), span, reader.span)
        p.stages += 1
    return Relation(pull, wait, time, ast.Share(policy, span))


def _name(token: Token) -> ast.Name:
    return ast.Name(token.text, token.span)


def _end(p: Parser, queues: Mapping[str, ast.Queue], name: Token) -> ast.Queue:
    """One of the two queues: declared above, with a NIC."""
    queue = queues.get(name.text)
    if queue is None and p.diagnostics:
        raise UnparsableError
    if queue is None:
        guess = nearest(name.text, queues)
        raise p.mistake(
            "SQ220",
            f"no queue `{name.text}` is declared above the relation",
            name,
            help=f"did you mean `{guess}`?" if guess else "a relation stands below its queues",
        )
    if not queue.nic:
        raise p.mistake(
            "SQ146",
            f"the queue `{name.text}` has no `nic`, and a read runs over the NICs of both queues",
            name,
            notes=(Note(f"`{name.text}` is declared here", queue.name_span),),
            help="declare one above its entries, such as `nic ps(bandwidth);`",
        )
    return queue


def _check_others(
    p: Parser,
    reader: Token,
    policy: str,
    before: Sequence[ast.Pull],
    share: ast.Share | None,
) -> None:
    """A reader has one source, and the program one way to share, said in one place."""
    for other in before:
        if other.reader.name == reader.text:
            raise p.mistake(
                "SQ146",
                f"`{reader.text}` pulls from `{other.source.name}` already: a reader has one"
                " source",
                reader,
                notes=(Note("the first relation", other.span),),
            )
    if share is None:
        return
    if not before:
        raise p.mistake(
            "SQ106",
            "the program says how stages are shared twice: a program with a relation has no `share`"
            " of its own",
            reader,
            notes=(Note("the `share`", share.span),),
        )
    if share.policy != policy:
        raise p.mistake(
            "SQ106",
            f"the program shares by one policy, and the relation above says `{share.policy}`",
            reader,
            notes=(Note("the relation above", share.span),),
        )
