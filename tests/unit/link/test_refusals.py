"""Each rule of the linker and of the finished IR: the code and the place of what breaks it.

`⟪` marks where the finding points; everything else in the text is in order.
"""

from __future__ import annotations

import pytest
from tests.unit.link.linking import assert_refused, program

SESSIONS = [
    # names
    ("SQ201", "set x = ⟪nope;"),
    ("SQ201", "set x = min(⟪nope, ⟪zip);"),
    ("SQ201", "set x = ⟪kv;"),
    ("SQ201", "observe x = ⟪x;"),
    ("SQ205", "hold ⟪nope (1) { }"),
    ("SQ205", "set x = used(⟪svc);"),
    ("SQ205", "drop ⟪nope;"),
    ("SQ206", "run ⟪nope (1);"),
    ("SQ206", "set x = queue(⟪kv);"),
    ("SQ207", "set x = ⟪round(1);"),
    ("SQ208", "set x = ⟪min(1);"),
    ("SQ208", "set x = ⟪used();"),
    ("SQ208", "set x = ~⟪exp(1, 2);"),
    ("SQ209", "set x = ⟪used(1 + 1);"),
    ("SQ209", "set x = max(⟪kvs[0], 1);"),
    ("SQ209", "set x = blocksize(⟪reqs);"),
    ("SQ211", "run ⟪ds (1);"),
    ("SQ211", "set x = ⟪used(kvs);"),
    ("SQ212", "run ⟪ds[3] (1);"),
    ("SQ212", "run ⟪ds[1.5] (1);"),
    ("SQ212", "run ⟪ds[0 / 0] (1);"),
    ("SQ212", "run ⟪svc[1] (1);"),
    ("SQ212", "set x = used(⟪kvs[-1]);"),
    ("SQ212", "set x = blocksize(⟪kvs[3]);"),
    ("SQ213", "set x = ⟪ntok;"),
    ("SQ216", "set x = ~⟪normal(1, 1);"),
    ("SQ203", "set ⟪present = 1; set x = present;"),
    ("SQ203", "choose ⟪inf in 2 by (1);"),
    # moments and effects
    ("SQ301", "set x = ⟪tokens;"),
    ("SQ301", "hold kv (⟪size) { }"),
    ("SQ301", "hold kv (1) { } cache (⟪waited)"),
    ("SQ301", "run ds[⟪present] (1);"),
    ("SQ303", "set x = used(kv); hold kv (⟪x) { }"),
    ("SQ303", "set x = used(kv); branch (serial == 1) { set x = 1; } hold kv (⟪x) { }"),
    ("SQ303", "set x = queue(svc); loop { hold kv (1) reserve (1 + ⟪x) { } end; }"),
    ("SQ303", "set x = used(kv); hold kv (1) { } cache (⟪x)"),
    ("SQ303", "set x = used(kv); hold kv (used(kvs[⟪x])) { }"),
    ("SQ305", "hold kv (1) { set x = ⟪cached; }"),
    ("SQ305", "hold kv (1) { loop { branch (⟪cached == 0) { end; } } }"),
    ("SQ305", "hold kv (1) { hold reqs (⟪cached) { } cache (1) }"),
    ("SQ421", "hold kv (1) reuse (⟪1) { }"),
    # structure
    ("SQ404", "⟪run engine (1);"),
    ("SQ405", "⟪run svc prefill (1);"),
    ("SQ405", "hold kv (1) { ⟪run svc (1) growing kv; }"),
    ("SQ406", "⟪grow kv (1);"),
    ("SQ406", "run engine prefill (1) growing ⟪kv;"),
    ("SQ407", "⟪release kv;"),
    ("SQ407", "hold kvs[0] (1) { ⟪release kvs[1]; }"),
    ("SQ407", "set i = 1; hold kvs[i] (1) { ⟪release kvs[1]; }"),
    ("SQ408", "branch (⟪0.5) { }"),
    ("SQ408", "branch (⟪2) { }"),
    ("SQ415", "run ps1, ⟪svc (1);"),
    ("SQ415", "run ps1, ⟪ps1 (1);"),
    ("SQ417", "hold kv (1) { } lease ⟪reqs (1)"),
    ("SQ417", "hold kvs[0] (1) { } lease ⟪kvs[1] (1)"),
    ("SQ418", "⟪load kv (1);"),
    ("SQ418", "hold kv (1) { } lease kv (9) ⟪load kv (1);"),
    # aggregates
    ("SQ420", "set j = 1; set x = ⟪max j in 2 (j);"),
    ("SQ420", "set x = ⟪max kv in 2 (1);"),
    ("SQ420", "set x = ⟪max now in 2 (now);"),
    ("SQ420", "set x = ⟪max j in 0 (j);"),
    ("SQ420", "set x = ⟪max j in 1.5 (j);"),
    ("SQ420", "set n = 2; set x = max j in ⟪n (j);"),
    ("SQ420", "set x = ⟪sum j in 4097 (j);"),
    ("SQ420", "set x = max i in 64 (⟪max j in 64 (i + j));"),
    ("SQ201", "set x = max j in ⟪nope (j);"),
    ("SQ212", "set x = max k in 4 (used(⟪kvs[k]));"),
    ("SQ201", "set x = max j in 3 (⟪nope);"),
    # header bindings
    ("SQ130", "hold kv (b) at admission (b = 1, ⟪b = 2) { }"),
    ("SQ302", "hold kv (b) at admission (b = 1 + ⟪~exp(1)) { }"),
    ("SQ130", "hold kv (b) at admission (⟪b = a, a = 1) { }"),
    ("SQ131", "hold kv (b) at admission (⟪b = cachedin(kv)) { set x = b; }"),
    ("SQ131", "hold kv (b) at admission (a = now, ⟪b = a) { set x = b; }"),
    ("SQ131", "hold kv (b) at admission (⟪b = cached) { set x = b; } cache (1)"),
    ("SQ130", "set b = 1; hold kv (b) at admission (⟪b = 2) { set x = b; }"),
    ("SQ130", "hold kv (1) at admission (⟪reqs = 2) { set x = reqs; }"),
    ("SQ130", "hold kv (1) at admission (⟪serial = 2) { set x = serial; }"),
    ("SQ130", "hold kv (1) at admission (⟪b = 1) { set x = b; } set y = b;"),
    ("SQ130", "hold kv (1) at admission (⟪b = b) { set x = b; }"),
    ("SQ201", "hold kvs[⟪b] (1) at admission (b = 1) { }"),
    ("SQ201", "hold kv (b) at admission (b = ⟪nope) { set x = b; }"),
    # serving forms
    ("SQ115", "⟪prefill 1;"),
    ("SQ114", "⟪tool 1;"),
    ("SQ206", "decode on ⟪nope 1;"),
    ("SQ404", "⟪tool on engine 1;"),
]


