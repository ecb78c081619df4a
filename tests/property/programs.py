"""Strategies for valid programs over small pools, engines and sessions.

Every program links, and time passes in each of its loops. Sizes are small so that memory is
under pressure: growth, preemption, eviction and head-of-line blocking meet in a few dozen
events. Kept out, because the reference answers differently by decision or by accident: two
holds of one session on one pool, and eviction keys that draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from tests.property.drawing import Draw, arrivals, duration, lengths, maybe, number, one_of

TRACE = Path(__file__).with_name("trace.csv")


@dataclass(frozen=True)
class Deployment:
    """What the session strategies need to know of the pools and stages."""

    engines: int
    """Members of `engine` and `slots`; 0 when they are no arrays."""
    memories: int
    """Members of `kv`, the same, or 0 when all engines share one memory."""
    cap: int
    """Units of a `kv`."""
    block: str
    """Its block, or nothing."""
    growing: bool
    """Whether runs on the engine grow the hold on `kv`."""
    closed: bool
    """Whether a session that is rejected is replaced at the same instant."""

    @property
    def kv(self) -> str:
        """The session's memory."""
        return "kv[j]" if self.memories else "kv"

    @property
    def slots(self) -> str:
        """The session's request slots."""
        return "slots[j]" if self.engines else "slots"

    @property
    def engine(self) -> str:
        """The session's engine."""
        return "engine[j]" if self.engines else "engine"


@st.composite
def deployments(draw: Draw, closed: bool) -> Deployment:
    """How many engines there are, and how much memory."""
    engines = draw(st.sampled_from([0, 0, 0, 2, 1, 3]))
    memories = engines if draw(st.integers(0, 3)) else 0
    growing = draw(st.sampled_from([True] * 7 + [False]))
    block = one_of(draw, "", "1", "2", "4")
    return Deployment(engines, memories, number(draw, 6, 24), block, growing, closed)


@st.composite
def pools(draw: Draw, deployment: Deployment, more: Mapping[str, str] = {}) -> str:
    """The deployment's pools: KV memory, request slots, and one more resource.

    `more` has further options by pool; they come last, and the last of a kind counts.
    """
    engines = f"[{deployment.engines}]" if deployment.engines else ""
    memories = f"[{deployment.memories}]" if deployment.memories else ""
    seen = "free(kv[0])" if deployment.memories else "free(kv)"
    block = f"block {deployment.block}; " if deployment.block else ""
    evict = one_of(
        draw,
        "evict lru; ",
        "",
        "evict by (size); ",
        "evict by (-age); ",
        "evict by (waiting, K); ",
        "evict by (serial > 1 ? last : -last, size); ",
        f"evict by ({seen} > 3 ? size : -now, turn_no); ",
        "evict by (cachedin(extra), queued(extra), -last); ",
    )
    preempt = one_of(draw, *["preempt lifo; "] * 8, "", "preempt none; ")
    admit = one_of(draw, "admit via engine; ", "admit via engine; ", "")
    kv_admit = admit if deployment.memories == deployment.engines and draw(st.booleans()) else ""
    options = f"{block}{evict}{preempt}{kv_admit}{more.get('kv', '')}"
    kv = f"pool kv{memories} {{ cap {deployment.cap}; {options}}}"
    slots = f"pool slots{engines} {{ cap {number(draw, 1, 6)}; {admit}{more.get('slots', '')}}}"
    half = maybe(draw, "block 0.5; ")
    extra = f"pool extra {{ cap {number(draw, 1, 6)}; {half}{more.get('extra', '')}}}"
    return "\n".join(draw(st.permutations([kv, slots, extra])))


