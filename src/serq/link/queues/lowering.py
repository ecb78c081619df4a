"""A program with queues to the same program without: every entry in the place of its calls, every
`transfer` as what it stands for (contract §2, *Queues*).

A program has at most 100,000 statements put in place by calls, and entries do not call each other
in a cycle. Depends on calls, scopes, transfers, and the checks of entries and names.
"""

from __future__ import annotations

from dataclasses import field, replace

from serq.diagnostics import Note, Span, nearest
from serq.ir.recursion import Recursive, run
from serq.link.queues.calls import enter, scope_of
from serq.link.queues.names import check_holds, check_names
from serq.link.queues.scope import Scope, TooMuchError, Written
from serq.link.queues.sees import check_entry
from serq.link.queues.stations import ROUTE, Stations
from serq.link.queues.transfers import lower_transfer
from serq.link.unit import Unit
from serq.records import Draft
from serq.syntax import ast

MOST_STATEMENTS = 100_000
"""Statements that all calls together may put in place."""

MOST_CALLS = 200
"""Calls inside one another."""


def lowered(unit: Unit, program: ast.Program) -> ast.Program:
    """The program without queues; what is wrong with them is in the unit's findings."""
    stations = Stations(program)
    for queue in program.queues:
        for entry in queue.entries:
            if entry.verb != ROUTE:
                check_entry(unit, stations, queue, entry)
    check_names(unit, stations)
    check_holds(unit, stations)
    lowering = Lowering(unit, stations)
    scope = Scope(unit, written=Written())
    session, server = program.session, program.server
    try:
        session = None if session is None else run(lowering.block(session, scope))
        server = None if server is None else run(lowering.block(server, scope))
    except TooMuchError:
        return program
    return replace(program, session=session, server=server, queues=(), pulls=())


