"""Hypothesis strategies for valid programs over small pools, engines and sessions.

Every program links, and time passes in each of its loops. Sizes are small so that memory is
under pressure: growth, preemption, eviction and head-of-line blocking meet in a few dozen
events. Kept out, because the reference answers differently by decision or by accident: two
holds of one session on one pool, eviction keys that draw, `work` of a stage with several jobs.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

Draw = st.DrawFn


@dataclass(frozen=True)
class Deployment:
    """What the session strategies need to know of the pools and stages."""

    engines: int
    """Members of `engine`, `kv` and `slots`; 0 when they are no arrays."""
    kv_cap: int
    growing: str
    """` growing kv…` or nothing."""

    def member(self, name: str) -> str:
        """A reference to the session's member of a family."""
        return f"{name}[j]" if self.engines else name


def one_of(draw: Draw, *texts: str) -> str:
    """One of the texts; the first is the simplest."""
    return draw(st.sampled_from(texts))


def number(draw: Draw, low: int, high: int) -> int:
    """A whole number."""
    return draw(st.integers(low, high))


def lengths(draw: Draw, high: int) -> str:
    """An expression for a positive whole number: constant, drawn, or by session and turn."""
    value = number(draw, 1, high)
    return one_of(
        draw,
        f"{value}",
        f"floor(~uniform(1, {value + 1}))",
        f"1 + floor(~exp({value}))",
        f"{value} + serial",
        f"max(1, {value} - turn_no)",
        f"(turn_no == 1 ? {value} : floor(~erlang(2, {value})) + 1)",
    )


def duration(draw: Draw) -> str:
    """An expression for a positive time."""
    value = one_of(draw, "1", "0.5", "2", "0.25", "3.7")
    return one_of(
        draw, value, f"~exp({value})", f"~uniform({value}, 4)", f"~h2({value}, 3)", f"{value} + serial"
    )


@st.composite
def pools(draw: Draw, engines: int, cap: int) -> str:
    """The deployment's pools: KV memory, request slots, and one more resource."""
    family = f"[{engines}]" if engines else ""
    block = one_of(draw, "", "block 1; ", "block 2; ", "block 4; ")
    evict = one_of(
        draw,
        "evict lru; ",
        "",
        "evict by (size); ",
        "evict by (-age); ",
        "evict by (waiting, K); ",
        "evict by (serial > 1 ? last : -last, size); ",
    )
    preempt = one_of(draw, "preempt lifo; ", "preempt lifo; ", "", "preempt none; ")
    admit = one_of(draw, "admit via engine; ", "admit via engine; ", "")
    kv = f"pool kv{family} {{ cap {cap}; {block}{evict}{preempt}}}"
    slots = f"pool slots{family} {{ cap {number(draw, 1, 6)}; {admit}}}"
    extra = f"pool extra {{ cap {number(draw, 1, 6)}; }}"
    return "\n".join(draw(st.permutations([kv, slots, extra])))


@st.composite
def stages(draw: Draw, engines: int) -> str:
    """An engine, a server, a shared processor and a delay."""
    family = f"[{engines}]" if engines else ""
    cost = one_of(
        draw,
        "1",
        "0.5 + 0.1 * tokens",
        "max(0.2 + 0.01 * (kv_decode + kv_prefill), 0.05 * tokens)",
        "0.1 + 0.2 * decoders + 0.03 * prefilled + 0.001 * attention",
        "residents * 0.3",
        "(decoders > 1 ? 0.7 : 0.3) + ~exp(0.1)",
    )
    chunk = one_of(draw, "", "chunk 2; ", "chunk 3; ", "chunk residents; ")
    serve = one_of(
        draw,
        "",
        "serve admission; ",
        "serve decode first; ",
        "serve by (remaining); ",
        "serve by (decoding, -admission); ",
        "serve by (-remaining); ",
    )
    budget = one_of(draw, f"{number(draw, 1, 12)}", "4 + residents", "8 - decoders")
    memory = one_of(draw, "memory kv; ", "memory kv; ", "")
    return (
        f"stage engine{family} : step {{ budget {budget}; cost {cost}; {chunk}{serve}{memory}}}\n"
        f"stage svc : fifo({number(draw, 1, 2)});\n"
        f"stage shared : ps({one_of(draw, '1', 'min(present, 2)', '0.5 + 0.1 * present')});\n"
        "stage idle : delay;"
    )


@st.composite
def workloads(draw: Draw) -> str:
    """Arrivals, and what a turn sets."""
    arrive = one_of(
        draw,
        f"batch({number(draw, 1, 8)})",
        f"closed({number(draw, 1, 6)})",
        f"poisson({one_of(draw, '0.5', '1', '2')})",
        f"renewal({one_of(draw, '1', '~exp(1)', '~uniform(0.1, 2)', '~erlang(3, 1)')})",
    )
    return (
        f"workload {{ arrive {arrive}; init {{ set K = 0; }}\n"
        f"  turn {{ set n = {lengths(draw, 12)}; set o = {lengths(draw, 8)};"
        f" set z = {duration(draw)}; }} }}"
    )


