"""What a figure of the deployment shows: stops, ways, guards, pools around them."""

from __future__ import annotations

from serq.view.network import Network, network
from tests.view.programs import WORKLOAD, ir


def net(declared: str, session: str) -> Network:
    return network(ir(f"{declared}\n{WORKLOAD}session {{ {session} }}"))


def edges(found: Network) -> set[tuple[str, str, str]]:
    return {(link.source, link.target, link.label) for link in found.links}


def held(found: Network) -> dict[str, set[str]]:
    return {pool.title: set(each.members) for each in found.enclosures for pool in each.pools}


def test_a_stage_is_drawn_once_however_often_it_is_visited() -> None:
    found = net("stage a : fifo; stage b : delay;", "run a (1); run b (2); run a (3);")
    assert found.order == ("source", "stage a", "stage b", "sink")
    assert edges(found) == {
        ("source", "stage a", ""),
        ("stage a", "stage b", "visit 1"),
        ("stage b", "stage a", ""),
        ("stage a", "sink", "visit 2"),
    }
    assert found.stops["stage a"].lines == ["(1)", "(3)"]


def test_a_loop_goes_back_to_where_its_body_begins() -> None:
    found = net(
        "stage a : fifo; stage b : delay;",
        "loop { run a (1); branch with (0.75) { run b (1); } else { end; } }",
    )
    assert edges(found) == {
        ("source", "stage a", ""),
        ("stage a", "stage b", "w.p. 0.75"),
        ("stage a", "sink", "w.p. 0.25"),
        ("stage b", "stage a", ""),
    }


def test_a_branch_without_a_stop_needs_no_guard() -> None:
    found = net("stage a : fifo;", "branch (now > 3) { set x = 1; } else { set x = 2; } run a (x);")
    assert edges(found) == {("source", "stage a", ""), ("stage a", "sink", "")}


def test_guards_of_branches_in_one_another_are_joined() -> None:
    found = net(
        "stage a : fifo; stage b : fifo;",
        "branch (now > 3) { branch (serial == 1) { run a (1); } end; } run b (1);",
    )
    assert ("source", "stage a", "now > 3 and serial == 1") in edges(found)
    assert ("source", "stage b", "else") in edges(found)
    assert ("source", "sink", "now > 3") in edges(found)


def test_probabilities_on_one_way_are_multiplied_and_of_two_ways_added() -> None:
    one = net("stage a : fifo;", "branch with (0.5) { branch with (0.5) { run a (1); } }")
    assert ("source", "stage a", "w.p. 0.25") in edges(one)
    assert ("source", "sink", "w.p. 0.75") in edges(one)


def test_pools_of_one_hold_share_an_enclosure_and_the_first_has_the_queue() -> None:
    found = net(
        "pool r { cap 4; } pool kv { cap 9; } stage a : fifo;", "hold r (1), kv (2) { run a (1); }"
    )
    assert [pool.title for pool in found.enclosures[0].pools] == ["r", "kv"]
    assert edges(found) == {
        ("source", "gate pool r", ""),
        ("gate pool r", "stage a", ""),
        ("stage a", "sink", ""),
    }


def test_nobody_waits_for_pools_without_a_cap() -> None:
    found = net("pool r { } stage a : fifo;", "hold r (1) { run a (1); }")
    assert found.order == ("source", "stage a", "sink")
    assert held(found) == {"r": {"stage a"}}


def test_a_leased_pool_stays_around_stops_until_it_is_released() -> None:
    found = net(
        "pool p { cap 9; } pool d { cap 9; } stage a : fifo; stage link : delay; stage b : fifo;",
        "hold p (1) { run a (1); } lease p (inf)"
        " hold d (1) { transfer 1 from p to d (0); run b (1); }",
    )
    assert held(found) == {
        "p": {"stage a", "gate pool d", "stage link"},
        "d": {"stage link", "stage b"},
    }


def test_a_hold_of_nothing_encloses_nothing_unless_it_grows() -> None:
    declared = "pool r { cap 4; } stage a : fifo;"
    assert held(net(declared, "hold r (0) { run a (1); }")) == {}
    assert held(net(declared, "hold r (0) { grow r (2); run a (1); }")) == {"r": {"stage a"}}


def test_a_pool_held_at_some_visits_encloses_nothing_and_is_shown_beside() -> None:
    found = net("pool r { cap 4; } stage a : fifo;", "hold r (1) { run a (1); } run a (2);")
    assert held(found) == {}
    assert [unit.title for unit in found.loose] == ["r"]


def test_a_hold_in_which_no_time_passes_is_a_stop() -> None:
    found = net("pool r { cap 4; } stage a : fifo;", "hold r (1) { grow r (2); } run a (1);")
    passing = next(stop for stop in found.stops.values() if stop.key.startswith("pass"))
    assert passing.lines == ["grow r (2)"]
    assert held(found) == {"r": {passing.key}}


def test_what_grows_in_a_hold_is_what_stays_cached() -> None:
    declared = "pool r { cap 4; } pool kv { cap 9; } stage e : step { budget 8; cost 1; }"
    grown = net(declared, "hold r (1), kv (1) { prefill 3 growing kv; } cache (3)")
    assert grown.caching == {"pool kv"}
    whole = net(declared, "hold r (1), kv (1) { prefill 3; } cache (3)")
    assert whole.caching == {"pool r", "pool kv"}


def test_an_engine_serves_the_queue_of_its_pool() -> None:
    found = net(
        "pool r[2] { cap 4; admit via e; } stage e[2] : step { budget 8; cost 1; }",
        "choose i in 2 by (queued(r[i])); hold r[i] (1) { run e[i] prefill (3); }",
    )
    assert [(each.source, each.target) for each in found.admissions] == [
        ("stage e[2]", "gate pool r[2]")
    ]
    assert found.stops["router 1"].lines == ["i in 2 by (queued(r[i]))"]


def test_members_that_are_named_by_numbers_are_apart() -> None:
    found = net("stage e[2] : fifo;", "run e[0] (1); run e[1] (1);")
    assert found.order == ("source", "stage e[0]", "stage e[1]", "sink")


def test_a_test_that_is_a_constant_leaves_one_way() -> None:
    session = "branch ({}) {{ run a (1); }} else {{ run b (1); }}"
    for test, taken in (("1", "stage a"), ("0", "stage b"), ("1 && !0", "stage a")):
        found = net("stage a : fifo; stage b : fifo;", session.format(test))
        assert found.order == ("source", taken, "sink")
        assert edges(found) == {("source", taken, ""), (taken, "sink", "")}


def test_both_arms_of_a_branch_to_one_stop_are_one_way() -> None:
    found = net("stage a : fifo;", "branch (now > 3) { run a (1); } else { run a (2); }")
    assert edges(found) == {("source", "stage a", ""), ("stage a", "sink", "")}
