"""Programs of the tests of the Python interface and of the command line."""

MM1 = """\
let lam = 0.5;
def law(m) = ~exp(m);
stage svc : fifo;
workload { arrive poisson(lam); }
session {
  set t0 = now;
  run svc (law(1));
  observe sojourn = now - t0;
  observe late = now < 0;
  end;
}
run { horizon 200; warmup 10; seed 1; }
"""

REPLAY = """\
stage gpu : delay;
workload { arrive batch(3); trace "t.csv" ordered; }
session {
  turn;
  loop {
    run gpu (new);
    observe done = now;
    branch (more) { turn; } else { end; }
  }
}
run { horizon 100; seed 1; }
"""

TRACE = "session,turn,new,out,think\n0,0,2,1,0\n0,1,3,1,0\n1,0,7,1,0\n"
