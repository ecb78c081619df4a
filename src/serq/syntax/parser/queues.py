"""`queue` (contract §2, *Queues*): a station with its pools, its stage, its NIC and its entries.

The pools and stages of a queue become the program's under their long names here; what the entries
may read and what their calls mean is the linker's. Depends on the parser's state, the pools and
stages, and the statements.
"""

from __future__ import annotations

from dataclasses import field, replace

from serq.diagnostics import Note, Span, nearest
from serq.records import Draft
from serq.syntax import ast
from serq.syntax.parser.entries import check_entry, parse_entry
from serq.syntax.parser.expressions import parse_expression
from serq.syntax.parser.options import end_option, parse_options
from serq.syntax.parser.pools import end_pool
from serq.syntax.parser.sizes import parse_size
from serq.syntax.parser.stages import parse_kind
from serq.syntax.parser.state import Parser
from serq.syntax.tokens import Kind, Token
from serq.vocabulary.roles import QUEUE_PARTS, ROLES, SERVING_WORDS, VERBS


class Station(Draft):
    """What a queue has declared so far; `lets` counts the program's constants above it."""

    first: Token
    name: Token
    size: int | None
    size_span: Span | None
    lets: int
    roles: list[str] = field(default_factory=list)
    pools: dict[str, ast.Pool] = field(default_factory=dict)
    stages: list[ast.Stage] = field(default_factory=list)
    serve: ast.Stage | None = None
    nic: ast.Stage | None = None
    latency: ast.Let | None = None
    entries: list[ast.Entry] = field(default_factory=list)

    def queue(self) -> ast.Queue:
        """The queue, its parts apart."""
        engine = self.serve is not None and isinstance(self.serve.kind, ast.Step)
        return ast.Queue(
            self.name.text,
            self.size,
            tuple(self.roles),
            tuple(self.pools),
            self.serve is not None,
            engine,
            self.nic is not None,
            self.latency is not None,
            tuple(self.entries),
            self.first.span,
            self.name.span,
        )


def parse_queue(p: Parser, known: dict[str, ast.Queue], lets: int) -> Station:
    """`queue NAME [size] : ROLE, … { parts }`."""
    first = p.advance()
    name = p.expect_name("the name of a queue after `queue`")
    if name.text in SERVING_WORDS:
        raise p.mistake(
            "SQ108",
            f"`{name.text}` is a word of the serving vocabulary and can not name a queue",
            name,
            help="give the queue a name of its own",
        )
    size, size_span = parse_size(p, name)
    station = Station(first, name, size, size_span, lets)
    if p.accept(":"):
        _parse_roles(p, station)
    p.queue, p.queue_serves = name, False
    what = f"the queue `{name.text}`"
    legal = (*QUEUE_PARTS, *VERBS)
    if not p.at("{"):
        p.expect("{", f"after {what}")
    sound = parse_options(p, what, legal, lambda: _parse_part(p, station))
    if name.text in known:
        raise p.mistake(
            "SQ202",
            f"there is a queue `{name.text}` already; each queue has a name of its own",
            name,
            notes=(Note("the first one", known[name.text].name_span),),
        )
    if sound:
        _check(p, station)
    if station.latency is not None:
        _add_stage(p, station, "latency", ast.Delay(station.latency.span))
    return station


def _parse_roles(p: Parser, station: Station) -> None:
    while True:
        role = p.expect_name("a role of the queue")
        if role.text not in ROLES:
            guess = nearest(role.text, ROLES)
            raise p.mistake(
                "SQ111",
                f"`{role.text}` is no role: a queue plays {p.one_of(ROLES)}",
                role,
                help=f"did you mean `{guess}`?" if guess else None,
            )
        if role.text in station.roles:
            raise p.mistake("SQ106", f"the queue plays `{role.text}` already", role)
        station.roles.append(role.text)
        if not p.accept(","):
            return


def _parse_part(p: Parser, station: Station) -> None:
    word = p.peek()
    match word.text if word.kind is Kind.NAME else "":
        case "pool":
            _parse_pool(p, station)
        case "serve":
            _parse_serve(p, station)
        case "nic":
            _parse_nic(p, station)
        case "":
            raise p.mistake(
                "SQ101",
                f"expected `pool`, `serve`, `nic` or an entry of the queue `{station.name.text}`,"
                f" found {word.describe()}",
            )
        case _:
            entry = parse_entry(p, station.lets)
            check_entry(p, entry, station.roles, station.entries)
            station.entries.append(entry)


