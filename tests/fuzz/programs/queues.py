"""Programs written with queues: a router, prefill and decode stations, and how the KV moves.

The KV is pulled over the stations' own NICs, sent over links that the transfer names, or moved
by a link's own entry. Sizes are as small as in the other families.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.fuzz.programs.chance import Chance

WAYS = ("pull", "pull", "named", "entry")


@dataclass(frozen=True)
class Station:
    """A queue: its name, its members (0: no family), and the size of its memory."""

    name: str
    members: int
    cap: int

    @property
    def family(self) -> str:
        """Its declaration's brackets."""
        return f"[{self.members}]" if self.members else ""

    def at(self, index: str) -> str:
        """A member of it, seen from a route."""
        return f"{self.name}[{index}]" if self.members else self.name


def queue_program(seed: str) -> str:
    """A whole program."""
    chance = Chance(f"queues {seed}")
    way = chance.pick(*WAYS)
    prefill = Station("P", chance.pick(0, 1, 2, 3), chance.whole(6, 20))
    decode = Station("D", chance.pick(0, 1, 2), chance.whole(8, 24))
    parts = [
        *links(chance, way, prefill, decode),
        prefill_queue(chance, way, prefill),
        decode_queue(chance, way, prefill, decode),
        relation(chance, way),
        *(gateway(chance, name, prefill, decode) for name in ("gw", "second")),
        "stage idle : delay;",
        workload(chance, min(prefill.cap, decode.cap)),
        gauge(chance, prefill, decode),
        f"run {{ horizon {chance.pick(10, 20, 40)}; warmup {chance.pick('0', '2')};"
        f" seed {chance.whole(0, 99)}; }}",
    ]
    if chance.often(0.2):  # declarations may follow the workload
        parts = [*parts[-3:-2], *parts[:-3], *parts[-2:]]
    return "\n".join(line for part in parts for line in part.splitlines() if line.strip()) + "\n"


def memory(chance: Chance, station: Station) -> str:
    """The pools of a station."""
    block = chance.pick("", "block 1; ", "block 2; ", "block 4; ")
    evict = chance.pick("", "evict lru; ", "evict by (size, -age); ", "evict by (last); ")
    lifo = chance.pick("preempt lifo; ", "preempt lifo; ", "")
    by = chance.maybe("queue by (-waited, serial); ", 0.15)
    via = chance.maybe(f"admit via {station.name}; ", 0.75)
    kv_via = chance.maybe(f"admit via {station.name}; ", 0.3)
    pools = [
        f"pool reqs {{ cap {chance.whole(1, 4)}; {by}{via}}}",
        f"pool kv {{ cap {station.cap}; {block}{evict}{lifo}{kv_via}}}",
    ]
    return "\n".join(chance.shuffled(pools))


def engine(chance: Chance) -> str:
    """A step engine's options."""
    cost = chance.pick("0.5", "0.25 + 0.25 * decoders", "0.1 + 0.05 * tokens",
                       "0.2 + 0.01 * (kv_decode + kv_prefill)")  # fmt: skip
    serve = chance.pick("", "", "serve decode first; ", "serve exclusive prefill; ")
    chunk = chance.pick("", "", "chunk 2; ")
    return f"serve step {{ budget {chance.whole(2, 12)}; cost {cost}; {chunk}{serve}memory kv; }}"


def header(chance: Chance, station: Station) -> str:
    """An admission to a station, up to its body."""
    hit = "hit = min(cachedin(kv), prompt - 1)"
    units = chance.pick(
        f"min(prompt, hit + budget_left({station.name}))", "prompt", "min(prompt, 3)", "hit"
    )
    reserve = chance.pick("", " reserve (prompt)", " reserve (prompt + 1)")
    hold = [f"kv ({units}){reserve}"]
    if chance.often(0.8):
        hold.insert(0, "reqs (1)")
    reuse = chance.maybe(f" reuse ({chance.pick('prompt - 1', '4', '0')})", 0.2)
    return f"hold {', '.join(hold)}{reuse} at admission ({hit})"


def links(chance: Chance, way: str, prefill: Station, decode: Station) -> list[str]:
    """The links that the KV is sent over, where it is not pulled."""
    if way == "named":
        latency = chance.pick("", " latency 0.25", " latency 0.1 + 0.2")
        return [
            f"queue up{prefill.family} : link {{ serve ps({chance.pick('1', '2')}){latency}; }}",
            f"queue down{decode.family} : link {{ serve ps({chance.pick('1', '3')}); }}",
            f"share {chance.pick('maxmin', 'bottleneck')};",
        ]
    if way == "entry":
        serve = chance.pick("ps(2)", "ps(min(present, 2))", "fifo(1)", "delay")
        return [
            f"queue wire{decode.family} : link {{ serve {serve}; transfer (n) {{ "
            f"run (n / {chance.pick('2', '4')}); {chance.maybe('run idle (0.25);')} "
            f"{chance.maybe('mark sent;')} }} }}"
        ]
    return []


def prefill_queue(chance: Chance, way: str, station: Station) -> str:
    """The station that computes the prompt."""
    nic = f"nic ps({chance.pick('1', '2', '0.7')});" if way == "pull" else ""
    lease = chance.pick("inf", "inf", "2", "0.5", "0", "~exp(1)")
    cache = chance.pick("prompt", "prompt - 1", "prompt", "0")
    between = chance.maybe("observe admitted = now;", 0.3)
    return f"""queue P{station.family} : prefill {{
{memory(chance, station)}
{engine(chance)}
{nic}
prefill (prompt) {{
{header(chance, station)} {{
set c = min(cached, prompt - 1);
{between}
prefill (prompt - c) growing kv;
mark first;
}} cache ({cache}) lease kv ({lease});
}}
}}"""


