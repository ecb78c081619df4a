from tests.unit.syntax.reading import program, session, shown

from serq.syntax import ast


def test_statements_of_one_line() -> None:
    read = session("""
        turn; end; set x = 1; observe y = 2; choose j in 3 by (queue(s[j]), j);
        grow kv (1); load kv[j] (2); drop kv; release kv[1];
    """)
    kinds = [ast.Turn, ast.End, ast.Set, ast.Observe, ast.Choose, ast.Grow, ast.Load, ast.Drop]
    assert [type(statement) for statement in read] == [*kinds, ast.Release]
    choose, load = read[4], read[6]
    assert isinstance(choose, ast.Choose)
    assert [shown(key) for key in choose.keys] == ["queue(s[j])", "j"]
    assert isinstance(load, ast.Load)
    assert (shown(load.pool), shown(load.units)) == ("kv[j]", "2")


def test_a_hold_keeps_every_clause() -> None:
    (hold,) = session("""
        hold reqs (1), kv[j] (n) reserve (m) reuse (r) at admission (a = 1, b = a + 1) {
          end;
        } cache (c) lease kv[j] (30);
    """)
    assert isinstance(hold, ast.Hold)
    assert [(shown(p.pool), shown(p.units), shown(p.reserve)) for p in hold.pools] == [
        ("reqs", "1", "nothing"),
        ("kv[j]", "n", "m"),
    ]
    assert (shown(hold.reuse), shown(hold.cache)) == ("r", "c")
    assert [(b.name, shown(b.value)) for b in hold.bindings] == [("a", "1"), ("b", "(a + 1)")]
    assert hold.lease is not None
    assert (shown(hold.lease.pool), shown(hold.lease.time)) == ("kv[j]", "30")
    assert len(hold.body.statements) == 1


def test_what_follows_a_hold_is_optional() -> None:
    for tail in ("", ";", "cache (1)", "cache (1);", "lease kv (1)", "cache (1) lease kv (1);"):
        read = session(f"hold kv (1) {{ }} {tail} end;")
        assert [type(statement) for statement in read] == [ast.Hold, ast.End]


def test_branches_loops_and_their_headers() -> None:
    read = session("branch (x) { end; } else { } branch with (p) { } loop { turn; }")
    test, draw, loop = read
    assert isinstance(test, ast.Branch)
    assert (test.draws, test.span.text) == (False, "branch (x)")
    assert test.otherwise is not None
    assert isinstance(draw, ast.Branch)
    assert (draw.draws, draw.otherwise) == (True, None)
    assert isinstance(loop, ast.Loop)
    assert loop.span.text == "loop"


def test_runs() -> None:
    read = session("""
        run s (1); run e[j] prefill (n) growing kv[j]; run a, b[1] (2); run prefill decode (3);
        run prefill (4);
    """)
    runs = [statement for statement in read if isinstance(statement, ast.Run)]
    assert [
        ([shown(s) for s in run.stages], run.mode, shown(run.work), shown(run.growing))
        for run in runs
    ] == [
        (["s"], "plain", "1", "nothing"),
        (["e[j]"], "prefill", "n", "kv[j]"),
        (["a", "b[1]"], "plain", "2", "nothing"),
        (["prefill"], "decode", "3", "nothing"),
        (["prefill"], "plain", "4", "nothing"),
    ]


def test_serving_forms_know_what_stood_above_them() -> None:
    read = program("""
        stage a : step { cost 1; } stage b[2] : fifo;
        session { prefill (n) + 1 growing kv; decode[j] 3; tool on b[1] (z); }
        stage tool : delay;
    """)
    assert read.session is not None
    forms = [s for s in read.session.statements if isinstance(s, ast.Serving)]
    assert [(f.role, shown(f.index), shown(f.on), shown(f.work), f.declared) for f in forms] == [
        ("prefill", "nothing", "nothing", "(n + 1)", 2),
        ("decode", "j", "nothing", "3", 2),
        ("tool", "nothing", "b[1]", "z", 2),
    ]
    assert shown(forms[0].growing) == "kv"


def test_the_two_sides() -> None:
    read = program("""
        server { run s (1); }
        workload { arrive none; session { turn; loop { request; branch (x) { request; } } } }
    """)
    assert read.server is not None
    assert read.workload is not None
    assert read.session is read.workload.session
    assert read.session is not None
    assert [type(statement) for statement in read.session.statements] == [ast.Turn, ast.Loop]
