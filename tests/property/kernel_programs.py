"""Strategies for the rest of the kernel: the crowded deployments of `programs` with queues that
have keys, exclusive prefill, spilling, prices and gauges, and deployments in which the KV moves
from a prefill engine to a decode engine: leases, loads, and flows over two NICs.

Kept out besides what `programs` keeps out: exclusive prefill with growth in a pool that is not the
engine's memory, where a decode already served may be the victim; its tokens return to the budget
here, and are lost in the reference.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.property.drawing import Draw, arrivals, duration, lengths, maybe, number, one_of
from tests.property.programs import (
    Deployment,
    More,
    deployments,
    pools,
    run_block,
    sessions,
    stages,
    workloads,
)


def queue_keys(draw: Draw, engine: str) -> str:
    """How a pool selects who is admitted next."""
    keys = one_of(
        draw,
        "n",
        "-waited",
        "waited > 2 ? 0 : 1, n",
        "turn_no, -serial",
        f"queue({engine}), -n",
        f"budget_left({engine}) > 3 ? n : -n",
        "est_wait(svc) * n - waited",
    )
    return f"queue by ({keys}); "


def gauges(draw: Draw, deployment: Deployment) -> str:
    """Time averages of the deployment's state."""
    kv = "kv[0]" if deployment.memories else "kv"
    first = "[0]" if deployment.engines else ""
    expressions = [
        f"used({kv})",
        f"holders({kv}) > 1 && queued(slots{first}) > 0",
        f"busy(engine{first}) - queue(engine{first}) / 2",
        "est_lambda(svc) * est_wait(svc)",
    ]
    if deployment.memories:
        members = deployment.memories
        expressions.append(f"max i in {members} (used(kv[i])) - min i in {members} (used(kv[i]))")
    chosen = draw(st.lists(st.sampled_from(expressions), max_size=2, unique=True))
    return "\n".join(f"gauge g{i} = {expression};" for i, expression in enumerate(chosen))


def spilling(draw: Draw, deployment: Deployment) -> tuple[str, str]:
    """The option that spills evicted prefixes of `kv`, and the tier they go to."""
    works = "size", "size * 0.1", "~exp(size)", "size - 2", "age / 2"
    whens = "1", "1", "size > 1", "~bernoulli(0.5)", "age > 2 || waiting", "cachedin(tier) == 0"
    via = one_of(draw, "svc", "shared", "idle", "disk")
    option = f"spill tier via {via} ({one_of(draw, *works)}) when ({one_of(draw, *whens)}); "
    evict = one_of(draw, "evict lru; ", "evict by (size); ", "evict by (serial, -last); ")
    block = one_of(draw, "", "block 1; ", "block 3; ")
    tier = f"pool tier {{ cap {number(draw, 1, 3 * deployment.cap)}; {block}{evict}}}\n"
    return option, tier


@st.composite
def crowded_programs(draw: Draw) -> str:
    """A crowded deployment with some of the rarer options."""
    arrive = arrivals(draw)
    deployment = draw(deployments("closed" in arrive))
    first = "[0]" if deployment.engines else ""
    engine = f"engine{first}"
    price = f"price({engine}, {'floor(size / 2)' if draw(st.booleans()) else '0'}, size / 4)"
    options = {
        "kv": one_of(draw, "", f"evict by ({price}); ", f"evict by (-{price}, age); "),
        "slots": "",
        "extra": "",
    }
    for pool in options:
        if draw(st.integers(0, 2)) == 2:
            options[pool] += queue_keys(draw, engine)
    more = More(
        sights=(
            f"price({engine}, K, n)",
            "est_rho(svc)",
            f"est_lambda({engine}) - est_wait({engine})",
        ),
        keys=("est_wait(engine[j])", "price(engine[j], cachedin(kv[j]), n)")
        if deployment.memories
        else (),
        parts=("", "observe work = work(svc) + work(idle);", f"observe work = work({engine});"),
    )
    tier = ""
    if draw(st.booleans()):
        spill, tier = spilling(draw, deployment)
        options["kv"] += spill
        fetch = "hold tier (min(cachedin(tier), 3)) { run svc (0.5 + cached); } cache (n)"
        more = More(
            (*more.sights, "cachedin(tier)", "used(tier)"),
            more.keys,
            (*more.parts, "drop tier;", fetch),
        )
    serve = maybe(draw, "serve exclusive prefill; ")
    return "\n".join(
        [
            tier + draw(pools(deployment, options)),
            draw(stages(deployment, serve)) + ("\nstage disk : fifo;" if tier else ""),
            draw(workloads(arrive, deployment.cap)),
            draw(sessions(deployment, more)),
            gauges(draw, deployment),
            run_block(draw),
        ]
    )


