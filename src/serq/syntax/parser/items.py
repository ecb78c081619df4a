"""The items of a program (contract §2, *item*), and the program they make.

What few programs have, queues and what goes with them, is loaded by those that have it.
"""

from __future__ import annotations

from dataclasses import field

from serq.diagnostics import Note, Source, Span, nearest
from serq.records import Draft
from serq.syntax import ast
from serq.syntax.parser.declarations import parse_def
from serq.syntax.parser.expressions import parse_expression
from serq.syntax.parser.libraries import Libraries
from serq.syntax.parser.names import expect_new_name
from serq.syntax.parser.options import parse_choice
from serq.syntax.parser.pools import parse_pool
from serq.syntax.parser.recovery import begins_item, report_missing_semicolon, skip_item
from serq.syntax.parser.stages import parse_stage
from serq.syntax.parser.state import Parser, Side, UnclosedError, UnparsableError
from serq.syntax.parser.statements import parse_block
from serq.syntax.parser.workload import RunParts, parse_run_options, parse_workload
from serq.syntax.tokens import Kind, Token
from serq.vocabulary.keywords import ITEMS


class Items(Draft):
    """What a program has declared so far."""

    libraries: Libraries
    lets: list[ast.Let] = field(default_factory=list)
    pools: list[ast.Pool] = field(default_factory=list)
    stages: list[ast.Stage] = field(default_factory=list)
    gauges: list[ast.Gauge] = field(default_factory=list)
    queues: dict[str, ast.Queue] = field(default_factory=dict)
    pulls: list[ast.Pull] = field(default_factory=list)
    share: ast.Share | None = None
    workload: ast.Workload | None = None
    session: ast.Block | None = None
    session_word: Token | None = None
    server: ast.Block | None = None
    server_word: Token | None = None
    run: RunParts = field(default_factory=RunParts)

    def has_session(self) -> bool:
        """Whether the session at top level says anything."""
        return self.session is not None and bool(self.session.statements)

    def program(self, source: Source) -> ast.Program:
        """The program, whichever side its session was written on."""
        client = self.workload.session if self.workload is not None else None
        return ast.Program(
            tuple(self.lets),
            tuple(self.pools),
            tuple(self.stages),
            tuple(self.gauges),
            self.share,
            self.workload,
            client if client is not None else self.session,
            self.server,
            self.run.options(),
            Span(source, 0, len(source.text)),
            tuple(self.queues.values()),
            tuple(self.pulls),
        )


def parse_items(p: Parser, items: Items) -> None:
    """Every item up to the end of the text; one that can not be read is read over."""
    while not p.at_kind(Kind.END):
        before = p.taken
        try:
            _parse_item(p, items)
        except (UnparsableError, UnclosedError) as error:
            p.levels, p.doubtful = 0, False
            if p.taken == before:
                p.advance()
            if isinstance(error, UnparsableError):
                skip_item(p)


def _parse_item(p: Parser, items: Items) -> None:
    word = p.peek()
    match word.text if word.kind is Kind.NAME else "":
        case "let":
            items.lets.append(_parse_let(p))
        case "use":
            items.libraries.parse_use(p)
        case "def":
            parse_def(p)
        case "pool":
            items.pools.append(parse_pool(p))
        case "stage":
            items.stages.append(parse_stage(p))
        case "gauge":
            items.gauges.append(_parse_gauge(p))
        case "share":
            items.share = _parse_share(p, items.share)
        case "workload":
            items.workload = _parse_workload(p, items.workload)
        case "session":
            items.session, items.session_word = _parse_session(p, items.session), word
        case "server":
            items.server, items.server_word = _parse_server(p, items.server), word
        case "run":
            parse_run_options(p, items.run)
        case "queue":
            _parse_queue(p, items)
        case _ if word.kind is Kind.NAME and p.at("pull", 1):
            _parse_pull(p, items)
        case _:
            _refuse_item(p, word)


