"""Random expressions for the place they stand in: a statement, a header, a key, a cost, a gauge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.fuzz.programs.chance import Chance
from tests.fuzz.programs.deployment import Deployment, Pool, Stage

PURE = ("n", "K", "z", "serial", "turn_no", "computed", "new", "more")
"""Attributes never set from live state: a header may read them."""

EVICTED = ("size", "age", "last", "waiting")
RESIDENTS = ("residents", "decoders", "kv_decode", "kv_prefill")
SCHEDULED = ("tokens", "prefilled", "attention", *RESIDENTS)
RESIDENT = ("decoding", "admission", "remaining", *RESIDENTS)

STRANGE = ("0 / 0", "-(0 / 0)", "inf", "-inf", "(inf - inf)", "sqrt(-1)", "ln(-1)", "1 / 0", "-0",
           "pow(-2, 0.5)", "-3", "ln(0)", "exp(1000)", "0 * inf", "1e-300 ^ 2")  # fmt: skip


@dataclass(frozen=True)
class Place:
    """What may be read where an expression stands."""

    names: tuple[str, ...]
    draws: bool = False
    session: bool = False
    """Whether there is a session: its own prefix, and members by its index attributes."""
    state: bool = True
    """Whether it reads pools and stages."""
    plans: bool = False
    """Whether it may read `budget_left`."""


def statement_place(deployment: Deployment, cached: bool, live: Sequence[str] = ()) -> Place:
    """In a statement of the session; `live` are attributes set from live state."""
    names = (*PURE, "o", "now", "t0", *live, *(("cached",) if cached else ()))
    if deployment.trace:
        names = (*names, "out", "think", "forced")
    return Place(names, draws=True, session=True, plans=True)


def header_place(deployment: Deployment) -> Place:
    """In a hold's units, reserve or reuse."""
    names = (*PURE, "now") if deployment.hidden else (*PURE, "o", "now")
    return Place(names, draws=True, session=True, plans=True)


def workload_place(deployment: Deployment) -> Place:
    """In an `init` or `turn` block."""
    names = ("serial", "turn_no", "now", "K") + (("new", "think") if deployment.trace else ())
    return Place(names, draws=True, session=True)


def eviction_place(spill: bool) -> Place:
    """In an eviction key (where a draw has no order in the reference) or a spill clause."""
    return Place((*EVICTED, *EVICTED, "now", "n", "K", "serial"), draws=spill)


QUEUE_KEY = Place((*PURE[:5], "waited", "now"))
SERVE_KEY = Place((*RESIDENT, *RESIDENT, "now", "n", "K", "serial"), state=False)
COST = Place(SCHEDULED, draws=True)
BUDGET = Place(RESIDENTS, draws=True)
CAPACITY = Place(("present", "present", "now"), draws=True)
GAUGE = Place(())


