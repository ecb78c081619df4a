"""Random statements: what a session does in a turn, in the scope of the holds around it."""

from __future__ import annotations

from dataclasses import replace

from tests.fuzz.programs.chance import Chance
from tests.fuzz.programs.deployment import Deployment, Pool, Stage
from tests.fuzz.programs.expressions import (
    Place,
    Writer,
    header_place,
    statement_place,
)
from tests.fuzz.programs.profile import Profile
from tests.fuzz.programs.request import write_request
from tests.fuzz.programs.scope import Held, Scope

LIVE = ("x", "y")
"""Attributes that take any value: no header reads them."""


class Session:
    """Writes the statements of one program."""

    def __init__(self, chance: Chance, profile: Profile, deployment: Deployment) -> None:
        self.chance = chance
        self.profile = profile
        self.deployment = deployment
        self.writer = Writer(chance, deployment)
        self.leased: list[str] = []
        self.observed = 0
        self.entered = 0

    # Blocks

    def statements(self, scope: Scope, count: int) -> list[str]:
        """Up to `count` statements."""
        written: list[str] = []
        for _ in range(count):
            kind = self.chance.weighted(self.profile.statements)
            text = getattr(self, f"write_{kind}")(scope)
            if text:
                written.append(text)
                scope = replace(scope, waits=scope.waits or kind in {"run", "flow"})
        return written

    def block(self, scope: Scope, count: int) -> str:
        """The same as a text."""
        return "\n".join(self.statements(scope, count))

    def place(self, scope: Scope) -> Place:
        """What an expression of a statement reads."""
        return statement_place(self.deployment, scope.cached, LIVE)

    @property
    def header(self) -> Place:
        """What a hold's header reads."""
        return header_place(self.deployment)

    def reference(self, item: Pool | Stage) -> str:
        """A pool or stage, by a session's own index if it is an array."""
        return self.writer.member(item, self.header)

    # Work

    def write_run(self, _scope: Scope) -> str:
        stage = self.chance.one(self.deployment.of_kind("fifo", "ps", "delay", "link"))
        anything = self.chance.often(max(0.1, self.chance.wild))
        work = self.writer.value(self.header) if anything else self.chance.time()
        if self.chance.often(0.15) and work in {"1", "0.5"}:
            return f"pause({work});"
        form = "tool on " if self.chance.often(0.15) else "run "
        return f"{form}{self.reference(stage)} ({work});"

    def write_flow(self, _scope: Scope) -> str:
        links = self.deployment.of_kind("link")
        if not links:
            return ""
        chosen = self.chance.shuffled(links)[: self.chance.whole(2, len(links))]
        names = ", ".join(self.reference(stage) for stage in chosen)
        return f"run {names} ({self.chance.pick(self.chance.time(), 'n', 'n / 2')});"

    def write_step(self, scope: Scope) -> str:
        steps = self.deployment.of_kind("step")
        if not steps:
            return ""
        stage = self.chance.one(steps)
        near = [held for held in scope.held if held.pool.use != "slots"]
        own = [held for held in near if held.pool.name == stage.memory]
        growing = ""
        if near and self.chance.often(0.8):
            growing = f" growing {self.chance.one(own or near).reference}"
        work = self.chance.pick("n", "o", "3", "1", "max(n - 1, 1)", "o / 2", "min(K, 5)")
        return self.serve(stage, self.reference(stage), "", f"({work}){growing};")

    def serve(self, stage: Stage, engine: str, mode: str, rest: str) -> str:
        """A run on an engine, as the kernel or as the serving vocabulary writes it."""
        mode = mode or self.chance.pick("prefill", "decode")
        if self.chance.often(0.7):
            return f"run {engine} {mode} {rest}"
        if len(self.deployment.of_kind("step")) == 1 and self.chance.often(0.7):
            return f"{mode}{engine.removeprefix(stage.name)} {rest}"
        return f"{mode} on {engine} {rest}"

    # Memory

    def write_grow(self, scope: Scope) -> str:
        near = [held for held in scope.held if held.pool.use != "slots"]
        if not near:
            return ""
        held = self.chance.one(near)
        amount = self.chance.pick("1", "2", "n", "n / 2", "3", "o", f"{held.pool.cap // 2}")
        if self.chance.often(0.1):
            amount = self.writer.between(self.place(scope), -1, held.pool.cap)
        if self.chance.often(self.chance.wild):
            amount = self.writer.value(self.place(scope))
        wait = "" if scope.waits else f"run idle ({self.chance.time()});\n"
        return f"{wait}grow {held.reference} ({amount});"

    def write_release(self, scope: Scope) -> str:
        names = [held.reference for held in scope.held] + self.leased
        return f"release {self.chance.one(names)};" if names else ""

    def write_load(self, scope: Scope) -> str:
        known = [held for held in scope.held if held.units]
        if not known or not scope.cached:
            return ""
        held = self.chance.one(known)
        amount = f"{held.units} - min(cached, {held.units})"
        return f"load {held.reference} ({self.chance.pick(amount, amount, f'({amount}) / 2')});"

    def write_drop(self, _scope: Scope) -> str:
        return f"drop {self.reference(self.chance.one(self.deployment.pools))};"

    def write_fetch(self, _scope: Scope) -> str:
        """A visit to the tier that evicted prefixes are written to."""
        tiers = [pool for pool in self.deployment.pools if pool.name == "tier"]
        if not tiers:
            return ""
        units = self.chance.pick("cachedin(tier)", "min(cachedin(tier), 3)", "2")
        cache = self.chance.pick("cache (n)", "cache (0)", "cache (cached)")
        return f"hold tier ({units}) {{ run svc{self._first('svc')} (0.5 + cached); }} {cache}"

    def _first(self, name: str) -> str:
        stage = next(stage for stage in self.deployment.stages if stage.name == name)
        return "[0]" if stage.members else ""

    def write_hold(self, scope: Scope) -> str:
        if scope.depth >= 3:
            return ""
        chance = self.chance
        around = {held.pool.name for held in scope.held}
        free = [pool for pool in self.deployment.pools if pool.name not in around]
        if chance.often(0.08):
            free = self.deployment.pools
        if not free:
            return ""
        chosen = chance.shuffled(free)[: chance.pick(1, 1, 2)]
        parts, held = [], []
        for pool in chosen:
            reference, (units, pure) = self.reference(pool), self.units(pool)
            reserve = chance.maybe(f" reserve ({self.units(pool)[0]})", 0.25)
            parts.append(f"{reference} ({units}){reserve}")
            held.append(Held(reference, pool, units if pure else ""))
        return self.hold_of(scope, parts, held)

    def hold_of(self, scope: Scope, parts: list[str], held: list[Held]) -> str:
        """A hold of these parts, with its clauses and a body."""
        chance = self.chance
        cache = ""
        if chance.often(0.65):
            cap = held[-1].pool.cap
            cache = chance.pick("n", "K + n", "K", "n + o", "0", f"{cap}", "K + n + o", "o / 2")
            if chance.often(max(0.15, 2 * chance.wild)):
                cache = self.writer.value(self.header)
            cache = f" cache ({cache})"
        reuse = chance.maybe(
            f" reuse ({chance.pick('4', 'n', '0', 'K', '2.5')})", 0.3 * bool(cache)
        )
        lease = self.lease(held)
        inner = Scope((*scope.held, *held), bool(cache), False, scope.depth + 1)
        body = self.block(inner, chance.whole(1, 3))
        if chance.often(0.4):
            body = f"run idle ({chance.time()});\n{body}"
        return f"hold {', '.join(parts)}{reuse} {{\n{body}\n}}{cache}{lease}"

    def lease(self, held: list[Held]) -> str:
        """A lease of one of the hold's pools, or nothing."""
        if not self.chance.often(self.profile.lease):
            return ""
        reference = self.chance.one(held).reference
        self.leased.append(reference)
        time = self.chance.pick("inf", "2", "0.5", "0", "~exp(2)", "z", "1")
        if self.chance.often(self.chance.wild):
            time = self.writer.value(self.header)
        return f" lease {reference} ({time})"

    def units(self, pool: Pool) -> tuple[str, bool]:
        """What a hold takes, and whether it is the same whenever it is read."""
        chance, cap = self.chance, pool.cap
        if pool.use == "slots":
            return "1", True
        if chance.often(chance.wild):
            return self.writer.value(self.header), False
        if chance.often(0.02):
            return chance.pick(f"{cap + 1}", "-1", "0 / 0", "K + n"), False
        if chance.often(0.15):
            return self.writer.between(self.header, 0, cap), False
        part = chance.whole(1, cap)
        return (
            chance.pick(
                f"{part}",
                f"min(n, {cap})",
                f"min(K + n, {cap})",
                "0",
                f"{part} / 2",
                f"min(n, {max(cap // 2, 1)})",
                f"min(n * 0.3, {cap})",
            ),
            True,
        )

    # Requests

    def write_request(self, scope: Scope) -> str:
        steps = [s for s in self.deployment.of_kind("step") if s.memory]
        around = {held.pool.name for held in scope.held}
        steps = [s for s in steps if s.memory not in around]
        if not steps or scope.depth >= 3:
            return ""
        return write_request(self, scope, self.chance.one(steps))

    # Control

    def write_branch(self, scope: Scope) -> str:
        chance = self.chance
        if scope.depth >= 4:
            return ""
        inner = replace(scope, depth=scope.depth + 1)
        guard = f"({self.writer.test(self.place(scope))})"
        if chance.often(0.3):
            guard = f"with ({chance.pick('0.5', '0.2', '1 / (1 + serial)')})"
        elif chance.often(0.02):
            guard = f"({self.writer.value(self.place(scope))})"
        then = self.block(inner, chance.whole(1, 2))
        if chance.often(0.06):
            then += "\nend;"
        otherwise = f" else {{\n{self.block(inner, 1)}\n}}" if chance.often(0.4) else ""
        return f"branch {guard} {{\n{then}\n}}{otherwise}"

    def write_choose(self, _scope: Scope) -> str:
        if not self.deployment.indices:
            return ""
        chance = self.chance
        size, name = chance.one(list(self.deployment.indices.items()))
        arrays = [p for p in self.deployment.pools if p.members == size]
        keys = ["~uniform(0, 1)", f"serial == {name}", f"-{name}", self.writer.leaf(self.header)]
        for pool in arrays:
            member = f"{pool.name}[{name}]"
            keys += [
                f"used({member})",
                f"-cachedin({member})",
                f"queued({member})",
                f"floor(used({member}) / 3)",
            ]
        for stage in self.deployment.stages:
            if stage.members == size:
                member = f"{stage.name}[{name}]"
                keys += [
                    f"queue({member})",
                    f"busy({member}) + queue({member})",
                    f"price({member}, K, n)",
                    f"est_wait({member})",
                ]
        chosen = ", ".join(chance.shuffled(keys)[: chance.pick(1, 1, 2)])
        return f"choose {name} in {size} by ({chosen});"

    def write_set(self, scope: Scope) -> str:
        chance = self.chance
        if chance.often(0.5):
            return f"set {chance.one(LIVE)} = {self.writer.value(self.place(scope))};"
        return f"set K = {chance.pick('K + n', 'min(K + n + o, 12)', '0', 'n', 'K / 2')};"

    def write_observe(self, scope: Scope) -> str:
        chance = self.chance
        if chance.often(0.06):
            stage = self.reference(chance.one(self.deployment.stages))
            return f"observe work = work({stage});"
        value = chance.pick(
            "now - t0",
            self.writer.value(self.place(scope)),
            self.writer.observable(self.place(scope)),
            "computed",
            "now",
        )
        if scope.cached and chance.often(0.2):
            value = "cached"
        self.observed += 1
        return f"observe v{chance.pick(self.observed, 1)} = {value};"
