"""`choose` over many members gives what weighing them one by one gives, to the bit.

The native engine evaluates keys for many candidates at once; the Python engine, and the native one
with `SERQ_FAST_PATH=0`, take one after the other. `SERQ_EXAMPLES=5000 pytest
tests/native/test_choose.py --hypothesis-seed=7` tries so many random keys.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import serq
from tests.native.both import check_same
from tests.native.test_fast_path import check_paths
from tests.native.test_same_answer import examples

PROGRAM = """
pool kv[{members}] {{ cap 60; block 4; evict lru; preempt lifo; }}
pool reqs[{members}] {{ cap 2; admit via engine; }}
stage engine[{members}] : step {{
  budget {budget}; chunk {chunk}; cost 0.02 + 1e-3 * prefilled; memory kv;
}}
stage link[{members}] : {link};
workload {{ arrive poisson(40); turn {{ set n = floor(~uniform(2, 30)); }} }}
session {{
  turn;
  loop {{
    set m = {members};
    choose j in {count} by ({keys});
    observe j = j;
    set at = max(0, min(j, {members} - 1));
    hold reqs[at] (1), kv[at] (n) {{
      run engine[at] prefill (n / 2) growing kv[at];
      run engine[at] decode (n / 4) growing kv[at];
    }} cache (n);
    choose h in {members} by (queue(link[h]) + used(kv[h]), -h);
    run link[h] (~exp(1));
    branch with (0.7) {{ turn; }} else {{ end; }}
  }}
}}
run {{ horizon {horizon}; seed {seed}; }}"""

STATES = [
    *("holders(reqs[{}])", "queued(reqs[{}])", "holders(kv[{}])", "used(kv[{}])", "free(kv[{}])"),
    *("cachedin(kv[{}])", "queue(engine[{}])", "busy(engine[{}])", "work(engine[{}])"),
    *("budget_left(engine[{}])", "est_wait(engine[{}])", "queue(link[{}])", "busy(link[{}])"),
    *("work(link[{}])", "est_lambda(link[{}])", "est_rho(link[{}])"),
]

INDICES = [
    *("j", "j", "j", "j", "h", "0", "j / 2", "m - 1 - j", "-j", "(j * 7) - m * floor(j * 7 / m)"),
    "min(j, m - 1)",
]
"""Most are members for every j below the number of members."""

BEYOND = ["j + 1", "2 * j", "j * j", "j < m ? j : m + 3", "1 / (m - 2 - j)"]
"""Not members for some j."""

numbers = st.sampled_from(["0", "1", "2.5", "-3", "1e300", "inf", "0.1"])
names = st.sampled_from(["j", "j", "n", "h", "m", "now", "serial", "cached", "turn_no"])


def states(indices: list[str]) -> st.SearchStrategy[str]:
    return st.builds(str.format, st.sampled_from(STATES), st.sampled_from(indices))


def composed(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(
        ["+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"]
    )
    unary = st.sampled_from(["-{}", "!{}"])
    called = st.sampled_from(["abs", "floor", "ceil", "sqrt", "exp", "ln"])
    return st.one_of(
        st.builds("({} {} {})".format, parts, operators, parts),
        st.builds("({} {} {})".format, parts, operators, parts),
        st.builds("({} ? {} : {})".format, parts, parts, parts),
        st.builds("({} ? {} : {})".format, parts, parts, parts),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max", "pow"]), parts, parts),
        st.builds(lambda sign, part: f"({sign.format(part)})", unary, parts),
        st.builds("{}({})".format, called, parts),
        st.builds("price(link[{}], {}, {})".format, st.sampled_from(INDICES), parts, parts),
    )


def keys_of(indices: list[str], *more: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """One key or several."""
    leaves = st.one_of(numbers, names, states(indices), states(indices), *more)
    key = st.recursive(leaves, composed, max_leaves=8)
    return st.lists(key, min_size=1, max_size=3).map(", ".join)


def programs(keys: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sizes = st.sampled_from([(1, 1), (5, 3), (8, 3), (63, 1), (64, 1), (65, 1), (140, 0.7)])
    return st.builds(
        lambda size, less, **rest: PROGRAM.format(
            members=size[0], count=max(size[0] - less, 0), horizon=size[1], **rest
        ),
        sizes,
        st.sampled_from([0, 0, 0, 1, 3]),
        keys=keys,
        budget=st.sampled_from(["16", "16", "16 + queue(link[0])", "16 + ~exp(1)"]),
        chunk=st.sampled_from(["0", "5"]),
        link=st.sampled_from(["fifo", "ps (1)", "delay"]),
        seed=st.integers(0, 99),
    )


def check(source: str) -> None:
    limits = {"limit_events": 20_000, "limit_statements": 20_000}
    check_same(source, **limits)
    with pytest.MonkeyPatch.context() as monkeypatch:
        check_paths(serq.compile(source=source), monkeypatch, **limits)


@examples(100)
@given(programs(keys_of(INDICES)))
def test_random_keys(source: str) -> None:
    check(source)


@examples(50)
@given(programs(keys_of([*INDICES, *BEYOND])))
def test_keys_with_an_error_at_some_candidate(source: str) -> None:
    check(source)


@examples(40)
@given(programs(keys_of(INDICES, st.sampled_from(["~uniform(0, 1)", "~exp(j)"]))))
def test_keys_that_draw(source: str) -> None:
    check(source)


@pytest.mark.parametrize("bad", [0, 1, 63, 64, 100, 149])
def test_the_error_is_that_of_the_first_candidate_that_has_one(bad: int) -> None:
    """And of its first key; a member that is not there is told with its index."""
    source = f"""
pool reqs[150] {{ cap 1; }}
stage gpu[150] : fifo;
workload {{ arrive batch(1); }}
session {{
  choose j in 150 by (j, j >= {bad} ? queue(gpu[j + 150]) : 0, used(reqs[j + 150 - {bad}]));
  end;
}}
run {{ horizon 1; }}"""
    (error,) = check_same(source)
    assert error[0] == "SQ602"
    assert str(bad + 150) in error[1]


def test_what_is_not_evaluated_is_no_error() -> None:
    """Sessions 0 and 1 hold the members 149 and 148; the rest of 300 indices is no member."""
    source = """
pool reqs[150] { cap 1; }
workload { arrive batch(3); }
session {
  choose j in 300 by (j < 150 && queued(reqs[j]) + used(reqs[j]) == 0 ? -j : j >= 150);
  observe j = j;
  hold reqs[j] (1) { }
  end;
}
run { horizon 1; }"""
    check_same(source)
    observe = serq.run(serq.compile(source=source)).observes["j"]
    assert list(observe.samples) == [149, 148, 147]


def test_a_key_that_is_not_a_number() -> None:
    """The first candidate stays when its key is NaN; later ones with such a key are passed over."""
    source = """
workload { arrive batch(1); init { set nan = 0 / 0; } }
session {
  choose a in 200 by (a == 0 ? nan : -a);
  choose b in 200 by (b < 150 ? (b == 0 ? 0 : nan) : -(b == 170) - (b == 180));
  choose c in 200 by (c == 100 ? nan : 0, c == 50 ? -1 : (c == 120 ? -1 : 0));
  observe a = a; observe b = b; observe c = c;
  end;
}
run { horizon 1; }"""
    check_same(source)
    report = serq.run(serq.compile(source=source))
    assert [list(report.observes[name].samples) for name in "abc"] == [[0], [170], [50]]
