"""A whole program of a family, from a seed."""

from __future__ import annotations

import re
from pathlib import Path

import tests.property
from tests.fuzz.programs.chance import Chance
from tests.fuzz.programs.deployment import Deployment, Pool, Stage, deployment
from tests.fuzz.programs.drawn import DRAWN
from tests.fuzz.programs.expressions import (
    BUDGET,
    CAPACITY,
    COST,
    GAUGE,
    QUEUE_KEY,
    SERVE_KEY,
    Place,
    Writer,
    eviction_place,
    workload_place,
)
from tests.fuzz.programs.profile import PROFILES, Profile
from tests.fuzz.programs.queues import queue_program
from tests.fuzz.programs.scope import Held, Scope
from tests.fuzz.programs.slips import with_slip
from tests.fuzz.programs.statements import Session

TRACE = Path(tests.property.__file__).with_name("trace.csv")

OTHERS = {**DRAWN, "queues": queue_program}
WELL_TYPED = (*PROFILES, *OTHERS)
FAMILIES = (*WELL_TYPED, "slips")
"""Names of the families of programs."""


def program(family: str, seed: str) -> str:
    """The program of a family with this seed: the same text every time."""
    if family == "slips":
        return with_slip(program, WELL_TYPED, seed)
    if family in OTHERS:
        return OTHERS[family](seed)
    profile = PROFILES[family]
    chance = Chance(f"{family} {seed}", profile.wild)
    made = deployment(chance, profile)
    made.hidden = chance.often(0.2)
    made.trace = chance.often(profile.trace)
    arrive = arrivals(chance, made)
    sides = session_text(chance, profile, made)
    parts = [
        "let C = 2; def half(v) = v / C;",
        *(pool_text(chance, profile, made, pool) for pool in made.pools),
        *(stage_text(chance, profile, made, stage) for stage in made.stages),
        "def pause(t) { run idle (t); }",
        *(
            f"share {chance.pick('maxmin', 'bottleneck')};"
            for _ in "s"
            if has_flow("\n".join(sides), made)
        ),
        *workload_and_session(chance, made, arrive, sides),
        *gauge_texts(chance, profile, made),
        run_text(chance, arrive),
    ]
    return "\n".join(line for part in parts for line in part.splitlines() if line.strip()) + "\n"


def has_flow(session: str, made: Deployment) -> bool:
    """Whether a run of the session holds several stages."""
    lines = (line.split(" (")[0] for line in session.splitlines() if line.startswith("run "))
    flows = (re.sub(r"\[[^]]*\]", "", line) for line in lines)
    return bool(made.of_kind("link")) and any("," in flow for flow in flows)


def arrivals(chance: Chance, made: Deployment) -> str:
    """How sessions arrive."""
    gap = chance.pick("~exp(1)", "1", "~uniform(0.1, 2)", "~erlang(3, 1)", "~h2(0.5, 4)", "0.5")
    text = chance.pick(
        f"batch({chance.whole(2, 12)})",
        f"closed({chance.whole(2, 8)})",
        f"poisson({chance.pick('0.5', '1', '2', '3')})",
        f"renewal({gap})",
    )
    made.closed = text.startswith("closed")
    return text


def pool_text(chance: Chance, profile: Profile, made: Deployment, pool: Pool) -> str:
    """A pool and its options."""
    writer = Writer(chance, made)
    engine = next((s for s in made.stages if s.name == pool.engine), None)
    fits = engine is not None and engine.members in {pool.members, 0}
    options = [f"cap {pool.cap};", f"block {pool.block};" if pool.block else ""]
    if chance.often(profile.evict):
        options.append(f"evict by ({writer.keys(eviction_place(spill=False))});")
    elif chance.often(0.2):
        options.append("evict lru;")
    if pool.lifo:
        options.append("preempt lifo;")
    if fits and chance.often(profile.admit) and (pool.use == "slots" or chance.often(0.5)):
        options.append(f"admit via {pool.engine};")
    if chance.often(profile.keys):
        options.append(f"queue by ({writer.keys(QUEUE_KEY)});")
    tier = any(p.name == "tier" for p in made.pools)
    if tier and pool.name != "tier" and pool.use != "slots" and chance.often(0.8):
        options.append(spill_text(chance, made, writer))
    members = f"[{pool.members}]" if pool.members else ""
    return f"pool {pool.name}{members} {{ {' '.join(option for option in options if option)} }}"


def spill_text(chance: Chance, made: Deployment, writer: Writer) -> str:
    """Evicted units go to the tier."""
    place = eviction_place(spill=True)
    via = chance.one(made.of_kind("fifo", "ps", "delay", "link")).name
    work = chance.pick("size", "size * 0.1", "~exp(size)", "1", writer.value(place))
    when = chance.pick("1", "1", "size > 1", "~bernoulli(0.5)", writer.test(place))
    return f"spill tier via {via} ({work}) when ({when});"


def stage_text(chance: Chance, profile: Profile, made: Deployment, stage: Stage) -> str:
    """A stage and its options."""
    writer = Writer(chance, made)
    members = f"[{stage.members}]" if stage.members else ""
    head = f"stage {stage.name}{members} :"
    if stage.kind == "fifo":
        return f"{head} fifo({chance.whole(1, 3)});"
    if stage.kind == "delay":
        return f"{head} delay;"
    if stage.kind == "link":
        return f"{head} ps({chance.pick('1', '2', '0.5', '2.5', '3', 'C')});"
    if stage.kind == "ps":
        some = writer.between(CAPACITY, 0.1, 4)
        return f"{head} ps({chance.pick('1', 'min(present, 2)', '0.5 + 0.1 * present', some)});"
    return f"{head} {step_text(chance, profile, made, stage, writer)}"