@pytest.mark.parametrize(("code", "session"), SESSIONS, ids=[row[1] for row in SESSIONS])
def test_session(code: str, session: str) -> None:
    share = "share maxmin;" if code == "SQ415" else ""
    assert_refused(code, program(session, items=share))


ITEMS = [
    # constants
    ("SQ302", "let x = ~⟪exp(1);"),
    ("SQ306", "let x = ⟪now;"),
    ("SQ306", "let x = 1 + used(⟪kv);"),
    ("SQ306", "let x = ⟪blocksize(kv);"),
    ("SQ306", "let x = ⟪serial;"),
    ("SQ306", "let x = ⟪K;"),
    ("SQ201", "let x = 0 && ⟪nope;"),
    ("SQ201", "let x = ⟪y; let y = 1;"),
    ("SQ401", "let x = ⟪0 / 0;"),
    ("SQ401", "let x = ⟪inf - inf;"),
    ("SQ207", "let x = ⟪round(2);"),
    ("SQ208", "let x = ⟪min(2);"),
    ("SQ203", "let ⟪tokens = 1;"),
    ("SQ203", "let ⟪inf = 1;"),
    ("SQ204", "let ⟪serial = 1;"),
    # pools
    ("SQ202", "pool ⟪kv { }"),
    ("SQ202", "pool ⟪kvs[2] { }"),
    ("SQ401", "pool q { cap ⟪0 / 0; }"),
    ("SQ306", "pool q { cap ⟪K; }"),
    ("SQ402", "pool q { block ⟪0; }"),
    ("SQ402", "pool q { block ⟪-1; }"),
    ("SQ301", "pool q { evict by (size, ⟪tokens); }"),
    ("SQ301", "pool q { queue by (⟪size); }"),
    ("SQ302", "pool q { queue by (waited + ⟪~exp(1)); }"),
    ("SQ206", "pool q { admit via ⟪nope; }"),
    ("SQ206", "pool q { admit via ⟪kv; }"),
    ("SQ414", "pool q { admit via ⟪svc; }"),
    ("SQ215", "pool q { admit via ⟪es; }"),
    ("SQ215", "pool q[2] { admit via ⟪es; }"),
    ("SQ205", "pool q { spill ⟪nope via svc (1) when (1); }"),
    ("SQ206", "pool q { spill kv via ⟪nope (1) when (1); }"),
    ("SQ301", "pool q { spill kv via svc (⟪waited) when (1); }"),
    # stages
    ("SQ202", "stage ⟪svc : delay;"),
    ("SQ411", "stage q : fifo (⟪0);"),
    ("SQ411", "stage q : fifo (⟪1.5);"),
    ("SQ411", "stage q : fifo (⟪inf);"),
    ("SQ401", "stage q : fifo (⟪0 / 0);"),
    ("SQ301", "stage q : ps (⟪residents);"),
    ("SQ301", "stage q : step { budget ⟪tokens; cost 1; }"),
    ("SQ301", "stage q : step { chunk ⟪attention; cost 1; }"),
    ("SQ301", "stage q : step { cost ⟪present + ⟪remaining; }"),
    ("SQ301", "stage q : step { cost 1; serve by (⟪tokens); }"),
    ("SQ302", "stage q : step { cost 1; serve by (⟪~exp(1)); }"),
    ("SQ205", "stage q : step { cost 1; memory ⟪nope; }"),
    ("SQ215", "stage q[2] : step { cost 1; memory ⟪kvs; }"),
    # gauges
    ("SQ307", "gauge g = ⟪K;"),
    ("SQ307", "gauge g = ⟪now;"),
    ("SQ302", "gauge g = ⟪~exp(1);"),
    ("SQ307", "gauge g = ⟪work(svc) + ⟪budget_left(engine) + ⟪cachedin(kv);"),
    ("SQ307", "gauge g = queue(⟪ds[queue(svc)]);"),
    ("SQ301", "gauge g = ⟪tokens;"),
    ("SQ212", "gauge g = queue(⟪ds[5]);"),
    ("SQ202", "gauge g = 1; gauge ⟪g = 2;"),
    ("SQ202", "gauge ⟪o = 1;"),
    ("SQ416", "⟪share maxmin;"),
]