def request(draw: Draw, deployment: Deployment) -> str:
    """One request on the engine: admission, prefill, decode, release."""
    kv, slots, engine = (deployment.member(name) for name in ("kv", "slots", "engine"))
    known = one_of(draw, "K + n", f"min(K + n, {max(deployment.kv_cap - 8, 1)})", "n")
    units = one_of(draw, "min(known, hit + budget_left(" + engine + "))", "known", "min(known, 3)")
    reserve = one_of(draw, "", "", " reserve (known)", " reserve (known + 1)")
    reuse = one_of(draw, "", " reuse (4)", " reuse (n)")
    cache = one_of(draw, f"cache (K + n + o)", f"cache (n)", "cache (0)", "")
    if not cache:
        reuse = ""
    hit = "min(cached, known - 1)" if cache else "0"
    growing = deployment.growing.replace("kv", kv)
    resumed = draw(st.booleans())
    bind = f"known = (computed < {known} ? {known} : computed + 1)" if resumed else f"known = {known}"
    decode = f"o - 1 - (known - ({known}))" if resumed else "o - 1"
    first = one_of(draw, slots, "extra")
    return f"""
    hold {first} (1), {kv} ({units}){reserve}{reuse}
         at admission ({bind}, hit = min(cachedin({kv}), known)) {{
      set c = {hit};
      observe wait = now - t0;
      prefill{"[j]" if deployment.engines else ""} (known - c){growing};
      observe ttft = now - t0;
      decode{"[j]" if deployment.engines else ""} ({decode}){growing};
    }} {cache}"""


def errand(draw: Draw, deployment: Deployment) -> str:
    """A hold around an event-driven stage, growing by statement."""
    kv = deployment.member("kv")
    stage = one_of(draw, "svc", "shared", "idle")
    grow = one_of(draw, "", f"grow {kv} ({number(draw, 1, 6)}); ", f"grow {kv} (~uniform(0, 4)); ")
    release = one_of(draw, "", f"release {kv}; ")
    cache = one_of(draw, "", " cache (K + 2)", " cache (5)")
    more = "" if not grow else f"run {one_of(draw, 'idle', 'svc')} ({duration(draw)});"
    return f"""
    hold {kv} ({number(draw, 0, 6)}){one_of(draw, "", " reserve (n)")} {{
      run {stage} ({duration(draw)});
      {grow}{more}
      observe held = used({kv});
      {release}run idle ({duration(draw)});
    }}{cache}"""


def work(draw: Draw, deployment: Deployment) -> str:
    """What one turn does."""
    parts = [request, errand, lambda d, _: f"run {one_of(d, 'svc', 'shared')} ({duration(d)});"]
    chosen = draw(st.lists(st.sampled_from(parts), min_size=1, max_size=2))
    text = "\n".join(part(draw, deployment) for part in chosen)
    if request not in chosen and draw(st.booleans()):
        text = f"hold extra (1) {{ {text} }}"
    return text


@st.composite
def sessions(draw: Draw, deployment: Deployment) -> str:
    """A session of several turns."""
    choose = ""
    if deployment.engines:
        key = one_of(
            draw,
            "holders(slots[j]) + queued(slots[j])",
            "used(kv[j])",
            "-cachedin(kv[j]), queue(engine[j])",
            "~uniform(0, 1)",
        )
        choose = f"choose j in {deployment.engines} by ({key});"
    more = one_of(draw, "turn_no < 3", "turn_no < 1 + serial", "turn_no < 2")
    again = one_of(draw, f"branch ({more})", "branch with (0.6)")
    drop = one_of(draw, "", f"drop {deployment.member('kv')}; ")
    seen = one_of(
        draw,
        "queue(engine" + ("[0]" if deployment.engines else "") + ")",
        "cachedin(" + deployment.member("kv") + ")",
        "busy(svc) + queue(shared)",
        "free(extra)",
        "now - t0 > 2",
    )
    return f"""session {{
  turn;
  loop {{
    set t0 = now;
    {choose}
    {work(draw, deployment)}
    observe seen = {seen};
    observe response = now - t0;
    set K = {one_of(draw, "K + n + o", "min(K + n + o, 9)", "0")};
    {again} {{ run idle (z); turn; }} else {{ {drop}end; }}
  }}
}}"""


@st.composite
def valid_programs(draw: Draw) -> str:
    """A whole program."""
    engines = draw(st.sampled_from([0, 0, 2, 1, 3]))
    cap = number(draw, 6, 30)
    growing = one_of(draw, " growing kv", " growing kv", " growing kv", "")
    deployment = Deployment(engines, cap, growing)
    horizon = number(draw, 5, 60)
    return "\n".join(
        [
            draw(pools(engines, cap)),
            draw(stages(engines)),
            draw(workloads()),
            draw(sessions(deployment)),
            f"run {{ horizon {horizon}; warmup {one_of(draw, '0', '2', '4.5')};"
            f" seed {number(draw, 0, 99)}; }}",
        ]
    )