def engine_options(draw: Draw, memory: str) -> str:
    """An engine of a split deployment."""
    cost = one_of(draw, "1", "0.3 + 0.1 * tokens", "0.2 + 0.02 * (kv_decode + kv_prefill)")
    chunk = one_of(draw, "", "chunk 2; ")
    serve = one_of(draw, "", "serve by (remaining); ", "serve exclusive prefill; ")
    without = [] if "exclusive" in serve else [""]
    option = one_of(draw, f"memory {memory}; ", f"memory {memory}; ", *without)
    return f"step {{ budget {number(draw, 2, 12)}; cost {cost}; {chunk}{serve}{option}}}"


def memory_options(draw: Draw, cap: int) -> str:
    """A memory of a split deployment."""
    block = one_of(draw, "", "block 1; ", "block 2; ")
    preempt = one_of(draw, "preempt lifo; ", "preempt lifo; ", "")
    return f"cap {cap}; {block}evict {one_of(draw, 'lru', 'by (size)', 'by (-age, K)')}; {preempt}"


def split_session(draw: Draw, prefills: str, decodes: str, cap: int) -> str:
    """Prefill on one engine, a transfer, decode on another; the lease ends with the transfer."""
    i, j = "[i]" if prefills else "", "[j]" if decodes else ""
    prompt = one_of(draw, f"min(K + n, {cap // 2})", "n")
    choose = f"choose i in {prefills} by (queue(P[i]) + queued(slotsP[i]));" if prefills else ""
    if decodes:
        key = one_of(draw, "used(kvD[j])", "-cachedin(kvD[j])")
        choose += f" choose j in {decodes} by ({key});"
    lease = one_of(draw, "inf", "2", "~exp(1)", "0", "0.5")
    read = one_of(draw, f"run out{i}, in{j} (x / 2);", f"run in{j} (x);", f"run in{j}, out{i} (z);")
    load = one_of(draw, f"load kvD{j} (x);", f"load kvD{j} (x);", "")
    growing = one_of(draw, f" growing kvD{j}", f" growing kvD{j}", "")
    slots = draw(st.booleans())
    decode = f"run D{j} decode (o){growing};"
    return f"""session {{
  turn; run idle (0.25);
  loop {{
    set t0 = now;
    {choose}
    set p = {prompt};
    hold slotsP{i} (1), kvP{i} (min(p, {one_of(draw, "2", f"budget_left(P{i})")})) {{
      run P{i} prefill (p - min(cached, p - 1)) growing kvP{i};
      observe first = now - t0;
    }} {one_of(draw, "cache (p)", "cache (p - 1)")} lease kvP{i} ({lease})
    hold kvD{j} (p){one_of(draw, "", " reserve (p + o)", " reserve (p + 1)")} reuse (p - 1) {{
      set x = p - min(cached, p - 1);
      observe hit = cached;
      {read}
      {load}
      {one_of(draw, f"release kvP{i};", f"release kvP{i};", "")}
      {f"hold slotsD{j} (1) {{ {decode} }}" if slots else decode}
    }} cache (p + o)
    release kvP{i};
    observe response = now - t0;
    observe kept = cachedin(kvP{i}) + 100 * used(kvP{i});
    set K = p + o;
    branch (turn_no < {number(draw, 1, 4)}) {{ run idle ({duration(draw)}); turn; }}
    else {{ end; }}
  }}
}}"""


@st.composite
def split_programs(draw: Draw) -> str:
    """A deployment of prefill engines and decode engines, joined by their NICs."""
    prefills, decodes = one_of(draw, "", "2", "3"), one_of(draw, "", "2")
    p, d = (f"[{members}]" if members else "" for members in (prefills, decodes))
    cap = number(draw, 6, 24)
    session = split_session(draw, prefills, decodes, cap)
    together = ", in" in session or ", out" in session
    share = f"share {one_of(draw, 'maxmin', 'bottleneck')};" if together else ""
    gauge = maybe(draw, f"gauge load = queue(out{p and '[0]'}) + busy(in{d and '[0]'});")
    return "\n".join(
        [
            share,
            f"pool kvP{p} {{ {memory_options(draw, cap)}}}",
            f"pool slotsP{p} {{ cap {number(draw, 1, 4)}; {maybe(draw, 'admit via P; ')}}}",
            f"pool kvD{d} {{ {memory_options(draw, number(draw, cap, 30))}}}",
            f"pool slotsD{d} {{ cap {number(draw, 1, 4)}; {maybe(draw, 'admit via D; ')}}}",
            f"stage P{p} : {engine_options(draw, 'kvP')}",
            f"stage D{d} : {engine_options(draw, 'kvD')}",
            f"stage out{p} : ps({one_of(draw, '1', '4', '2.5')});",
            f"stage in{d} : ps({one_of(draw, '1', '3', '0.7')});",
            "stage idle : delay;",
            f"workload {{ arrive {arrivals(draw)}; init {{ set K = 0; }}",
            f"  turn {{ set n = {lengths(draw, cap // 2)}; set o = {lengths(draw, 6)};"
            f" set z = {duration(draw)}; }} }}",
            session,
            gauge,
            run_block(draw),
        ]
    )


def kernel_programs() -> st.SearchStrategy[str]:
    """Either."""
    return st.one_of(crowded_programs(), split_programs())