@st.composite
def stages(draw: Draw, deployment: Deployment, serve: str = "") -> str:
    """An engine, a server, a shared processor and a delay."""
    engines = f"[{deployment.engines}]" if deployment.engines else ""
    cost = one_of(
        draw,
        "1",
        "0.5",
        "0.5 + 0.1 * tokens",
        "max(0.2 + 0.01 * (kv_decode + kv_prefill), 0.05 * tokens)",
        "0.1 + 0.2 * decoders + 0.03 * prefilled + 0.001 * attention",
        "0.1 + residents * 0.3",
        "(decoders > 1 ? 0.7 : 0.3) + ~exp(0.1)",
    )
    chunk = one_of(draw, "", "chunk 2; ", "chunk 3; ", "chunk residents; ")
    serve = serve or one_of(
        draw,
        "",
        "serve admission; ",
        "serve decode first; ",
        "serve by (remaining); ",
        "serve by (decoding, -admission); ",
        "serve by (-remaining); ",
        "serve by (residents > 2 ? -remaining : remaining, serial); ",
    )
    budget = one_of(draw, f"{number(draw, 1, 12)}", "4 + residents", "8 - decoders")
    memory = one_of(draw, *["memory kv; "] * 8, *([] if "exclusive" in serve else [""]))
    return (
        f"stage engine{engines} : step {{ budget {budget}; cost {cost}; {chunk}{serve}{memory}}}\n"
        f"stage svc : fifo({number(draw, 1, 2)});\n"
        f"stage shared : ps({one_of(draw, '1', 'min(present, 2)', '0.5 + 0.1 * present')});\n"
        "stage idle : delay;"
    )


@st.composite
def workloads(draw: Draw, arrive: str, cap: int) -> str:
    """Arrivals, and what a turn sets: a prompt of `n`, an answer of `o`, a think time of `z`."""
    if draw(st.integers(0, 5)) == 5:
        ordered = one_of(draw, "ordered", "")
        replay = f'trace "{TRACE}" {ordered}; '
        turn = "set n = new; set o = out; set z = think + 0.1;"
    else:
        replay = ""
        turn = (
            f"set n = {lengths(draw, cap // 3)}; set o = {lengths(draw, cap // 2)};"
            f" set z = {duration(draw)};"
        )
    hidden = maybe(draw, "hidden o; ")
    return (
        f"workload {{ arrive {arrive}; {replay}{hidden}init {{ set K = 0; }}\n"
        f"  turn {{ {turn} }} }}"
    )


def request(draw: Draw, deployment: Deployment) -> str:
    """One request on the engine: admission, prefill, decode, release."""
    kv, cap = deployment.kv, deployment.cap
    index = "[j]" if deployment.engines else ""
    growing = f" growing {kv}" if deployment.growing else ""
    prompts = [f"min(K + n, {cap // 2})", f"min(K + n, {max(cap - 8, 1)})", f"min(n, {cap})"]
    prompt = one_of(draw, *prompts, *([] if deployment.closed else ["K + n", "n"]))
    available = f"min(known, hit + budget_left({deployment.engine}))"
    units = one_of(draw, available, "min(known, 3)", "1", "known", "hit")
    most = f"min(known + 1, {cap})" if deployment.closed else "known + 1"
    reserve = one_of(draw, "", "", " reserve (known)", f" reserve ({most})")
    cache = one_of(draw, "cache (K + n + o)", "cache (n)", "cache (known + o)", "cache (0)", "")
    reuse = one_of(draw, "", " reuse (4)", " reuse (n)") if cache else ""
    hit = "min(cached, known - 1)" if cache else "0"
    known, decode = f"known = {prompt}", "o - 1"
    if draw(st.booleans()):
        known = f"known = (computed < {prompt} ? {prompt} : computed + 1)"
        decode = f"o - 1 - (known - ({prompt}))"
    first = one_of(draw, deployment.slots, "extra")
    header = [f"{first} (1)", f"{kv} ({units}){reserve}"]
    if draw(st.integers(0, 3)) == 3:
        header.reverse()
    between = [f"release {first};", f"run svc ({duration(draw)});", "branch (o > 4) { turn; }"]
    if first != "extra":
        between.append(f"hold extra (1) {{ run shared ({duration(draw)}); }}")
    return f"""
    hold {", ".join(header)}{reuse}
         at admission ({known}, hit = min(cachedin({kv}), known)) {{
      set c = {hit};
      observe wait = now - t0;
      prefill{index} (known - c){growing};
      observe ttft = now - t0;
      {one_of(draw, "", "", *between)}
      decode{index} ({decode}){growing};
    }} {cache}"""


