"""Where the definition is more careful than it may seem at first sight."""

import math

import pytest
from tests.unit.semantics.running import pool, refused, run, samples, stage, text_at

from serq.semantics.rng import Streams


def test_every_hold_is_a_holder_of_its_own() -> None:
    source = """pool kv { cap 10; } workload { arrive batch(1); }
session { hold kv (1) { hold kv (2) { observe h = holders(kv); } observe h = holders(kv);
  observe u = used(kv); } observe h = holders(kv); }"""
    measured = run(source)
    assert samples(measured, "h") == [2, 1, 0]
    assert samples(measured, "u") == [1]


def test_a_lease_is_a_holder_and_no_victim() -> None:
    source = """pool kv { cap 10; preempt lifo; } stage s : delay;
workload { arrive batch(2); }
session {
  branch (serial == 0) { hold kv (6) { run s (1); } } else { run s (2); hold kv (4) {
    observe h = holders(kv); grow kv (1); observe got = now; } }
  branch (serial == 0) {
    hold kv (2) { } cache (0) lease kv (5)
    observe h = holders(kv);
    run s (9);
  }
}"""
    measured = run(source)
    assert samples(measured, "h") == [1, 2]
    assert samples(measured, "got") == [2]


def test_keys_that_draw_ask_the_entries_in_release_order() -> None:
    source = """pool kv { cap 3; evict by (~uniform(0, 1)); } stage s : delay;
workload { arrive batch(4); }
session {
  run s (serial < 3 ? 3 - serial : 9); hold kv (1) { } cache (1)
  loop { run s (10); observe c = serial + 10 * cachedin(kv); }
} run { horizon 14; seed 4; }"""
    # Sessions 2, 1, 0 release in this order and draw in it when session 3 needs a unit: the
    # entry with the least draw goes.
    stream = Streams(4).eviction
    draws = [stream.random_f64() for _ in range(3)]
    least = [2, 1, 0][draws.index(min(draws))]
    measured = run(source)
    assert pool(measured, "kv").evicted_entries == 1
    assert [c for c in samples(measured, "c") if c < 10] == [least]


@pytest.mark.parametrize("amount", ["-2", "0 / z", "-inf"])
def test_an_amount_below_nothing_is_nothing_and_noted(amount: str) -> None:
    source = f"""pool kv {{ cap 10; block 1; }} stage s : delay; workload {{ arrive batch(1); }}
session {{ set z = 0; hold kv ({amount}) {{ observe u = used(kv); grow kv ({amount});
  load kv ({amount}); run s ({amount}); observe t = now; }} cache ({amount}) lease kv ({amount})
  observe u = used(kv); }}"""
    measured = run(source)
    assert samples(measured, "u") == [0, 0]
    assert samples(measured, "t") == [0]
    noted = {tuple(z.path[2:]): z.count for z in measured.zeroed if z.path[1] == 2}
    inside = {tuple(z.path[2:]): z.count for z in measured.zeroed if z.path[1] == 3}
    assert noted == {
        (1, "pools", 0, "units"): 2,  # evaluated to join the queue, and to be admitted
        (1, "lease", "time"): 1,
        (1, "cache"): 1,
    }
    assert inside == {(1, "units"): 1, (2, "units"): 1, (3, "work"): 1}


def test_a_served_victim_leaves_the_batch_and_its_tokens_return() -> None:
    # Served from the latest admission on. Session 2 takes 2 of the 6 tokens and fits. Session 1
    # takes 3, needs a third unit, and preempts the resident admitted last: session 2, whose 2
    # tokens return. So session 0 gets all of its 3, where 1 would have been left, and both are
    # done at 1. Nothing of session 2 was computed; it goes alone from 1 to 2.
    source = """pool kv { cap 7; block 1; preempt lifo; }
stage e : step { budget 6; cost 1; serve by (-admission); memory kv; }
workload { arrive batch(3); }
session {
  hold kv (serial == 0 ? 3 : 2) {
    observe again = 10 * serial + computed;
    run e prefill (serial == 2 ? 2 : 3) growing kv;
  } cache (0)
  observe done = 10 * serial + now;
}"""
    measured = run(source)
    assert samples(measured, "done") == [11, 1, 22]
    assert samples(measured, "again") == [0, 10, 20, 20]
    assert pool(measured, "kv").preemptions == 1
    assert stage(measured, "e").iterations == 2


def test_a_pool_of_unlimited_amounts() -> None:
    source = """pool kv { cap inf; } workload { arrive batch(2); }
session { hold kv (inf) { observe u = used(kv); observe f = free(kv); } }"""
    measured = run(source)
    assert samples(measured, "u")[0] == math.inf
    assert math.isnan(samples(measured, "f")[0])


def test_a_load_beyond_the_allocation() -> None:
    source = """pool kv { cap 10; } workload { arrive batch(1); }
session { hold kv (3) { load kv (2); load kv (2); } }"""
    diagnostic = refused(source)
    assert diagnostic.code == "SQ603"
    assert text_at(diagnostic).startswith("load kv (2)")
    assert "3 units, 2 of them" in diagnostic.message


def test_growing_another_member_than_the_hold_named() -> None:
    source = """pool kv[2] { cap 10; } workload { arrive batch(1); }
session { set j = 0; hold kv[j] (3) { set j = 1; grow kv[j] (2); } }"""
    diagnostic = refused(source)
    assert diagnostic.code == "SQ607"
    assert text_at(diagnostic).startswith("grow kv[j] (2)")


def test_a_release_of_nothing_serves_the_queues_all_the_same() -> None:
    # Session 1 draws its units when it joins the queue (1), at the two attempts of instant 0 (2,
    # 3), and at the attempt of session 2's release (4), so that session 2 has the fifth draw.
    source = """pool kv { cap 1; } pool side { cap 1; } stage s : delay;
workload { arrive batch(3); }
session {
  branch (serial == 0) { hold kv (1) { run s (9); } }
  branch (serial == 1) { hold kv (1 + 0 * ~uniform(0, 1)) { } }
  branch (serial == 2) { run s (1); release side; observe x = ~uniform(0, 1); }
  branch (0 == serial + 1) { hold side (1) { } cache (0) lease side (1) }
}"""
    stream = Streams(1).session
    fifth = [stream.random_f64() for _ in range(5)][4]
    assert samples(run(source), "x") == [fifth]
