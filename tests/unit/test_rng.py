"""The generator, the streams and the laws: recorded values, the native twin, the reference.

Recorded values come from runs of the reference, so that they judge it also where it is not
installed. Logarithms may differ in the last bit between machines, hence `approx` for them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serq import native
from serq.semantics import rng as semantics
from serq.semantics.rng import DRAWS, MAX_ERLANG_PHASES, Rng, Streams, key_words
from serq.vocabulary.distributions import DISTRIBUTIONS

INF, NAN = math.inf, math.nan
MOST_32, MOST_64 = 2**32 - 1, 2**64 - 1

needs_native = pytest.mark.skipif(not native.AVAILABLE, reason=str(native.MISSING))

# One row a law: parameters that make sense, then some that make none.
PARAMETERS: dict[str, list[tuple[float, ...]]] = {
    "exp": [(1.0,), (1e-300,), (-1.0,), (0.0,), (-0.0,), (INF,), (-INF,), (NAN,)],
    "det": [(4.0,), (-3.0,), (INF,), (NAN,)],
    "uniform": [(2.0, 5.0), (3.0, 1.0), (0.0, INF), (INF, 1.0), (-INF, INF), (NAN, 1.0)],
    "erlang": [
        (1.0, 1.0), (2.7, 1.0), (40.0, 2.0), (0.0, 1.0), (-3.0, 1.0), (NAN, 1.0),
        (3.0, 0.0), (3.0, -1.0), (3.0, INF), (3.0, NAN),
    ],
    "h2": [
        (3.0, 4.0), (1.0, 1.0), (1.0, 0.0), (1.0, -5.0), (1.0, 1e17), (1.0, 1e300), (1.0, INF),
        (1.0, NAN), (-1.0, 4.0), (0.0, 4.0), (INF, 4.0),
    ],
    "bernoulli": [(0.5,), (0.0,), (1.0,), (2.0,), (-1.0,), (INF,), (NAN,)],
}  # fmt: skip
CASES = [(law, values) for law, rows in PARAMETERS.items() for values in rows]


def raw_draws(rng: Any, rounds: int) -> Iterator[float]:
    """All methods in turn, over ranges of every width; `rng` may be of any implementation."""
    for i in range(rounds):
        yield rng.next_u32()
        yield rng.next_u64()
        yield rng.random_f64()
        yield rng.range_u32(i, MOST_32 - i)
        yield rng.range_u64(3 * i, 2**63 + i)
        yield rng.range_f64(-i / 7, i / 3)


def law_draws(module: Any, rng: Any, rounds: int) -> Iterator[float]:
    """All laws in turn, with all parameters, gaps and picks between them."""
    for i in range(rounds):
        for law, values in CASES:
            yield getattr(module, f"draw_{law}")(rng, *values)
        for rate in (2.5, 0.0, -1.0, INF, NAN):
            yield module.draw_poisson_gap(rng, rate)
        yield module.draw_trace_pick(rng, i + 1)


def test_key_and_words_of_known_seeds() -> None:
    assert [f"{word:08x}" for word in key_words(0)] == (
        "f973f2ec 45cdb581 7346f087 ad6cad06 e3a3d0d0 67e71733 72ea9bf2 fe7d8ad7".split()
    )
    rng = Rng(0)
    words = [f"{rng.next_u32():08x}" for _ in range(4)]
    assert words == "cd2c6f7f bb2a3fb2 8e27697b c6017c94".split()
    assert Rng(1).next_u64() == 17971643333364160609


def test_a_long_mixture_of_draws_is_the_recorded_one() -> None:
    digest = hashlib.sha256()
    for value in raw_draws(Rng(2024), 4000):
        digest.update(f"{value!r}\n".encode())
    recorded = "efe253dabd22c3c8b92d0d5bd682c87e62b93bcc956be12bbf6264c86530fe64"
    assert digest.hexdigest() == recorded


@pytest.mark.parametrize(
    ("law", "parameters", "recorded"),
    [
        ("exp", (1.5,), [0.8649568562527357, 4.028090407474289, 0.06009432568707597]),
        ("det", (4.0,), [4.0, 4.0, 4.0]),
        ("uniform", (2.0, 5.0), [3.314648100387747, 4.795416958765065, 2.117812931092139]),
        ("erlang", (2.7, 1.0), [1.631015754575675, 0.0452474364802899, 2.091208350817998]),
        ("h2", (3.0, 4.0), [4.539724972205676, 0.0852565375163563, 13.618245128278204]),
        ("bernoulli", (0.5,), [1.0, 0.0, 1.0]),
    ],
)
def test_the_session_stream_draws_the_recorded_values(
    law: str, parameters: tuple[float, ...], recorded: list[float]
) -> None:
    stream = Streams(7).session
    drawn = [DRAWS[law](stream, *parameters) for _ in recorded]
    assert drawn == pytest.approx(recorded, rel=1e-15)


def test_the_other_streams_draw_the_recorded_values() -> None:
    streams = Streams(7)
    gaps = [semantics.draw_poisson_gap(streams.arrivals, 3.0) for _ in range(4)]
    arrivals = [0.010262145722697005, 0.13254541058183517, 0.18384537527990094, 0.4445173623304519]
    assert list(accumulate(gaps)) == pytest.approx(arrivals, rel=1e-14)
    drawn = [semantics.draw_exp(streams.workload, 1.0) for _ in range(3)]
    recorded = [0.19877941928239773, 0.08564839507728227, 0.7608164673671457]
    assert drawn == pytest.approx(recorded, rel=1e-15)


def test_every_law_of_the_language_can_be_drawn() -> None:
    assert DRAWS.keys() == DISTRIBUTIONS.keys() == PARAMETERS.keys()


@pytest.mark.parametrize("law", sorted(DRAWS))
@given(seed=st.integers(0, MOST_64), values=st.tuples(st.floats(), st.floats(max_value=1000)))
def test_a_law_takes_any_float(law: str, seed: int, values: tuple[float, float]) -> None:
    values = (values[1], values[0]) if law == "erlang" else values
    parameters = values[: len(DISTRIBUTIONS[law].parameters)]
    assert isinstance(DRAWS[law](Rng(seed), *parameters), float)


@given(seed=st.integers(0, MOST_64), rate=st.floats())
def test_a_poisson_gap_takes_any_float(seed: int, rate: float) -> None:
    assert isinstance(semantics.draw_poisson_gap(Rng(seed), rate), float)


def test_an_erlang_law_without_end_is_not_drawn() -> None:
    rng = Rng(3)
    assert math.isnan(semantics.draw_erlang(rng, MAX_ERLANG_PHASES + 1.0, 1.0))
    assert math.isnan(semantics.draw_erlang(rng, INF, 1.0))
    assert rng.next_u32() == Rng(3).next_u32()


@pytest.mark.parametrize("seed", [-1, MOST_64 + 1])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        Rng(seed)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.range_u32(3, 2),
        lambda rng: rng.range_u64(3, 2),
        lambda rng: rng.range_f64(2.0, 1.0),
        lambda rng: rng.range_f64(NAN, 1.0),
        lambda rng: rng.range_f64(0.0, INF),
        lambda rng: rng.range_f64(-1e308, 1e308),
    ],
)
@pytest.mark.parametrize("module", [semantics, pytest.param(native, marks=needs_native)])
def test_a_range_has_two_ends_in_order(module: Any, draw: Callable[[Any], float]) -> None:
    rng = module.Rng(1)
    with pytest.raises(ValueError, match="range"):
        draw(rng)
    assert rng.next_u64() == 17971643333364160609


def test_whole_ranges_and_single_values() -> None:
    assert Rng(1).range_u64(0, MOST_64) == 17971643333364160609
    assert Rng(1).range_u32(0, MOST_32) == Rng(1).next_u32()
    assert Rng(1).range_u32(MOST_32, MOST_32) == MOST_32


# --- the native twin -----------------------------------------------------------------


@needs_native
def test_the_twins_draw_the_same_bits() -> None:
    python, cpp = Rng(31), native.Rng(31)
    for ours, theirs in zip(raw_draws(python, 2500), raw_draws(cpp, 2500), strict=True):
        assert ours == theirs
    laws = zip(law_draws(semantics, python, 200), law_draws(native, cpp, 200), strict=True)
    count = 0
    for ours, theirs in laws:
        assert repr(ours) == repr(theirs)
        count += 1
    assert count > 10_000
    assert python.next_u64() == cpp.next_u64()


@needs_native
@given(seed=st.integers(0, MOST_64))
def test_the_twins_have_the_same_keys_and_streams(seed: int) -> None:
    assert list(key_words(seed)) == list(native.key_words(seed))
    python, cpp = Streams(seed), native.Streams(seed)
    for name in Streams.__slots__:
        assert getattr(python, name).next_u64() == getattr(cpp, name).next_u64()
    assert native.MAX_ERLANG_PHASES == MAX_ERLANG_PHASES


@needs_native
@given(low=st.integers(0, MOST_64), high=st.integers(0, MOST_64), seed=st.integers(0, 9))
def test_the_twins_agree_on_any_range(low: int, high: int, seed: int) -> None:
    low, high = min(low, high), max(low, high)
    python, cpp = Rng(seed), native.Rng(seed)
    assert python.range_u64(low, high) == cpp.range_u64(low, high)
    low, high = sorted((low >> 32, high & MOST_32))
    assert python.range_u32(low, high) == cpp.range_u32(low, high)
    assert python.next_u64() == cpp.next_u64()


# --- the reference -------------------------------------------------------------------


def observed(source: str) -> list[float]:
    """What the reference observes as `w` when it runs a program."""
    pyserq = pytest.importorskip("pyserq")
    return list(pyserq.run(pyserq.compile(source=source)).observe("w").samples)


def test_the_reference_generator_draws_the_same() -> None:
    pyserq = pytest.importorskip("pyserq")
    for seed in (0, 5, MOST_64):
        ours, theirs = raw_draws(Rng(seed), 700), raw_draws(pyserq.Rng(seed), 700)
        assert all(a == b for a, b in zip(ours, theirs, strict=True))


def spelled(value: float) -> str:
    """A float in a program."""
    if math.isnan(value):
        return "(inf - inf)"
    return f"(0 - {-value!r})" if value < 0 else repr(value)


@pytest.mark.parametrize(("law", "parameters"), CASES)
def test_the_reference_draws_the_same_laws(law: str, parameters: tuple[float, ...]) -> None:
    draw = f"~{law}({', '.join(spelled(value) for value in parameters)})"
    theirs = observed(f"""
        stage s : delay;
        workload {{ arrive batch (20); }}
        session {{ observe w = {draw}; run s (1); }}
        run {{ horizon 5; seed 99; }}
    """)
    stream = Streams(99).session
    ours = [DRAWS[law](stream, *parameters) for _ in theirs]
    assert len(theirs) == 20
    assert repr(ours) == repr(theirs)


def test_the_reference_draws_the_same_gaps() -> None:
    theirs = observed("""
        workload { arrive poisson (0.7); }
        session { observe w = now; }
        run { horizon 100; seed 4; }
    """)
    assert len(theirs) > 50
    stream = Streams(4).arrivals
    gaps = [semantics.draw_poisson_gap(stream, 0.7) for _ in theirs[1:]]
    assert list(accumulate(gaps, initial=0.0)) == theirs


def test_the_reference_picks_the_same_trace_sessions(tmp_path: Path) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text("".join(f"{i},0,{i},1,0\n" for i in range(7)))
    theirs = observed(f"""
        workload {{ arrive batch (60); trace "{trace}"; }}
        session {{ turn; observe w = new; }}
        run {{ horizon 5; seed 12; }}
    """)
    stream = Streams(12).trace
    assert [float(semantics.draw_trace_pick(stream, 7)) for _ in range(60)] == theirs
