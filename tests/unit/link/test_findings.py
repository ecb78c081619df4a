"""Diagnostics: all of them, each once, in the order of the text, with their place."""

from __future__ import annotations

from tests.unit.link.linking import found, linking, placed, program, refusals

from serq.diagnostics import Source
from serq.link import link
from serq.syntax import parse


def test_every_mistake_is_found_in_the_order_of_the_text() -> None:
    text, places = placed(
        """let a = ⟪nope;
pool kv { cap ⟪0 / 0; evict by (⟪tokens); }
stage s : step { cost ⟪zip + 1; memory ⟪kw; }
workload { arrive poisson (⟪0); init { ⟪turn; set o = 1; } hidden o; }
session {
  hold kv (⟪promt + ⟪o) { ⟪run s (a); ⟪release ⟪kb; set x = min(⟪used(1), ~exp(⟪1z)); }
  branch (⟪0.5) { set y = ⟪now1; }
}
gauge g = ⟪now + ⟪o;
run { horizon 10; warmup ⟪20; }
""".replace("⟪1z", "1").replace("⟪release", "release")
    )
    result = found(text)
    assert [place for _, *place in result] == [list(place) for place in places]


def test_one_mistake_is_one_diagnostic() -> None:
    """What was refused makes no second finding where it is used."""
    cases = [
        "let a = nope; pool q { cap a; block a; } stage f : fifo (a);",
        "pool q { cap 1; block nope; evict by (blocksize(q)); }",
        "stage f : ps (nope); stage g : ps (1); share maxmin;",
    ]
    sessions = ["observe o = a + blocksize(q) * 0;", "observe o = blocksize(q);", "run f, g (1);"]
    texts = [program(sessions[i], items=items) for i, items in enumerate(cases)]
    texts[0] = program("observe o = a;", items=cases[0])
    texts += [
        program("hold nope (1) { }"),
        program("run nope prefill (1);"),
        program("set x = used(kvs[nope]); branch (x) { }"),
        program("branch (nope) { }"),
        program("set x = price(nope, 1, 2);"),
        program("set x = max j in 0 (used(kvs[j]));"),
        program("hold kv (b) at admission (b = now) { observe o = b; branch (b) { } }"),
        program("hold kv (b) at admission (b = ~exp(1)) { observe o = b; }"),
        program(items="gauge g = queue(ds[now]);"),
        program(workload="arrive poisson (nope);", run="horizon 10; arrivals 3;"),
        program(run="horizon nope; warmup 20;"),
        program(run="horizon 10; warmup nope;"),
        program("hold kv (1) { run svc (1) growing kv; }"),
        program("run svc (1) growing kv;"),
    ]
    for text in texts:
        assert len(refusals(text)) == 1, text


def test_a_mistake_in_a_server_is_one_however_often_it_is_requested() -> None:
    text, places = placed(
        """stage s : delay;
workload { arrive batch (1); session { request; loop { request; end; } } }
server { run ⟪nope (1); set x = ⟪tokens; }
run { horizon 1; }"""
    )
    assert [place for _, *place in found(text)] == [list(place) for place in places]
    (first, _) = refusals(text)
    assert first.span is not None
    (expansion,) = first.span.expansions()
    assert expansion.name == "server"
    assert (expansion.use.start_line, expansion.use.start_column) == (2, 40)


def test_a_mistake_in_a_definition_is_placed_in_it_and_sorted_at_its_use() -> None:
    text, (body, late) = placed(
        """def twice(x) = x + ⟪nope;
stage s : delay;
workload { arrive batch (1); }
session { run s (twice(1)); run ⟪zip (1); }
run { horizon 1; }"""
    )
    first, second = refusals(text)
    assert first.span is not None
    assert second.span is not None
    assert (first.span.start_line, first.span.start_column) == body
    assert [each.name for each in first.span.expansions()] == ["twice"]
    assert (second.span.start_line, second.span.start_column) == late


def test_a_misspelt_name_is_offered_the_nearest_with_its_place() -> None:
    cases = {
        "set prompt = 1; set x = promt;": ("did you mean `prompt`?", "`prompt` is assigned here"),
        "set x = rat;": ("did you mean `rate`?", "the constant `rate` is declared here"),
        "set x = used(rqs);": ("did you mean `reqs`?", "the pool `reqs` is declared here"),
        "run engin prefill (1);": ("did you mean `engine`?", "the stage `engine` is declared here"),
        "set x = bussy(svc);": ("did you mean `busy`?", None),
        "set x = ~unifrom(1, 2);": ("did you mean `uniform`?", None),
    }
    for session, (help, note) in cases.items():
        (refused,) = refusals(program(session, items="let rate = 2;"))
        assert refused.help == help, session
        assert [each.text for each in refused.notes] == ([] if note is None else [note])
        assert all(each.span is not None for each in refused.notes)


def test_a_pool_read_as_a_value_is_explained() -> None:
    (refused,) = refusals(program("set x = kv;"))
    assert refused.help is not None
    assert "used(kv)" in refused.help


def test_every_part_of_a_linked_program_has_a_place() -> None:
    text = program(
        """hold kvs[serial] (1 + 2) reserve (3) { run es[1] prefill (4) growing kvs[serial]; }
        cache (5) lease kvs[serial] (6)
        choose j in 7 by (8, now);""",
        items="gauge g = used(kv);",
    )
    spans = linking(text).spans
    shown = {
        path: span.text
        for path in (
            ("blocks", 2, 0, "pools", 0, "pool"),
            ("blocks", 2, 0, "pools", 0, "pool", "index"),
            ("blocks", 2, 0, "pools", 0, "units"),
            ("blocks", 2, 0, "pools", 0, "reserve"),
            ("blocks", 2, 0, "cache"),
            ("blocks", 2, 0, "lease", "pool"),
            ("blocks", 2, 0, "lease", "time"),
            ("blocks", 3, 0, "stage"),
            ("blocks", 3, 0, "work"),
            ("blocks", 3, 0, "growing"),
            ("blocks", 2, 1),
            ("blocks", 2, 1, "count"),
            ("blocks", 2, 1, "keys", 1),
            ("attributes", 9),
            ("gauges", 0),
            ("gauges", 0, "value"),
            ("pools", 2),
            ("pools", 4),
            ("stages", 1, "cost"),
            ("horizon",),
            ("arrival",),
        )
        if (span := spans.find(path)) is not None
    }
    assert list(shown.values()) == [
        "kvs[serial]", "serial", "1 + 2", "3", "5", "kvs[serial]", "6", "es[1]", "4",
        "kvs[serial]", "choose j in 7 by (8, now)", "7", "now", "j", "g", "used(kv)", "kvs",
        "kvs", "1", "10", "arrive batch (1)",
    ]  # fmt: skip
    second = spans.find(("blocks", 2, 0, "pools", 0, "units"), 2)
    assert second is not None
    assert second.text == "2"
    fallback = spans.find(("pools", 4, "evict", 0))
    assert fallback is not None
    assert fallback.text == "kvs"


def test_linking_twice_gives_the_same() -> None:
    text = program("hold kv (b) at admission (b = 1) { set x = b + nope; } run nope (1);")
    parsed = parse(Source("program.sq", text))
    assert parsed.program is not None
    first, second = link(parsed.program), link(parsed.program)
    assert [str(each) for each in first.diagnostics] == [str(each) for each in second.diagnostics]