def _parse_let(p: Parser) -> ast.Let:
    """`let NAME = expression;`."""
    word = p.advance()
    name = expect_new_name(p, "the name of a constant after `let`")
    try:
        p.expect("=", f"after `let {name.text}`")
        let = ast.Let(name.text, parse_expression(p), p.from_last(word.span), name.span)
        end_item(p, word)
    except UnparsableError:
        p.constants.doubtful.add(name.text)
        raise
    p.constants.declare(let)
    return let


def end_item(p: Parser, word: Token) -> None:
    """Take the `;` that ends an item, or say that it is missing and go on."""
    if p.accept(";"):
        return
    report_missing_semicolon(p, word)
    if not begins_item(p):
        raise UnparsableError


def _parse_gauge(p: Parser) -> ast.Gauge:
    """`gauge NAME = expression;`."""
    word = p.advance()
    name = p.expect_name("the name of a gauge after `gauge`")
    p.expect("=", f"after `gauge {name.text}`")
    value = parse_expression(p)
    gauge = ast.Gauge(name.text, value, p.from_last(word.span), name.span)
    end_item(p, word)
    return gauge


def _parse_share(p: Parser, before: ast.Share | None) -> ast.Share:
    """`share maxmin;` or `share bottleneck;`, once."""
    from serq.syntax.parser.pulls import POLICIES

    if before is not None:
        raise p.mistake(
            "SQ106", "the program says twice how stages are shared", notes=_first(before.span)
        )
    word = p.advance()
    policy = parse_choice(p, "share", POLICIES)
    share = ast.Share(policy, p.from_last(word.span))
    end_item(p, word)
    return share


def _parse_workload(p: Parser, before: ast.Workload | None) -> ast.Workload:
    if before is not None:
        p.advance()
        raise p.mistake("SQ202", "the program has two `workload` blocks", notes=_first(before.span))
    return parse_workload(p)


def _parse_session(p: Parser, before: ast.Block | None) -> ast.Block:
    """`session { … }`; one without a statement gives way to another."""
    p.advance()
    if before is not None and before.statements:
        raise p.mistake("SQ202", "the program has two `session` blocks", notes=_first(before.span))
    p.side = Side.SESSION
    return parse_block(p, "`session`")


def _parse_server(p: Parser, before: ast.Block | None) -> ast.Block:
    """`server { … }`, once."""
    if before is not None:
        raise p.mistake("SQ202", "the program has two `server` blocks", notes=_first(before.span))
    p.advance()
    p.side = Side.SERVER
    return parse_block(p, "`server`")


def _first(span: Span) -> tuple[Note, ...]:
    return (Note("the first one", span),)


def _parse_queue(p: Parser, items: Items) -> None:
    """`queue …`: its pools, stages and the constant of its latency are the program's."""
    from serq.syntax.parser.queues import parse_queue

    station = parse_queue(p, items.queues, len(items.lets))
    items.queues[station.name.text] = station.queue()
    items.pools.extend(station.pools.values())
    items.stages.extend(station.stages)
    if station.latency is not None:
        items.lets.append(station.latency)


def _parse_pull(p: Parser, items: Items) -> None:
    """`READER pull SOURCE …;`: it says how the program shares, and declares a wait."""
    from serq.syntax.parser.pulls import parse_pull

    word = p.peek()
    relation = parse_pull(p, items.queues, items.pulls, items.share)
    items.pulls.append(relation.pull)
    items.share = relation.share
    if relation.wait is not None and relation.time is not None:
        items.stages.append(relation.wait)
        items.lets.append(relation.time)
    end_item(p, word)


def _refuse_item(p: Parser, word: Token) -> None:
    guess = nearest(word.text, ITEMS) if word.kind is Kind.NAME else None
    if p.braces_lost and guess is None:
        raise UnparsableError
    p.braces_lost |= word.text in ("{", "}")
    raise p.mistake(
        "SQ110",
        f"expected an item of the program, found {word.describe()}",
        help=f"did you mean `{guess}`?" if guess else f"items are {p.one_of(ITEMS)}",
    )
