"""The prefix cache of a pool: entries, eviction, spill (contract §3, *Pools*).

A session that releases may leave a prefix behind as its entry; its next hold consumes it. What a
hold does not reuse stays as a dead entry, which nobody can find, until it is evicted. Entries
are evicted when an allocation needs their room: the least in the pool's order first, one block
from its tail at a time, or whole without blocks. `evict lru` orders by release time and then
release number, `evict by` by its keys and then release number.

Depends on expressions and pools.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from serq.ir.arithmetic import minimum
from serq.semantics.errors import standstill
from serq.semantics.expressions import evaluate_at
from serq.semantics.numbers import order
from serq.semantics.pool import SLACK, Pool
from serq.semantics.scope import Scope
from serq.semantics.session import Session, Status
from serq.semantics.stages.stage import Job

if TYPE_CHECKING:
    from serq.semantics.machine import Machine

FIRST_DEAD = 2**62
"""Dead entries are numbered from here, beyond every session's serial."""


class Entry:
    """A cached prefix: `size` units, released at `last` under release number `release`.

    `session` left it there. Its keys read the session's attributes as they are while it lives,
    and as they were at the release (`snapshot`) afterwards or when the entry is dead.
    """

    __slots__ = ("last", "number", "release", "session", "size", "snapshot")

    def __init__(
        self,
        *,
        number: int,
        session: Session | None,
        size: float,
        last: float,
        release: int,
        snapshot: list[float],
    ) -> None:
        self.number = number
        self.session = session
        self.size = size
        self.last = last
        self.release = release
        self.snapshot = snapshot


_LRU = attrgetter("last", "release")
_RELEASE = attrgetter("release")


class Evictor:
    """The order of eviction of a pool, and the scope its keys are evaluated in."""

    __slots__ = ("keys", "scope")

    def __init__(self, machine: Machine, pool: Pool) -> None:
        self.keys = pool.definition.evict
        self.scope = Scope(machine, machine.streams.eviction)

    def least(self, pool: Pool) -> Entry:
        """The entry to evict from; entries are asked for their keys in release order."""
        if self.keys is None:
            return min(pool.entries.values(), key=_LRU)
        least: Entry | None = None
        least_keys: list[int] = []
        for entry in sorted(pool.entries.values(), key=_RELEASE):
            self.set_entry(entry, entry.size)
            keys = [
                order(evaluate_at(key, self.scope, "pools", pool.index, "evict"))
                for key in self.keys
            ]
            if least is None or keys < least_keys:
                least, least_keys = entry, keys
        assert least is not None
        return least

    def set_entry(self, entry: Entry, size: float) -> None:
        """Make the scope about an entry, of which `size` units are in question."""
        scope = self.scope
        session = entry.session
        if session is not None and session.status is Status.ENDED:
            session = None
        scope.session = session
        scope.attributes = entry.snapshot if session is None else session.attributes
        scope.size = size
        scope.age = scope.machine.now - entry.last
        scope.last = entry.last
        scope.waiting = 1.0 if session is not None and session.status is Status.QUEUED else 0.0


def make_room(machine: Machine, pool: Pool, units: float) -> None:
    """Evict until `units` fit next to what is allocated and cached."""
    if pool.used + pool.cached + units <= pool.cap + SLACK:
        return
    machine.change(pool)
    evictions = 0
    while pool.entries and pool.used + pool.cached + units > pool.cap + SLACK:
        evict(machine, pool, pool.evictor.least(pool))
        evictions += 1
        if evictions > machine.options.limit_events:
            path = ("pools", pool.index, "block")
            raise standstill(f"{evictions} evictions", machine.now).placed(path)


def evict(machine: Machine, pool: Pool, entry: Entry) -> None:
    """One eviction: a block from the tail of the entry, or all of it without blocks."""
    units = entry.size if pool.block is None else minimum(pool.block, entry.size)
    entry.size -= units
    pool.cached -= units
    pool.evicted_units += units
    if entry.size <= SLACK:
        pool.evicted_entries += 1
        del pool.entries[entry.number]
    if pool.definition.spill is not None:
        do_spill(machine, pool, entry, units)


def do_spill(machine: Machine, pool: Pool, entry: Entry, units: float) -> None:
    """`spill TIER via STAGE (work) when (test)`: write what was evicted to a tier.

    The tier's entry of the same session is created or extended, and a job that belongs to
    nobody carries the units over the stage.
    """
    spill = pool.definition.spill
    assert spill is not None
    pool.evictor.set_entry(entry, units)
    scope, path = pool.evictor.scope, ("pools", pool.index, "spill")
    if evaluate_at(spill.when, scope, *path, "when") == 0.0:
        return
    work = machine.amount(evaluate_at(spill.work, scope, *path, "work"), (*path, "work"))
    tier = machine.pools[spill.to]
    pool.spilling = True
    if tier.spilling:
        label = tier.definition.label
        what = f"what is evicted from `{label}` is spilled back to `{label}`"
        raise standstill(what, machine.now).placed(path)
    make_room(machine, tier, 0.0)
    pool.spilling = False
    machine.release_number += 1
    copy = tier.entries.get(entry.number)
    if copy is None:
        copy = Entry(
            number=entry.number,
            session=entry.session,
            size=0.0,
            last=0.0,
            release=0,
            snapshot=entry.snapshot,
        )
        tier.entries[entry.number] = copy
    copy.size += units
    copy.last = machine.now
    copy.release = machine.release_number
    tier.cached += units
    machine.change(tier)
    pool.spills += 1
    number = machine.next_job()
    if work > 0.0:
        machine.stages[spill.via].start(machine, Job(number, None, work))


def consume(machine: Machine, pool: Pool, session: Session, reuse: float | None) -> float:
    """Take the session's own prefix out of the cache for a hold: how many units it finds.

    With a `reuse` it takes that many at most (whole blocks), and the rest stays as a dead entry
    of the same age.
    """
    entry = pool.entries.pop(session.serial, None)
    if entry is None:
        return 0.0
    machine.change(pool)
    pool.cached -= entry.size
    own = entry.size
    if reuse is not None and own > pool.round_down(reuse):
        own = pool.round_down(reuse)
        number = FIRST_DEAD + machine.dead_entries
        machine.dead_entries += 1
        rest = entry.size - own
        pool.entries[number] = Entry(
            number=number,
            session=None,
            size=rest,
            last=entry.last,
            release=entry.release,
            snapshot=session.attributes.copy(),
        )
        pool.cached += rest
    return own


def keep(machine: Machine, pool: Pool, session: Session, units: float) -> None:
    """Leave `units` of the session's prefix in the cache, in whole blocks."""
    units = pool.round_down(units)
    if not units > 0.0:
        return
    drop(machine, pool, session)
    machine.release_number += 1
    pool.entries[session.serial] = Entry(
        number=session.serial,
        session=session,
        size=units,
        last=machine.now,
        release=machine.release_number,
        snapshot=session.attributes.copy(),
    )
    pool.cached += units
    machine.change(pool)


def drop(machine: Machine, pool: Pool, session: Session) -> None:
    """The session's own prefix vanishes; that is no eviction."""
    entry = pool.entries.pop(session.serial, None)
    if entry is not None:
        pool.cached -= entry.size
        machine.change(pool)
