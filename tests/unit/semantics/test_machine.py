import signal
import threading
import time
from typing import Any

import pytest
from tests.unit.semantics.running import run, samples, stage

FOR_EVER = """stage s : fifo; workload { arrive poisson(0.8); } session { run s (~exp(1)); }
run { horizon 1e9; seed 1; }"""


def test_an_average_reads_what_an_instant_leaves_behind() -> None:
    # At 1 the delay goes from one job to none and to one again: nothing that lasts.
    source = """stage s : delay; workload { arrive batch(1); }
session { run s (1); run s (3); } run { horizon 8; seed 1; }"""
    measured = run(source)
    assert stage(measured, "s").mean_number == 0.5
    assert stage(measured, "s").completed == 2


def test_a_gauge_has_no_point_for_what_an_instant_passes_through() -> None:
    source = """pool kv { cap 9; } stage s : delay; workload { arrive batch(1); }
gauge u = used(kv);
session { hold kv (2) { run s (1); } hold kv (2) { run s (1); } } run { horizon 8; seed 1; }"""
    (gauge,) = run(source).gauges
    assert (list(gauge.times), list(gauge.values)) == ([0.0, 2.0], [2.0, 0.0])


def test_ctrl_c_ends_the_run_between_two_steps() -> None:
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    started = time.monotonic()
    measured = run(FOR_EVER)
    timer.join()
    assert measured.partial
    assert measured.events > 0
    assert time.monotonic() - started < 20
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_outside_the_main_thread() -> None:
    seen: list[Any] = []
    source = FOR_EVER.replace("1e9", "50")
    thread = threading.Thread(target=lambda: seen.append(run(source)))
    thread.start()
    thread.join()
    assert seen[0].events == run(source).events


def test_an_exception_of_progress_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serq.semantics.watch.SECONDS_BETWEEN_REPORTS", 0.0)

    def fail(_progress: object) -> None:
        raise LookupError

    with pytest.raises(LookupError):
        run(FOR_EVER, progress=fail)


NASTY = ("0 / z", "1 / z", "-1 / z", "-3", "1e308 * 10", "5e-324", "-z", "0.5", "1e18")


@pytest.mark.parametrize("value", NASTY)
def test_no_attribute_makes_a_run_fail(value: str) -> None:
    source = f"""
pool kv {{ cap 40; block 4; evict by (x, size * x, age / x); preempt lifo; queue by (x, waited); }}
pool reqs {{ cap 3; admit via e; }}
stage e : step {{ budget 16; cost 0.1 + tokens * 0.01; serve by (x + remaining); memory kv; }}
stage p : ps(1);
stage f : fifo;
gauge g = used(kv) * 0 / free(kv);
workload {{ arrive closed(3); init {{ set z = 0; set x = 0; }}
  turn {{ set x = turn_no == 2 ? {value} : 4; }} }}
session {{
  loop {{
    turn;
    observe a = floor(x) + ceil(x) + sqrt(x) + ln(x) + exp(x) + pow(x, x) + abs(x) + x ^ 3;
    hold reqs (1), kv (min(x, 20)) reserve (min(x, 30)) reuse (x) {{
      run e prefill (min(max(x, 0), 12)) growing kv;
      run e decode (min(max(x, 0), 5)) growing kv;
      grow kv (min(x, 3));
      load kv (0 * x);
      run f (min(x, 2));
    }} cache (x)
    choose j in min(x, 5) by (x * j, ~exp(x));
    run p (min(~uniform(x, 1), 2));
    run f (0.5);
    observe b = price(f, x, x) + est_rho(f) * x + work(p) + budget_left(e);
  }}
}}
run {{ horizon 60; seed 2; }}"""
    measured = run(source)
    assert len(samples(measured, "a")) > 9


@pytest.mark.parametrize("value", ["0 / x", "1 / x", "-1 / x", "-3", "inf", "0", "x", "1e-300"])
@pytest.mark.parametrize("place", ["budget", "cost", "chunk", "key", "capacity", "evict", "spill"])
def test_no_number_of_a_stage_or_a_pool_makes_a_run_fail(value: str, place: str) -> None:
    parts = dict.fromkeys(("budget", "cost", "chunk", "key", "capacity", "evict", "spill"), "1")
    zero = {"capacity": "(present - present)", "evict": "(size - size)", "spill": "(size - size)"}
    parts[place] = value.replace("x", zero.get(place, "(residents - residents)"))
    source = f"""
pool tier {{ cap 9; }}
pool kv {{ cap 12; evict by ({parts["evict"]}); spill tier via f ({parts["spill"]}) when (1); }}
stage e : step {{ budget {parts["budget"]}; cost {parts["cost"]}; chunk {parts["chunk"]};
  serve by ({parts["key"]}); memory kv; }}
stage p : ps({parts["capacity"]});
stage f : fifo;
workload {{ arrive closed(3); }}
session {{ loop {{ hold kv (5) {{ run f (0.2); run e prefill (3); run e decode (2); }} cache (5)
  run p (0.1); observe done = now; }} }}
run {{ horizon 40; seed 2; }}"""
    measured = run(source, limit_events=2000)
    assert measured.events > 0
