"""A program as a queueing network: stops, edges with their labels, the pools around stops.

What a figure of the deployment shows, before anything has a place. Depends on the flow.
"""

from __future__ import annotations

from dataclasses import dataclass

from serq.ir.nodes import Hold, Number, Program, Step
from serq.view.flow import Flow, Kind, Stop, Way, computed_in
from serq.view.guards import label
from serq.view.order import arrange
from serq.view.units import Unit, Units
from serq.view.words import Words


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between stops, with what stands at it."""

    source: str
    target: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Pools that are held around the same stops."""

    pools: tuple[Unit, ...]
    members: frozenset[str]

    @property
    def key(self) -> str:
        """A name no other node has."""
        return "held " + " + ".join(pool.title for pool in self.pools)


@dataclass(frozen=True, slots=True)
class Tier:
    """Where a pool's evicted units go: over a stage, into another pool."""

    pool: Unit
    via: Unit
    to: Unit
    label: str


@dataclass(frozen=True, slots=True)
class Network:
    """The network of a program. `order` is the stops from left to right."""

    program: Program
    words: Words
    units: Units
    stops: dict[str, Stop]
    order: tuple[str, ...]
    links: tuple[Link, ...]
    enclosures: tuple[Enclosure, ...]
    admissions: tuple[Link, ...]
    tiers: tuple[Tier, ...]
    caching: frozenset[str]
    leases: dict[str, str]
    """How long a pool is leased, by the pool's key."""
    loose: tuple[Unit, ...]
    """Pools and stages that are not on the session's path, in the order of declaration."""


def network(program: Program) -> Network:
    """The network of a program."""
    units, words = Units(program), Words(program)
    flow = Flow(program, units, words)
    enclosures = _enclosures(flow)
    links = _links(flow)
    order = arrange(
        list(flow.stops),
        {f"gate {pool.key}": each.members for each in enclosures for pool in each.pools},
        [each.members for each in enclosures],
        [(link.source, link.target) for link in links],
    )
    shown = {pool for each in enclosures for pool in each.pools}
    now_and_then = {key for stop in flow.stops.values() for key in stop.ever}
    shown |= {
        unit
        for stop in flow.stops.values()
        for unit in stop.units
        if unit.kind == "stage" or unit.key not in now_and_then
    }
    return Network(
        program,
        words,
        units,
        flow.stops,
        tuple(order),
        links,
        enclosures,
        _admissions(program, units, flow),
        _tiers(program, units, words),
        _caching(program, units),
        _leases(program, units, words),
        tuple(unit for unit in [*units.stages(), *units.pools()] if unit not in shown),
    )


def _links(flow: Flow) -> tuple[Link, ...]:
    """One edge for all ways between two stops."""
    found: dict[tuple[str, str], list[Way]] = {}
    for way in flow.ways:
        found.setdefault((way.source, way.target), []).append(way)
    texts = {key: label((way.visit, way.guards) for way in ways) for key, ways in found.items()}
    for key, text in texts.items():
        if not text:
            texts[key] = _visit(flow.stops[key[0]], found, key)
    return tuple(Link(source, target, texts[source, target]) for source, target in found)


def _visit(stop: Stop, found: dict[tuple[str, str], list[Way]], key: tuple[str, str]) -> str:
    """After which visit of a stop an edge is taken, where others leave it after another."""
    others = [ways for other, ways in found.items() if other[0] == stop.key and other != key]
    mine = sorted({way.visit for way in found[key]})
    visits = {way.visit for ways in others for way in ways} | set(mine)
    if not stop.units or len(visits) < 2 or set(mine) == visits:
        return ""
    modes = [stop.modes[visit - 1] for visit in mine]
    rest = {stop.modes[visit - 1] for visit in visits - set(mine)}
    if stop.kind is not Kind.GATE and not rest & set(modes) and "plain" not in modes:
        return f"after {' or '.join(dict.fromkeys(modes))}"
    return f"visit {', '.join(str(visit) for visit in mine)}"


def _enclosures(flow: Flow) -> tuple[Enclosure, ...]:
    """Pools by the stops at whose every visit they are held."""
    members: dict[Unit, set[str]] = {}
    for stop in flow.stops.values():
        for pool in (stop.always or {}).values():
            members.setdefault(pool, set()).add(stop.key)
    groups: dict[frozenset[str], list[Unit]] = {}
    for pool, keys in members.items():
        groups.setdefault(frozenset(keys), []).append(pool)
    return tuple(Enclosure(tuple(pools), keys) for keys, pools in groups.items())


def _admissions(program: Program, units: Units, flow: Flow) -> tuple[Link, ...]:
    """From the engines to the queues they serve."""
    found: list[Link] = []
    for pool in flow.gates.values():
        via = program.pools[pool.base].admit_via
        if via is not None and units.stage_at(via).key in flow.stops:
            found.append(Link(units.stage_at(via).key, f"gate {pool.key}", "admit via"))
    return tuple(found)


def _tiers(program: Program, units: Units, words: Words) -> tuple[Tier, ...]:
    found: list[Tier] = []
    for pool in units.pools():
        spill = program.pools[pool.base].spill
        if spill is not None:
            label = f"spill {words.argument(spill.work)}"
            if not (isinstance(spill.when, Number) and spill.when.value != 0.0):
                label += f" when {words.argument(spill.when)}"
            via, to = units.stage_at(spill.via), units.pool_at(spill.to)
            found.append(Tier(pool, via, to, label))
    return tuple(found)


def _leases(program: Program, units: Units, words: Words) -> dict[str, str]:
    found: dict[str, str] = {}
    for block in program.blocks:
        for statement in block:
            if isinstance(statement, Hold) and statement.lease is not None:
                pool = units.pool(statement.lease.pool)
                found.setdefault(pool.key, f"lease {words.argument(statement.lease.time)}")
    return found


def _caching(program: Program, units: Units) -> frozenset[str]:
    """Pools in which some hold leaves a prefix, and those it is spilled to.

    A hold that grows, or loads, leaves what it computed: nothing in its other pools.
    """
    found: set[str] = set()
    for block in program.blocks:
        for statement in block:
            if isinstance(statement, Hold) and statement.cache is not None:
                held = [units.pool(each.pool).key for each in statement.pools]
                computed = computed_in(program, units, statement.body)
                found |= {key for key in held if key in computed} or set(held)
    for pool in program.pools:
        if pool.spill is not None:
            found.add(units.pool_at(pool.spill.to).key)
    return frozenset(found)


def engine_of(program: Program, unit: Unit) -> Step | None:
    """The step engine of a stage unit; None when it is of another kind."""
    kind = program.stages[unit.base].kind
    return kind if isinstance(kind, Step) else None