@dataclass(frozen=True)
class Writer:
    """Writes expressions for one program."""

    chance: Chance
    deployment: Deployment

    def member(self, item: Pool | Stage, place: Place | None = None) -> str:
        """A pool or stage as a reference: an array's with an index."""
        if not item.members:
            return item.name
        chance = self.chance
        index = f"{chance.whole(0, item.members - 1)}"
        if place is not None and place.session and chance.often(0.8):
            own = self.deployment.indices.get(item.members, "0")
            index = chance.pick(
                *[own] * 6,
                f"serial - {item.members} * floor(serial / {item.members})",
                f"min(turn_no, {item.members - 1})",
            )
            if chance.often(0.01):
                index = "turn_no"
        return f"{item.name}[{index}]"

    def observable(self, place: Place) -> str:
        """Something of a pool or stage."""
        chance = self.chance
        pool = self.member(chance.one(self.deployment.pools), place)
        stage = self.member(chance.one(self.deployment.stages), place)
        options = [
            f"used({pool})", f"free({pool})", f"queued({pool})", f"used({pool})",
            f"queue({stage})", f"busy({stage})", f"queue({stage})",
            f"est_lambda({stage})", f"est_rho({stage})", f"est_wait({stage})",
        ]  # fmt: skip
        if chance.often(0.5):
            options.append(f"holders({pool})")
        if place.names:
            options.append(f"price({stage}, {chance.one(place.names)}, {chance.whole(1, 5)})")
        if place.session or "size" in place.names:
            options += [f"cachedin({pool})"] * 2
        steps = self.deployment.of_kind("step")
        if place.plans and steps:
            options += [f"budget_left({self.member(chance.one(steps), place)})"] * 2
        if self.deployment.indices and chance.often(0.3):
            options.append(self.aggregate())
        return chance.one(options)

    def aggregate(self) -> str:
        """An aggregate over the members of an array."""
        chance = self.chance
        arrays = [p for p in self.deployment.pools if p.members > 1]
        if not arrays:
            return "0"
        array = chance.one(arrays)
        function = chance.pick("used", "free", "queued")
        word = chance.pick("max", "min", "sum")
        return f"({word} m in {array.members} ({function}({array.name}[m])))"

    def number(self) -> str:
        """A constant."""
        if self.chance.often(0.06):
            return self.chance.pick("0", "-1", "1e-3", "inf", "C", "1e6")
        return self.chance.pick("0.5", "1", "2", "3", "4", "7", "0.1", "C")

    def leaf(self, place: Place) -> str:
        """A name, a number, a draw or an observable."""
        chance = self.chance
        if chance.often(chance.wild):
            return chance.one(STRANGE)
        if place.state and chance.often(0.3 if place.names else 0.8):
            return self.observable(place)
        if place.draws and chance.often(0.08):
            return chance.pick(
                "~exp(2)",
                "~uniform(0, 3)",
                "~bernoulli(0.5)",
                "~erlang(2, 3)",
                "~h2(1, 4)",
                "~det(2)",
            )
        if place.names and chance.often(0.75):
            return chance.one(place.names)
        return self.number()

    def value(self, place: Place, depth: int = 2) -> str:
        """Any expression."""
        chance = self.chance
        if depth == 0 or chance.often(0.35):
            return self.leaf(place)
        if chance.often(0.25):
            return self.test(place, depth)
        a, b = self.value(place, depth - 1), self.value(place, depth - 1)
        if chance.often(0.12):
            return f"({self.test(place, depth - 1)} ? {a} : {b})"
        if chance.often(0.1):
            c = self.leaf(place)
            return chance.pick(
                f"abs({a})",
                f"sqrt(abs({a}))",
                f"ln(1 + abs({a}))",
                f"-({a})",
                f"exp(-abs({c}))",
                f"pow({c}, 2)",
                f"({c}) ^ 2",
                f"ceil({a})",
            )
        return chance.pick(
            f"({a} + {b})", f"({a} - {b})", f"half({a})",
            f"{self.number()} * ({a})", f"({a}) / (1 + abs({b}))",
            f"min({a}, {b})", f"max({a}, {b})", f"floor({a})", f"({a}) * ({b})",
            *([f"({a}) / ({b})"] if chance.often(0.1) else []),
        )  # fmt: skip

    def test(self, place: Place, depth: int = 1) -> str:
        """An expression that is 0 or 1."""
        chance = self.chance
        if chance.often(0.15):
            a, b = self.test(place, 0), self.test(place, 0)
            return f"({a} {chance.pick('&&', '||')} {b})"
        if chance.often(0.08):
            return f"!({self.value(place, 0)})"
        a, b = self.value(place, max(depth - 1, 0)), self.leaf(place)
        return f"({a} {chance.pick('<', '<=', '>', '>=', '==', '!=')} {b})"

    def between(self, place: Place, low: float, high: float) -> str:
        """An expression kept within two bounds."""
        return f"min(max({self.value(place)}, {low:g}), {high:g})"

    def keys(self, place: Place) -> str:
        """One to three keys."""
        return ", ".join(self.key(place) for _ in range(self.chance.pick(1, 1, 2, 3)))

    def key(self, place: Place) -> str:
        """A key: coarse ones tie, so that the declared order decides."""
        chance = self.chance
        value = self.value(place)
        return chance.pick(
            value,
            f"-({value})",
            f"floor(({value}) / 2)",
            self.leaf(place),
            self.test(place),
            f"-{chance.one(place.names)}",
        )