class Lowering(Draft):
    """The blocks of one program on their way to the kernel's statements."""

    unit: Unit
    stations: Stations
    put: int = 0
    open: list[tuple[ast.Entry, Span]] = field(default_factory=list)
    """The entries being put in place and their calls, each inside the one before."""

    def block(self, block: ast.Block, scope: Scope) -> Recursive[ast.Block]:
        """A block as it reads in a scope."""
        statements: list[ast.Statement] = []
        for statement in block.statements:
            statements.extend((yield self._statement(statement, scope)))
        if scope.entry is not None:
            self._count(len(statements))
        return ast.Block(tuple(statements), block.span)

    def _count(self, statements: int) -> None:
        self.put += statements
        if self.put > MOST_STATEMENTS:
            self.unit.findings.report(
                "SQ125",
                f"this call and those above put more than {MOST_STATEMENTS:,} statements in place",
                self.open[0][1],
            )
            raise TooMuchError

    def _statement(
        self, statement: ast.Statement, scope: Scope
    ) -> Recursive[tuple[ast.Statement, ...]]:
        """What a statement stands for in a scope."""
        match statement:
            case ast.Hold():
                return ((yield self._hold(statement, scope)),)
            case ast.Loop():
                return (replace(statement, body=(yield self.block(statement.body, scope))),)
            case ast.Branch():
                then = yield self.block(statement.then, scope)
                otherwise = statement.otherwise
                if otherwise is not None:
                    otherwise = yield self.block(otherwise, scope)
                test = scope.expression(statement.test)
                return (replace(statement, test=test, then=then, otherwise=otherwise),)
            case ast.EntryCall():
                called: tuple[ast.Statement, ...] = yield self._call(statement, scope)
                return called
            case ast.Request(gateway=ast.Name()):
                route = self._gateway(statement, scope)
                entered: tuple[ast.Statement, ...] = yield self._splice(route, statement.span)
                return entered
            case ast.Transfer():
                return lower_transfer(self.unit, self.stations, statement, scope)
            case _:
                return self._simple(statement, scope)

    def _call(self, call: ast.EntryCall, outer: Scope) -> Recursive[tuple[ast.Statement, ...]]:
        """The entry's body; over a link the KV arrives then, and its source is given back."""
        inner = enter(self.unit, self.stations, call, outer)
        put = yield self._splice(inner, call.span)
        if inner is None or call.target is None or call.tokens is None or inner.source is None:
            return (*put,)
        tokens = outer.expression(call.tokens)
        load = ast.Load(outer.pool(call.target), tokens, call.span)
        return (*put, load, ast.Release(inner.source.pool, call.span))

    def _hold(self, hold: ast.Hold, outer: Scope) -> Recursive[ast.Hold]:
        scope = outer.binding(frozenset(binding.name for binding in hold.bindings))
        pools = tuple(
            replace(
                pool,
                pool=outer.pool(pool.pool),
                units=scope.expression(pool.units),
                reserve=None if pool.reserve is None else scope.expression(pool.reserve),
            )
            for pool in hold.pools
        )
        bindings = tuple(
            replace(
                binding,
                name=scope.attribute(binding.name),
                value=scope.expression(binding.value),
            )
            for binding in hold.bindings
        )
        body = yield self.block(hold.body, scope)
        lease = hold.lease
        if lease is not None:
            lease = replace(lease, pool=outer.pool(lease.pool), time=scope.expression(lease.time))
        return replace(
            hold,
            pools=pools,
            bindings=bindings,
            reuse=None if hold.reuse is None else scope.expression(hold.reuse),
            body=body,
            cache=None if hold.cache is None else scope.expression(hold.cache),
            lease=lease,
        )

    def _gateway(self, request: ast.Request, outer: Scope) -> Scope | None:
        """The scope of the route a request enters; None, with a finding, when there is none."""
        assert request.gateway is not None
        name = request.gateway.name
        queue = self.stations.queues.get(name)
        gateways = [each.name for each in self.stations.queues.values() if "gateway" in each.roles]
        guess = nearest(name, gateways)
        listed = ", ".join(f"`{each}`" for each in gateways)
        help = f"did you mean `{guess}`?" if guess else f"the gateways are {listed}"
        if queue is None:
            self.unit.findings.report(
                "SQ220",
                f"`request {name}` names a gateway, and no queue `{name}` is declared",
                request.gateway.span,
                help=help if gateways else "the program declares no gateway",
            )
            return None
        if "gateway" not in queue.roles:
            self.unit.findings.report(
                "SQ222",
                f"`request {name}` names a gateway, and the queue `{name}` plays none",
                request.gateway.span,
                notes=[Note(f"`{name}` is declared here", queue.name_span)],
                help=help if gateways else f"declare it with `queue {name} : gateway`",
            )
            return None
        route = next(entry for entry in queue.entries if entry.verb == ROUTE)
        return scope_of(self.unit, queue, route, request, outer)

    def _splice(self, scope: Scope | None, call: Span) -> Recursive[tuple[ast.Statement, ...]]:
        """The body of the entry a scope is of, in the place of its call."""
        if scope is None or scope.entry is None or scope.queue is None:
            return ()
        entry, name = scope.entry, f"{scope.queue.name}.{scope.entry.verb}"
        if any(entry is each for each, _ in self.open):
            self.unit.findings.report(
                "SQ145",
                f"`{name}` is called from within itself: entries call each other in a cycle",
                call,
                notes=[Note("the entry", entry.span)],
            )
            return ()
        if len(self.open) >= MOST_CALLS:
            found = f"more than {MOST_CALLS} calls of entries stand inside one another"
            self.unit.findings.report("SQ112", found, call)
            return ()
        self.open.append((entry, call))
        block = yield self.block(entry.body, scope)
        self.open.pop()
        return (ast.Splice(name, block, call),)

    def _simple(self, statement: ast.Statement, scope: Scope) -> tuple[ast.Statement, ...]:
        """A statement that holds no block and calls nothing."""
        if scope.queue is None:
            return (statement,)
        expression = scope.expression
        match statement:
            case ast.Set():
                name, value = scope.attribute(statement.name), expression(statement.value)
                return (replace(statement, name=name, value=value),)
            case ast.Observe():
                return (replace(statement, value=expression(statement.value)),)
            case ast.Choose():
                return (
                    replace(
                        statement,
                        name=scope.attribute(statement.name),
                        count=expression(statement.count),
                        keys=tuple(expression(key) for key in statement.keys),
                    ),
                )
            case ast.Mark():
                moment = ast.pool_of(scope.queue.name, statement.name)
                now = ast.Name("now", statement.span)
                return (ast.Set(moment, now, statement.span, statement.name_span),)
            case ast.Grow() | ast.Load():
                units = expression(statement.units)
                return (replace(statement, pool=scope.pool(statement.pool), units=units),)
            case ast.Drop() | ast.Release():
                return (replace(statement, pool=scope.pool(statement.pool)),)
            case ast.Run():
                return (self._run(statement, scope),)
            case ast.Serving():
                return self._serving(statement, scope)
            case _:
                return (statement,)

    def _run(self, statement: ast.Run, scope: Scope) -> ast.Run:
        """A run on the stages it names, or on the queue's own."""
        assert scope.queue is not None
        stages = tuple(scope.stage(stage) for stage in statement.stages)
        return replace(
            statement,
            stages=stages or (scope.member(scope.queue.name, statement.span),),
            work=scope.expression(statement.work),
            growing=None if statement.growing is None else scope.pool(statement.growing),
        )

    def _serving(self, form: ast.Serving, scope: Scope) -> tuple[ast.Statement, ...]:
        """A serving form; one that names no stage finds the queue's engine."""
        queue = scope.queue
        assert queue is not None
        on = None if form.on is None else scope.stage(form.on)
        index = None
        if form.index is not None:
            index = scope.expression(form.index, in_index=True)
        if on is None and index is None and queue.serves and form.role != "tool":
            on = scope.member(queue.name, form.role_span)
            if not queue.engine:
                self.unit.findings.report(
                    "SQ114",
                    f"`{form.role}` runs on the stage of its queue, and the stage of"
                    f" `{queue.name}` is no step engine",
                    form.role_span,
                    notes=[Note(f"`{queue.name}` is declared here", queue.name_span)],
                    help=f"write `run (…)`, or name the stage: `{form.role} on STAGE (…)`",
                )
                return ()
        growing = None if form.growing is None else scope.pool(form.growing)
        work = scope.expression(form.work)
        return (replace(form, on=on, index=index, work=work, growing=growing),)