def decode_queue(chance: Chance, way: str, prefill: Station, station: Station) -> str:
    """The station that decodes: a prompt of its own, or one that another has computed."""
    nic = f"nic ps({chance.pick('1', '3', '0.5')});" if way == "pull" else ""
    move = "prompt - c"
    if way == "entry":
        wire = "wire[self]" if station.members else "wire"
        transfer = f"{wire}.transfer ({move}) from src to kv (prompt - 1 - c);"
    elif way == "named":
        up = "up[src]" if prefill.members else "up"
        down = "down[self]" if station.members else "down"
        on = f"{up}, {down}" if chance.often(0.8) else f"{down}, {up}"
        transfer = f"transfer on {on} ({move}) from src to kv (prompt - 1 - c);"
    else:
        transfer = f"transfer ({move}) from src to kv (prompt - 1 - c);"
    slots = chance.often(0.7)
    reserve = chance.pick("", " reserve (prompt)", " reserve (prompt + 1)")
    decode = f"{chance.maybe('prefill (1) growing kv;')} decode (o - 1) growing kv;"
    cache = chance.pick("prompt + o", "prompt", "prompt + o - 1")
    return f"""queue D{station.family} : decode {{
{memory(chance, station)}
{engine(chance)}
{nic}
decode (prompt) {{
{header(chance, station)} {{
prefill (prompt - min(cached, prompt - 1)) growing kv;
decode (o) growing kv;
}} cache ({cache})
}}
decode (prompt) from src {{
hold kv (prompt){reserve}{chance.maybe(" reuse (prompt - 1)", 0.9)} {{
set c = min(cached, prompt - 1);
observe hit = cached;
{transfer}
{f"hold reqs (1) {{ {decode} }}" if slots else decode}
mark done;
}} cache ({cache})
}}
}}"""


def relation(chance: Chance, way: str) -> str:
    """Who reads the KV from whom."""
    if way != "pull":
        return ""
    latency = chance.pick("", " latency 0.5", " latency 0.25")
    return f"D pull P{latency} share {chance.pick('maxmin', 'bottleneck')};"


def gateway(chance: Chance, name: str, prefill: Station, decode: Station) -> str:
    """A router."""
    choices = [
        f"choose {index} in {station.members} by ({key(chance, station, index)});"
        for station, index in ((prefill, "i"), (decode, "j"))
        if station.members
    ]
    cap = min(prefill.cap, decode.cap)
    p, d = prefill.at("i"), decode.at("j")
    remote = f"{p}.prefill (prompt); {d}.decode (prompt) from {p};"
    seen = chance.pick("observe ttft = P.first - t0;", "observe e2e = D.done - P.first;", "")
    route = f"{remote} {seen}"
    if chance.often(0.3):
        test = chance.pick(f"cachedin({d}.kv) > 3", "n < 3", f"used({p}.kv) > 5")
        route = f"branch ({test}) {{ {d}.decode (prompt); }} else {{ {route} }}"
    return f"""queue {name} : gateway {{
route {{
set t0 = now;
set prompt = min(K + n, {max(cap - chance.pick(2, 5, 8), 2)});
{" ".join(choices)}
{route}
observe response = now - t0;
}}
}}"""


def key(chance: Chance, station: Station, index: str) -> str:
    """How a router chooses a member."""
    return chance.pick(
        f"used({station.at(index)}.kv)",
        f"queued({station.at(index)}.reqs)",
        f"-cachedin({station.at(index)}.kv), {index}",
        f"queue({station.at(index)})",
        "~uniform(0, 1)",
    )


def workload(chance: Chance, cap: int) -> str:
    """Who arrives, and the client's side of a session."""
    arrive = chance.pick(
        f"poisson({chance.pick('1', '2', '0.5')})",
        f"batch({chance.whole(2, 9)})",
        f"closed({chance.whole(1, 6)})",
        "renewal(~exp(1))",
    )
    request = "request gw;"
    if chance.often(0.2):
        request = (
            f"branch ({chance.pick('serial > 1', 'turn_no > 1')}) {{ request second; }}"
            f" else {{ request gw; }}"
        )
    hidden = chance.maybe("hidden o;", 0.98)
    answer = chance.pick("4", "1 + floor(~exp(4))", "2")
    return f"""workload {{
arrive {arrive}; {hidden}
init {{ set K = 0; }}
turn {{ set n = {chance.whole(1, max(cap // 2, 1))}; set o = {answer}; }}
session {{
turn;
run idle (0.25);
loop {{
{request}
set K = {chance.pick("prompt + o", "prompt", "0")};
branch (turn_no < {chance.whole(1, 4)}) {{ run idle ({chance.time()}); turn; }} else {{ end; }}
}}
}}
}}"""


def gauge(chance: Chance, prefill: Station, decode: Station) -> str:
    """A gauge of a station's memory."""
    p, d = prefill.at("0"), decode.at("0")
    expression = chance.pick(f"used({p}.kv)", f"queue({d}) + busy({p})", f"queued({d}.kv) > 0")
    return chance.maybe(f"gauge seen = {expression};")
