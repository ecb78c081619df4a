from tests.unit.syntax.reading import program, shown

from serq.syntax import ast


def test_a_pool_keeps_every_option() -> None:
    (pool,) = program("""
        pool kv[2] {
          cap 100; block 16; evict by (age, size); preempt lifo; queue by (waited);
          admit via engine; spill tier via disk (size / 10) when (size > 4);
        }
    """).pools
    assert (pool.name, pool.size, shown(pool.cap), shown(pool.block)) == ("kv", 2, "100", "16")
    assert [shown(key) for key in pool.evict or ()] == ["age", "size"]
    assert [shown(key) for key in pool.queue or ()] == ["waited"]
    assert pool.preempt == "lifo"
    assert pool.admit_via is not None
    assert pool.admit_via.name == "engine"
    assert pool.spill is not None
    assert (pool.spill.to.name, pool.spill.via.name) == ("tier", "disk")
    assert (shown(pool.spill.work), shown(pool.spill.when)) == ("(size / 10)", "(size > 4)")
    assert pool.size_span is not None
    assert pool.size_span.text == "[2]"


def test_an_option_not_written_is_not_there_and_a_default_is() -> None:
    bare, spelt = program("pool a { } pool b { evict lru; queue fifo; preempt none; }").pools
    assert (bare.size, bare.cap, bare.evict, bare.queue, bare.preempt) == (None,) * 5
    assert (spelt.evict, spelt.queue, spelt.preempt) == ((), (), "none")


def test_an_option_written_twice_counts_the_second_time() -> None:
    (pool,) = program("pool a { cap 1; cap 2; }").pools
    assert shown(pool.cap) == "2"


def test_the_kinds_of_stages() -> None:
    stages = program("""
        stage a : fifo; stage b : fifo (2); stage c : ps (min(present, 3)); stage d[3] : delay;
        stage e : step { cost 1; } stage f : step { cost 1; };
    """).stages
    kinds = [stage.kind for stage in stages]
    assert isinstance(kinds[0], ast.Fifo)
    assert kinds[0].servers is None
    assert isinstance(kinds[1], ast.Fifo)
    assert shown(kinds[1].servers) == "2"
    assert isinstance(kinds[2], ast.Ps)
    assert shown(kinds[2].capacity) == "min(present, 3)"
    assert isinstance(kinds[3], ast.Delay)
    assert stages[3].size == 3
    assert isinstance(kinds[5], ast.Step)
    assert stages[5].span.text == "stage f : step { cost 1; }"


def test_a_step_stage_keeps_every_option() -> None:
    (stage,) = program("""
        stage e : step { budget B; cost tokens; chunk 64; serve by (remaining, 1); memory kv; }
    """).stages
    assert isinstance(stage.kind, ast.Step)
    assert (shown(stage.kind.budget), shown(stage.kind.cost)) == ("B", "tokens")
    assert shown(stage.kind.chunk) == "64"
    assert stage.kind.memory is not None
    assert stage.kind.memory.name == "kv"
    assert stage.kind.serve is not None
    assert [shown(key) for key in stage.kind.serve.keys] == ["remaining", "1"]


def test_the_serving_rules_of_a_step_stage() -> None:
    for rule in ("admission", "decode first", "exclusive prefill"):
        (stage,) = program(f"stage e : step {{ cost 1; serve {rule}; }}").stages
        assert isinstance(stage.kind, ast.Step)
        assert stage.kind.serve is not None
        assert (stage.kind.serve.rule, stage.kind.serve.keys) == (rule, ())


def test_the_workload_and_what_counts_of_it() -> None:
    workload = program("""
        workload {
          arrive none; arrive poisson (2); trace "a.csv"; trace "b.csv" ordered; hidden o, p;
          init { set a = 1; } init { set a = 2; } turn { } hidden q;
        }
    """).workload
    assert workload is not None
    assert workload.arrive is not None
    assert (workload.arrive.kind, shown(workload.arrive.argument)) == ("poisson", "2")
    assert workload.trace is not None
    assert (workload.trace.path, workload.trace.ordered) == ("b.csv", True)
    assert [hidden.name for hidden in workload.hidden] == ["o", "p", "q"]
    assert workload.init is not None
    assert isinstance(workload.init.statements[0], ast.Set)
    assert shown(workload.init.statements[0].value) == "2"


def test_runs_merge_option_by_option() -> None:
    run = program("run { horizon 1; seed 2; } run { horizon 3; arrivals 4; }").run
    assert run is not None
    found = [shown(e) for e in (run.horizon, run.warmup, run.seed, run.arrivals)]
    assert found == ["3", "nothing", "2", "4"]


def test_gauges_and_share() -> None:
    read = program("share bottleneck; gauge full = free(kv) == 0; gauge pool = 1;")
    assert read.share is not None
    assert read.share.policy == "bottleneck"
    assert [gauge.name for gauge in read.gauges] == ["full", "pool"]


def test_keywords_name_pools_stages_constants_and_observations() -> None:
    read = program(
        "let max = 3; pool queue { } stage prefill : fifo; session { observe keep = 1; }"
    )
    assert (read.lets[0].name, read.pools[0].name, read.stages[0].name) == (
        "max",
        "queue",
        "prefill",
    )


def test_an_empty_session_gives_way_to_another() -> None:
    read = program("session { } session { end; }")
    assert read.session is not None
    assert len(read.session.statements) == 1


def test_an_empty_text_is_an_empty_program() -> None:
    for text in ("", "  \n // nothing\n"):
        read = program(text)
        assert (read.lets, read.pools, read.session, read.run) == ((), (), None, None)