def step_text(
    chance: Chance, profile: Profile, made: Deployment, stage: Stage, writer: Writer
) -> str:
    """A step engine."""
    least = 0.25 if chance.grid else 0.1
    cost = chance.pick(
        "1", "0.5", "0.25", "0.5 + 0.25 * decoders", "0.5 + 0.1 * tokens",
        "max(0.2 + 0.01 * (kv_decode + kv_prefill), 0.05 * tokens)",
        "0.1 + 0.2 * decoders + 0.03 * prefilled + 0.001 * attention",
        writer.between(COST, least, 2),
    )  # fmt: skip
    some = writer.between(BUDGET, 0, 10)
    budget = chance.pick(
        *(str(chance.whole(1, 12)) for _ in "1234"),
        "4 + residents",
        "inf",
        "8 - decoders",
        some,
        "2.5",
    )
    chunk = chance.pick("", "", "chunk 2;", "chunk 3;", "chunk residents;", "chunk 1.5;")
    serve = ""
    if chance.often(profile.exclusive):
        serve = "serve exclusive prefill;"
    elif chance.often(profile.serve):
        serve = chance.pick(
            "serve decode first;",
            "serve admission;",
            "serve by (remaining);",
            "serve by (-admission);",
            f"serve by ({writer.keys(SERVE_KEY)});",
        )
    memory = f"memory {stage.memory};" if stage.memory else ""
    if memory and made.pool(stage.memory).members not in {0, 1, stage.members}:
        memory = ""
    return f"step {{ budget {budget}; cost {cost}; {chunk} {serve} {memory} }}"


def workload_and_session(
    chance: Chance, made: Deployment, arrive: str, sides: tuple[str, str]
) -> list[str]:
    """The workload block, and the session as a block of its own or as two sides."""
    writer = Writer(chance, made)
    place = workload_place(made)
    small = min((p.cap for p in made.used_as("memory", "other")), default=12)
    ordered = chance.maybe("ordered")
    lines = [f"arrive {arrive};"]
    if made.trace:
        lines.append(f'trace "{TRACE}" {ordered};')
    if made.hidden:
        lines.append("hidden o;")
    indices = " ".join(f"set {name} = 0;" for name in made.indices.values())
    lines.append(f"init {{ set K = 0; set x = 0; set y = 0; set t0 = 0; set c = 0; {indices} }}")
    if made.trace and chance.often(0.7):
        turn = "set n = new; set o = out; set z = think + 0.25;"
    else:
        high = chance.pick(small // 3, small // 2, small)
        turn = f"set n = {chance.size(high)}; set o = {chance.size(high)}; set z = {chance.time()};"
    if chance.often(0.2):
        turn += f" observe drawn = {writer.value(Place(place.names, draws=True, state=False))};"
    lines.append(f"turn {{ {turn} }}")
    session, server = sides
    if server:
        return ["workload {", *lines, session, "}", server]
    return ["workload {", *lines, "}", session]


def session_text(chance: Chance, profile: Profile, made: Deployment) -> tuple[str, str]:
    """The session, of several turns with time between them, and the server it requests, if any."""
    session = Session(chance, profile, made)
    scope = Scope()
    first = f"run idle ({chance.time()});" if made.closed or chance.often(0.4) else ""
    choices = "\n".join(
        session.write_choose(scope) for _ in made.indices
    )  # an index for each size of array, most often
    count = chance.pick(1, 1, 2, 2, 3)
    if chance.often(0.15) and made.used_as("other"):
        pool = chance.one(made.used_as("other"))
        around = Held(session.reference(pool), pool, "1")
        inner = Scope((around,), cached=False, depth=1)
        body = f"hold {around.reference} (1) {{\n{session.block(inner, count)}\n}}"
    else:
        body = session.block(scope, count)
    goes_on = chance.pick("turn_no < 3", "turn_no < 1 + serial", "turn_no < 2", "turn_no < 5")
    if made.trace:
        goes_on = chance.pick("more", goes_on)
    guard = chance.pick(f"({goes_on})", f"({goes_on})", "with (0.6)")
    grown = chance.pick("K + n + o", "min(K + n + o, 9)", "0", "K + n")
    drop = chance.maybe(session.write_drop(scope), 0.2)
    think = chance.pick("run idle (z);", f"run idle ({chance.time()});")
    seen = session.write_observe(scope)
    ended = "\n".join(f"release {name};" for name in session.leased if chance.often(0.8))
    work = f"{choices}\n{body}\n{ended}\n{seen}"
    server = ""
    if chance.often(0.25) and "end;" not in work:
        work, server = "request;", f"server {{\n{work}\n}}"
    text = f"""session {{
turn;
{first}
loop {{
set t0 = now;
{work}
observe response = now - t0;
set K = {grown};
branch {guard} {{ {think} turn; }}
else {{ {drop} end; }}
}}
}}"""
    return text, server


def gauge_texts(chance: Chance, profile: Profile, made: Deployment) -> list[str]:
    """Gauges of the deployment's state."""
    writer = Writer(chance, made)
    wanted = chance.whole(1, 3) if chance.often(profile.gauges) else 0
    return [f"gauge g{i} = {writer.value(GAUGE)};" for i in range(wanted)]


def run_text(chance: Chance, arrive: str) -> str:
    """How long the program runs."""
    limit = ""
    if arrive.startswith(("poisson", "renewal")) and chance.often(0.12):
        limit = f"arrivals {chance.whole(2, 8)}; "
    horizon = chance.pick(10, 20, 30, 40, 60) if not limit else 200
    warmup = chance.pick("0", "0", "2", "4.5")
    return f"run {{ horizon {horizon}; warmup {warmup}; seed {chance.whole(0, 99)}; {limit}}}"
