"""Records that the native engine uses again, and what it remembers, leave no trace in an answer.

A session, a job or an event is the record of one before; the capacity of a `ps` stage is evaluated
once for each number of jobs where the number is all it depends on.
"""

import pytest

from tests.native.both import check_same

CAPACITIES = [
    *("1", "min(present, 4)", "present < 3 ? 1 : sqrt(present)", "present * 0"),
    *("2 + 1 / (1 + now)", "~uniform(1, 3)", "1 + busy(line)", "min(present, 1 + used(seats))"),
]
"""The last four depend on more than the number of jobs."""


@pytest.mark.parametrize("capacity", CAPACITIES)
def test_capacities(capacity: str) -> None:
    check_same(f"""
pool seats {{ cap 3; }}
stage shared : ps({capacity});
stage line : fifo (2);
workload {{ arrive poisson(1.5); }}
session {{
  set t0 = now;
  run shared (~exp(1));
  run line (~exp(0.5));
  hold seats (1) {{ run shared (0.1); }}
  observe sojourn = now - t0;
  end;
}}
run {{ horizon 60; seed 2; }}""")


def test_more_jobs_than_capacities_are_remembered_of() -> None:
    check_same("""
stage shared : ps(min(present, 16));
workload { arrive batch (1100); }
session { run shared (serial < 1000 ? 1 : 2); observe t = now; end; }
run { horizon 200; seed 1; }""")


def test_jobs_of_several_stages_are_the_same_records() -> None:
    check_same("""
pool kv { cap 40; block 4; preempt lifo; }
stage engine : step { budget 8; cost 0.1; memory kv; }
stage line : fifo (1);
stage shared : ps(1);
stage rest : delay;
workload { arrive poisson(1); }
session {
  hold kv (4) { run engine prefill (3) growing kv; run engine decode (~uniform(1, 9)) growing kv; }
  run line (~exp(0.3)); run shared (~exp(0.3)); run rest (1); run line (0); observe t = now; end;
}
run { horizon 80; seed 3; }""")


def test_leases_of_sessions_that_have_ended() -> None:
    check_same("""
pool kv { cap 12; }
stage rest : delay;
workload { arrive poisson(2); }
session {
  hold kv (2) { run rest (0.5); } cache (1) lease kv (serial / 2 == floor(serial / 2) ? 0.2 : 3)
  run rest (serial / 3 == floor(serial / 3) ? 0.1 : 4);
  observe held = used(kv);
  end;
}
run { horizon 60; seed 4; }""")
