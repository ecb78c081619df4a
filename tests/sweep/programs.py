"""Programs for the tests of sweeps."""

QUEUE = """
let rate = 0.5;
let servers = 1;
def need() = ~exp(1);
stage svc : fifo (servers);
workload { arrive poisson (rate); }
session { set sent = now; run svc (need()); observe response = now - sent; end; }
run { horizon 400; warmup 40; seed 3; }
"""
"""One observation, two constants, a definition."""

FLEET = """
let replicas = 2;
pool slots[replicas] { cap 1; }
stage engine[replicas] : fifo;
workload { arrive poisson (0.8); }
session {
  choose r in replicas by (queued(slots[r]) + holders(slots[r]));
  set sent = now;
  hold slots[r] (1) { run engine[r] (~exp(1)); }
  observe response = now - sent;
  end;
}
gauge busiest = max k in replicas (queued(slots[k]));
run { horizon 400; warmup 40; seed 1; }
"""
"""Arrays that a constant sizes."""

FAILING = """
let guard = 1;
let rate = 1;
workload { arrive poisson (rate); }
session { observe arrived = now; branch (guard * serial) { } end; }
run { horizon 20; seed 1; }
"""
"""Fails in the run, at the third session, unless `guard` is 0."""
