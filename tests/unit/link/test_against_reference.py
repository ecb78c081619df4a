"""The IR of a program is the reference's, byte for byte, where the reference is installed."""

from __future__ import annotations

import pytest
from tests.unit.link.linking import linked, program

from serq.ir.write import write_json

reference = pytest.importorskip("pyserq")

ENGINE = """
let B = 512; let bs = 16; let blocks = 39; let N = 2;
pool kv[N] { cap blocks * bs; block bs; evict by (cachedin(kv[0]), -age); preempt lifo; }
pool reqs[N] { cap 8; admit via engine; queue by (size_of, waited); }
pool host { spill kv via pcie (size / 1000 + ~det(1)) when (age > 10 && last < now); }
stage engine[N] : step {
  budget B - residents; chunk 256; serve decode first; memory kv;
  cost max(2e-4 + 2e-9 * (kv_decode + kv_prefill), tokens * 2e-5 + attention * 1e-9);
}
stage pcie : ps (min(present, 4)); stage tool : delay;
gauge fullest = max m in N (used(kv[m]) / free(kv[m])); gauge calls = queue(tool);
workload {
  arrive renewal (~h2(2, 4) + 1 / 3); hidden o; trace "sessions.csv" ordered;
  init { set K = 0; set size_of = ~uniform(1, 2); observe born = now; }
  turn { set n = K == 0 ? ~uniform(1000, 3000) : ~exp(500); set o = ~erlang(2, 100) + 1; }
  session {
    turn;
    loop { request; set K = prompt + o; branch with (0.8) { tool (~exp(3)); turn; } else { end; } }
  }
}
server {
  set t0 = now; set prompt = K + n;
  choose j in N by (queued(reqs[j]), holders(kv[j]) * 2 ^ 0.5, est_wait(engine[j]));
  hold reqs[j] (1), kv[j] (min(known, hit + budget_left(engine[j]))) reserve (known) reuse (most)
       at admission (known = computed < prompt ? prompt : computed + 1,
                     most = floor((known - 1) / blocksize(kv[0])) * bs,
                     hit = min(cachedin(kv[j]), most)) {
    set c = cached; observe hit = c > 0;
    prefill[j] (known - c) growing kv[j];
    decode[j] (o - 1 - (known - prompt)) growing kv[j];
    branch (price(engine[j], c, known - c) >= 1) { release reqs[j]; } else { load kv[j] (0); }
  } cache (prompt + o) lease kv[j] (30);
  drop kv[0]; observe response = now - t0;
}
run { horizon 20000; warmup 2000; seed 18446744073709551615; arrivals 1e3; }
"""

PROGRAMS = [
    ENGINE,
    "run { horizon 1; }",
    "session { } run { horizon 1e17; warmup 1e-7; }",
    "stage s[2] : fifo (3); workload { arrive poisson (1 / 3); } session { run s[1] (1); } "
    "run { horizon 5; }",
    "stage a : ps (2); stage b[2] : ps (inf); share maxmin; workload { arrive closed (4); } "
    "session { loop { run b[serial], a (1); } } run { horizon 9; }",
    "pool kv { cap inf; block 0.5; evict lru; queue fifo; preempt none; } "
    "workload { arrive none; } run { horizon 9; } "
    "session { hold kv (1) { grow kv (-inf); hold kv (2) { } cache (0) } }",
    program("observe o = sum i in 3 (max j in (i + 1) (used(kvs[j]) * i)); set x = -inf;"),
    program(
        "hold kv (b) at admission (a = 1, b = a + serial) { hold reqs (b) { observe o = b; } }"
    ),
    program(
        "branch (!now && 1 || 2 != 3) { loop { turn; end; } } else { observe x = exp(ln(2)); }"
    ),
]


@pytest.mark.parametrize("text", PROGRAMS, ids=range(len(PROGRAMS)))
def test_the_ir_is_the_reference_s(text: str) -> None:
    assert write_json(linked(text)) == reference.compile(source=text).to_json()