def errand(draw: Draw, deployment: Deployment) -> str:
    """A hold around an event-driven stage, growing by statement."""
    kv, cap = deployment.kv, deployment.cap
    stage = one_of(draw, "svc", "shared", "idle")
    grow = one_of(draw, "", f"grow {kv} ({number(draw, 1, cap // 2)}); ", f"grow {kv} (n); ")
    more = grow and f"run {one_of(draw, 'idle', 'svc')} ({duration(draw)});"
    return f"""
    hold {kv} ({number(draw, 0, cap // 2)}){maybe(draw, f" reserve (min(n, {cap}))")} {{
      run {stage} ({duration(draw)});
      {grow}{more}
      observe held = used({kv});
      {maybe(draw, f"release {kv}; ")}run idle ({duration(draw)});
    }}{one_of(draw, "", " cache (K + 2)", " cache (5)")}"""


def plain_run(draw: Draw, _deployment: Deployment) -> str:
    """A run without memory."""
    return f"run {one_of(draw, 'svc', 'shared')} ({duration(draw)});"


def work(draw: Draw, deployment: Deployment) -> str:
    """What one turn does."""
    parts = [request, request, request, request, errand, plain_run]
    chosen = draw(st.lists(st.sampled_from(parts), min_size=1, max_size=2))
    text = "\n".join(part(draw, deployment) for part in chosen)
    if request not in chosen and draw(st.booleans()):
        text = f"hold extra (1) {{ {text} }}"
    return text


def choice(draw: Draw, deployment: Deployment, *more: str) -> str:
    """Which engine a turn goes to, when there are several."""
    if not deployment.engines:
        return ""
    members = deployment.engines
    key = one_of(
        draw,
        "holders(slots[j]) + queued(slots[j])",
        f"used({deployment.kv})",
        f"-cachedin({deployment.kv}), queue(engine[j])",
        "~uniform(0, 1)",
        "serial == j",
        f"max i in {members} (queue(engine[i])) - queue(engine[j])",
        "busy(engine[j]), budget_left(engine[j])",
        *more,
    )
    return f"choose j in {members} by ({key});"


def sight(draw: Draw, deployment: Deployment, *more: str) -> str:
    """Something a session can see of the deployment."""
    engine, kv = deployment.engine, deployment.kv
    return one_of(
        draw,
        f"queue({engine})",
        f"cachedin({kv})",
        "busy(svc) + queue(shared)",
        "free(extra)",
        "now - t0 > 2",
        f"budget_left({engine})",
        f"used({kv}) / blocksize({kv})" if deployment.block else f"used({kv})",
        "computed + cached * 100",
        f"queued({deployment.slots}) - holders({kv})",
        "floor(now) ^ 2 / (1 + serial)",
        *more,
    )


@dataclass(frozen=True)
class More:
    """Further choices of a session: what it sees, how it chooses an engine, what it also does."""

    sights: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    parts: tuple[str, ...] = ("",)


@st.composite
def sessions(draw: Draw, deployment: Deployment, more: More = More()) -> str:
    """A session of several turns."""
    goes_on = one_of(draw, "turn_no < 3", "turn_no < 1 + serial", "turn_no < 2", "turn_no < 6")
    again = one_of(draw, f"branch ({goes_on})", f"branch ({goes_on})", "branch with (0.6)")
    first = maybe(draw, f"run idle ({duration(draw)});")
    if deployment.closed:
        first = first or "run idle (0.5);"
    return f"""session {{
  turn; {first}
  loop {{
    set t0 = now;
    {choice(draw, deployment, *more.keys)}
    {work(draw, deployment)}
    {one_of(draw, *more.parts)}
    observe seen = {sight(draw, deployment, *more.sights)};
    observe response = now - t0;
    set K = {one_of(draw, "K + n + o", "min(K + n + o, 9)", "0")};
    {again} {{ run idle (z); turn; }} else {{ {maybe(draw, f"drop {deployment.kv}; ")}end; }}
  }}
}}"""


def run_block(draw: Draw) -> str:
    """How long the program runs."""
    return (
        f"run {{ horizon {number(draw, 20, 80)}; warmup {one_of(draw, '0', '2', '4.5')};"
        f" seed {number(draw, 0, 99)}; }}"
    )


@st.composite
def valid_programs(draw: Draw) -> str:
    """A whole program."""
    arrive = arrivals(draw)
    deployment = draw(deployments("closed" in arrive))
    return "\n".join(
        [
            draw(pools(deployment)),
            draw(stages(deployment)),
            draw(workloads(arrive, deployment.cap)),
            draw(sessions(deployment)),
            run_block(draw),
        ]
    )