def _parse_pool(p: Parser, station: Station) -> None:
    """`pool NAME { options }`, one for each member of the queue."""
    first = p.advance()
    name = p.expect_name("the name of a pool after `pool`")
    if p.at("["):
        raise p.mistake(
            "SQ403",
            f"the pool `{name.text}` is no array: every member of `{station.name.text}` has one",
            name,
            help=f"write `pool {name.text} {{ … }}`",
        )
    long_name = ast.pool_of(station.name.text, name.text)
    pool = end_pool(p, first, name, long_name, (station.size, station.size_span))
    before = station.pools.get(name.text)
    if before is not None:
        p.report(
            "SQ202",
            f"the queue `{station.name.text}` has a pool `{name.text}` already",
            name,
            notes=(Note("the first one", before.name_span),),
        )
    elif station.serve is not None or station.entries:
        p.report(
            "SQ147",
            f"the queue `{station.name.text}` declares its pools first, above its `serve` and its"
            " entries",
            first,
        )
    station.pools.setdefault(name.text, pool)


def _parse_serve(p: Parser, station: Station) -> None:
    """`serve kind [latency expression];`: the queue's stage, named after the queue."""
    word = p.advance()
    kind = parse_kind(p, station.name)
    if isinstance(kind, ast.Step) and kind.memory is not None and kind.memory.name in station.pools:
        own = ast.pool_of(station.name.text, kind.memory.name)
        kind = replace(kind, memory=ast.Name(own, kind.memory.span))
    if p.at("latency"):
        _parse_latency(p, station)
    _end_stage(p, word, kind)
    _check_place(p, station, word, station.serve)
    span = p.from_last(word.span)
    name = station.name
    station.serve = ast.Stage(name.text, station.size, kind, span, name.span, station.size_span)
    station.stages.append(station.serve)
    p.queue_serves = True
    p.stages += 1


def _parse_latency(p: Parser, station: Station) -> None:
    """`latency expression`: a constant, the wait of a link before a transfer."""
    word = p.advance()
    value = parse_expression(p)
    if "link" not in station.roles:
        p.report(
            "SQ149",
            "`latency` is the wait of a link before a transfer, and the queue"
            f" `{station.name.text}` plays no `link`",
            word,
        )
        return
    name = ast.time_of(ast.pool_of(station.name.text, "latency"))
    station.latency = ast.Let(name, value, p.from_last(word.span), value.span)
    p.constants.declare(station.latency)


def _parse_nic(p: Parser, station: Station) -> None:
    """`nic kind;`: the stage `QUEUE.nic`."""
    word = p.advance()
    kind = parse_kind(p, station.name)
    _end_stage(p, word, kind)
    _check_place(p, station, word, station.nic)
    station.nic = _add_stage(p, station, "nic", kind)


def _end_stage(p: Parser, word: Token, kind: ast.StageKind) -> None:
    if isinstance(kind, ast.Step):
        p.accept(";")
    else:
        end_option(p, word)


def _check_place(p: Parser, station: Station, word: Token, before: ast.Stage | None) -> None:
    """A queue has one `serve` and one `nic`, above its entries."""
    if before is not None:
        raise p.mistake(
            "SQ106",
            f"the queue `{station.name.text}` has two `{word.text}`",
            word,
            notes=(Note("the first one", before.span),),
        )
    if station.entries:
        p.report(
            "SQ147",
            f"the queue `{station.name.text}` declares its `{word.text}` above its entries",
            word,
        )


def _add_stage(p: Parser, station: Station, part: str, kind: ast.StageKind) -> ast.Stage:
    name = ast.pool_of(station.name.text, part)
    stage = ast.Stage(name, station.size, kind, kind.span, station.name.span, station.size_span)
    station.stages.append(stage)
    p.stages += 1
    return stage


def _check(p: Parser, station: Station) -> None:
    """What a queue of its roles must have."""
    name, entries = station.name.text, station.entries
    if "gateway" in station.roles and station.size is not None:
        raise p.mistake(
            "SQ403",
            f"the gateway `{name}` is no family: the requests enter one queue",
            station.first,
        )
    verbs = {entry.verb for entry in entries if entry.source is None}
    for role in station.roles:
        needed = ROLES[role]
        if needed.verb in verbs or role == "link":
            continue
        local = " without `from`" if needed.takes_source else ""
        raise p.mistake(
            "SQ107",
            f"the queue `{name}` plays `{role}` and has no `{needed.verb}` entry{local}",
            station.first,
            help=f"a `{role}` has `{needed.example}`",
        )
    if "link" not in station.roles:
        return
    if station.serve is None and "transfer" not in verbs:
        raise p.mistake(
            "SQ107",
            f"the link `{name}` has neither a `serve` nor a `transfer` entry: nothing says how"
            " long a transfer takes",
            station.first,
        )
    if station.latency is not None and "transfer" in verbs:
        raise p.mistake(
            "SQ149",
            f"the link `{name}` has a `latency` and a `transfer` entry: what is called waits in its"
            " body",
            station.first,
            notes=(Note("the latency", station.latency.span),),
        )