@pytest.mark.parametrize(("code", "items"), ITEMS, ids=[row[1] for row in ITEMS])
def test_item(code: str, items: str) -> None:
    assert_refused(code, program("set K = 1; observe o = K;", items=items))


WORKLOADS = [
    ("SQ401", "arrive poisson (⟪0 / 0);"),
    ("SQ410", "arrive poisson (⟪0);"),
    ("SQ410", "arrive poisson (⟪1 / 0);"),
    ("SQ410", "arrive poisson (⟪-1);"),
    ("SQ411", "arrive closed (⟪2.5);"),
    ("SQ411", "arrive closed (⟪-1);"),
    ("SQ411", "arrive batch (⟪inf);"),
    ("SQ410", "arrive renewal (⟪1 - 1);"),
    ("SQ410", "arrive renewal (⟪inf);"),
    ("SQ301", "arrive renewal (1 + ⟪K);"),
    ("SQ301", "arrive renewal (⟪now);"),
    ("SQ301", "arrive renewal (⟪used(kv));"),
    ("SQ409", "arrive batch (1); init { ⟪run nope (nope); }"),
    ("SQ409", "arrive batch (1); turn { ⟪branch (1) { set x = nope; } }"),
    ("SQ201", "arrive batch (1); hidden ⟪nope;"),
    ("SQ202", "arrive batch (1); hidden K, ⟪K;"),
    ("SQ304", "arrive batch (1); hidden ⟪cached;"),
    ("SQ304", "arrive batch (1); hidden ⟪computed;"),
]


