"""Fleets too large for the processor's caches: what events lead to is fetched ahead.

The answer is that of the Python engine. Sessions go from engine to engine, so that each has
prefixes in many caches.
"""

import pytest

from tests.native.both import check_same

FLEET = """
let N = {engines};
pool kv[{engines}] {{ cap {blocks} * 16; block 16; {evict} preempt lifo; {spill} }}
pool store {{ cap 4000; block 16; evict lru; }}
pool reqs[{engines}] {{ cap 3; admit via engine; }}
stage engine[{engines}] : step {{
  budget 64;
  cost 0.01 + 1e-3 * decoders + 1e-5 * kv_decode + 2e-4 * prefilled;
  memory kv;
}}
stage link : fifo(1);
stage tool : {tool};
workload {{
  arrive poisson(40);
  init {{ set K = 0; }}
  turn {{ set n = floor(~exp(60)) + 1; set o = floor(~exp(20)) + 2; }}
}}
session {{
  turn;
  loop {{
    {route}
    set prompt = K + n;
    set t0 = now;
    hold reqs[home] (1), kv[home] (min(known, hit + budget_left(engine[home]))) reserve (known)
         at admission (known = computed < prompt ? prompt : computed + 1,
                       hit = min(cachedin(kv[home]), floor((known - 1) / 16) * 16)) {{
      set c = min(cached, floor((known - 1) / 16) * 16);
      run engine[home] prefill (known - c) growing kv[home];
      observe ttft = now - t0;
      run engine[home] decode (o - 1 - (known - prompt)) growing kv[home];
    }} cache (prompt + o);
    set K = prompt + o > 300 ? 0 : prompt + o;
    branch with (0.92) {{ run tool (~exp(0.2)); turn; }} else {{ end; }}
  }}
}}
run {{ horizon {horizon}; warmup 1; seed 5; }}"""

ANYWHERE = "set home = floor(~uniform(0, N));"


@pytest.mark.parametrize("engines", [127, 128, 200])
@pytest.mark.parametrize(
    "parts",
    [
        {"tool": "delay", "evict": "evict lru;", "route": ANYWHERE},
        {
            "tool": "ps(30)",
            "evict": "evict lru;",
            "route": "choose home in N by (work(engine[home]));",
        },
        {"tool": "fifo(30)", "evict": "evict by (size, age);", "route": ANYWHERE},
    ],
)
def test_answers(engines: int, parts: dict[str, str]) -> None:
    """Also just below and at the number of engines from which on it is done."""
    check_same(FLEET.format(engines=engines, blocks=40, horizon=5, spill="", **parts))


@pytest.mark.parametrize("blocks", [40, 1000])
@pytest.mark.parametrize("spill", ["", "spill store via link (0) when (age > 0.5);"])
def test_prefixes_in_many_caches(blocks: int, spill: str) -> None:
    """A session has prefixes of its own in more caches than it is worth to look through."""
    parts = {"tool": "delay", "evict": "evict lru;", "route": ANYWHERE}
    check_same(FLEET.format(engines=40, blocks=blocks, horizon=20, spill=spill, **parts))
