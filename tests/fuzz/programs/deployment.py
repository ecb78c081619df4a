"""What a program is about: its pools and stages, before they are written out."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.fuzz.programs.chance import Chance
from tests.fuzz.programs.profile import Profile

INDICES = ("i", "j", "k")
"""The attributes that hold a member's index, one for each number of members."""


@dataclass(frozen=True)
class Pool:
    """A pool to be written."""

    name: str
    cap: int
    members: int = 0
    """0: no array."""
    block: str = ""
    lifo: bool = False
    engine: str = ""
    """The step stage it belongs to: its memory, or the one that serves its queue."""
    use: str = "memory"
    """`memory`, `slots`, or `other`."""


@dataclass(frozen=True)
class Stage:
    """A stage to be written."""

    name: str
    kind: str
    """`fifo`, `ps`, `delay`, `step`, or `link` (a `ps` that runs may hold with others)."""
    members: int = 0
    memory: str = ""


@dataclass
class Deployment:
    """All pools and stages; `indices` gives the attribute that indexes arrays of that size."""

    pools: list[Pool] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    indices: dict[int, str] = field(default_factory=dict)
    closed: bool = False
    """Whether a session that ends is replaced at the same instant."""
    hidden: bool = False
    """Whether the answer's length `o` is hidden from the scheduler."""
    trace: bool = False

    def of_kind(self, *kinds: str) -> list[Stage]:
        """Stages of these kinds."""
        return [stage for stage in self.stages if stage.kind in kinds]

    def used_as(self, *uses: str) -> list[Pool]:
        """Pools of these uses."""
        return [pool for pool in self.pools if pool.use in uses]

    def pool(self, name: str) -> Pool:
        """By name."""
        return next(pool for pool in self.pools if pool.name == name)


def members(chance: Chance, profile: Profile) -> int:
    """How many members, 0 for no array."""
    return chance.pick(1, 2, 2, 3) if chance.often(profile.arrays) else 0


def deployment(chance: Chance, profile: Profile) -> Deployment:
    """Engines with their memory and slots, other pools, and other stages."""
    made = Deployment()
    engines = int(chance.weighted({str(n): w for n, w in enumerate(profile.engines)}))
    for name in ("E", "F", "G")[:engines]:
        add_engine(chance, profile, made, name)
    for name in ("extra", "more")[: chance.whole(0 if engines else 1, 2)]:
        size = members(chance, profile) if chance.often(0.3) else 0
        made.pools.append(some_pool(chance, profile, name, size, engine="", use="other"))
    if chance.often(profile.spill) and made.used_as("memory", "other"):
        cap = chance.whole(1, 24)
        made.pools.append(Pool("tier", cap, 0, chance.pick("", "1", "3"), use="other"))
    made.stages.append(Stage("svc", "fifo", members(chance, profile) if chance.often(0.3) else 0))
    made.stages.append(Stage("cpu", "ps", members(chance, profile) if chance.often(0.3) else 0))
    made.stages.append(Stage("idle", "delay"))
    if chance.often(profile.links):
        for name in ("up", "down", "wan")[: chance.whole(2, 3)]:
            made.stages.append(Stage(name, "link", members(chance, profile)))
    for index, size in enumerate(sorted({p.members for p in made.pools if p.members > 1})):
        made.indices[size] = INDICES[index]
    for size in sorted({s.members for s in made.stages if s.members > 1}):
        if size not in made.indices:
            made.indices[size] = INDICES[len(made.indices)]
    return made


def add_engine(chance: Chance, profile: Profile, made: Deployment, name: str) -> None:
    """A step engine with a memory and perhaps slots, member for member or shared."""
    size = members(chance, profile)
    shared = size > 0 and chance.often(0.2)
    memory = some_pool(
        chance, profile, f"kv{name}", 0 if shared else size, engine=name, use="memory"
    )
    made.pools.append(memory)
    made.stages.append(Stage(name, "step", size, chance.maybe(memory.name, 0.9)))
    if chance.often(0.75):
        cap = chance.whole(1, 5)
        made.pools.append(Pool(f"slots{name}", cap, size, engine=name, use="slots"))


def some_pool(
    chance: Chance, profile: Profile, name: str, size: int, *, engine: str, use: str
) -> Pool:
    """A small pool."""
    block = chance.pick("", "", "1", "2", "4", "0.5", "3")
    lifo = chance.often(profile.lifo)
    return Pool(
        name, chance.pick(chance.whole(4, 12), chance.whole(4, 24)), size, block, lifo, engine, use
    )