@pytest.mark.parametrize(("code", "workload"), WORKLOADS, ids=[row[1] for row in WORKLOADS])
def test_workload(code: str, workload: str) -> None:
    assert_refused(code, program("set K = 1;", workload=workload))


RUNS = [
    ("SQ413", "⟪run { warmup 1; }"),
    ("SQ402", "run { horizon ⟪inf; }"),
    ("SQ402", "run { horizon ⟪0; }"),
    ("SQ401", "run { horizon ⟪0 / 0; }"),
    ("SQ412", "run { horizon 10; warmup ⟪10; }"),
    ("SQ402", "run { horizon 10; warmup ⟪-1; }"),
    ("SQ401", "run { horizon 10; seed ⟪0 / 0; }"),
    ("SQ411", "run { horizon 10; arrivals ⟪2.5; }"),
    ("SQ411", "run { horizon 10; arrivals ⟪0; }"),
    ("SQ201", "run { horizon ⟪nope; warmup 20; }"),
]


@pytest.mark.parametrize(("code", "run"), RUNS, ids=[row[1] for row in RUNS])
def test_run(code: str, run: str) -> None:
    assert_refused(code, "stage s : delay;\nworkload { arrive poisson (1); }\nsession { }\n" + run)


def test_a_program_without_a_run_has_no_horizon() -> None:
    assert_refused("SQ413", "⟪stage s : delay;\nsession { run s (1); }\n")


def test_a_limit_of_arrivals_needs_an_open_workload() -> None:
    assert_refused("SQ419", program(run="horizon 10; arrivals ⟪3;"))


HIDDEN_FROM = [
    "hold kv (⟪o) { }",
    "hold kv (1) reserve (⟪o) { }",
    "hold kv (1) reuse (⟪o) { } cache (1)",
    "hold kv (b) at admission (b = 1 + ⟪o) { }",
]


@pytest.mark.parametrize("session", HIDDEN_FROM)
def test_a_hidden_attribute_is_not_read_at_the_admission(session: str) -> None:
    hidden = "arrive batch (1); hidden o; init { set o = 8; }"
    assert_refused("SQ304", program(session, workload=hidden))


@pytest.mark.parametrize(
    "item",
    [
        "pool q { evict by (⟪o); }",
        "pool q { queue by (⟪o); }",
        "pool q { spill kv via svc (size) when (⟪o); }",
        "stage q : ps (⟪o);",
        "stage q : step { budget ⟪o; cost ⟪o; chunk ⟪o; serve by (⟪o); }",
    ],
)
def test_a_hidden_attribute_is_not_read_by_the_scheduler(item: str) -> None:
    hidden = "arrive batch (1); hidden o; init { set o = 8; }"
    assert_refused("SQ304", program(items=item, workload=hidden))


LINKS = [
    "hold kvs[o] (1) { } cache (o) lease kvs[o] (o)",
    "run ds[o] (o); branch (o == 1) { } choose j in o by (o); observe p = o;",
    "hold kv (1) at admission (b = o) { set x = b; }",
    "set x = now; hold kv (x) { }",
    "branch (1) { set x = used(kv); } hold kv (x) { }",
    "set x = used(kv); hold kv (1) { hold reqs (x) { } }",
    "set x = used(kv); set x = 1; hold kv (x) { }",
    "set x = used(kv); hold kv (1) { } lease kv (x)",
    "hold kv (1) { } lease kv (5) release kv;",
    "hold kv (1) { release kv; release kv; load kv (1); grow kv (1); }",
    "hold kv (cached) { run ds[cached] (1); }",
    "hold kv (1) { hold reqs (1) { set x = cached; } cache (1) }",
    "branch (1 + 1) { } branch (1 / 2) { } branch (0 / 0) { }",
    "set kv = 1; set x = kv + used(kv);",
    "hold kv (1) at admission (b = nope) { }",
    "hold kv (1) at admission (b = 1) { set x = max b in 2 (b); }",
]


@pytest.mark.parametrize("session", LINKS)
def test_what_looks_like_a_mistake_and_is_none(session: str) -> None:
    hidden = "arrive batch (1); hidden o; init { set o = 8; }"
    assert_refused("", program(session, workload=hidden))
