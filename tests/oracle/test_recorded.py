"""serQ's program of vLLM agrees with vLLM's own scheduler on every request of every recorded
scenario: times as doubles, cached tokens, preemptions, totals; on the executable definition the
steps as well.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from serq import native
from serq.engines.registry import available
from serq.oracle.difference import compare
from serq.oracle.simulate import simulate, watch
from serq.syntax.parser import libraries
from tests.oracle.recorded import FILES, scenario, scenarios

REQUESTS = 9724 + 1447 + 2 * 377 + 4
"""Requests recorded first, of the replay, of the drawn scenarios, of the one written by hand."""

PARTS = 8
"""Pieces that a file of many scenarios is tested in."""

needs_native = pytest.mark.skipif(not native.AVAILABLE, reason="no native engine here")
pieces = pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param(name, part, id=f"{name}-{part}")
        for name in FILES
        for part in range(PARTS if len(scenarios(name)) > 1 else 1)
    ],
)


@needs_native
@pieces
def test_the_native_engine_agrees_with_vllm(name: str, part: int) -> None:
    agree(name, part, native_engine=True)


@pytest.mark.slow
@pieces
def test_the_definition_agrees_with_vllm_step_by_step(name: str, part: int) -> None:
    agree(name, part, native_engine=False)


def test_a_replay_of_300_conversations_agrees_with_vllm() -> None:
    (replay,) = scenarios("15_conversations")
    assert len(replay.sessions) == 300
    for engine in available():
        ran = simulate(replay, engine)
        for ours, theirs in zip(ran.outcomes, replay.expected, strict=True):
            assert (ours.sent, ours.first, ours.cached) == (
                theirs.sent,
                theirs.first,
                theirs.cached,
            )


def agree(name: str, part: int, *, native_engine: bool) -> None:
    compared = 0
    for each in scenarios(name)[part::PARTS]:
        ran = simulate(each, "native") if native_engine else watch(each)
        assert each.totals is not None
        assert compare(each, ran, each.expected, each.totals) == [], each.name
        compared += len(each.expected)
    print(f"{name}: {compared} requests compared")
    assert compared > 0


def test_how_many_requests_are_compared() -> None:
    compared = sum(len(each.expected) for name in FILES for each in scenarios(name))
    preempted = sum(o.preemptions for name in FILES for s in scenarios(name) for o in s.expected)
    print(f"{compared} requests of {len(FILES)} files, {preempted} preemptions")
    assert compared == REQUESTS
    assert preempted > 900


# A body that is wrong in one rule, and a scenario that notices.
MISTAKES = {
    # What is known is derived from the last `computed` alone.
    "known": ("vllm_known", "computed > 0 ? computed + 1 : most", "13_double_preemption"),
    # A preempted request starts over from its prompt.
    "restart": ("vllm_known", "most", "08_decode_preemption"),
    # The cap is forgotten where the first chunk is allocated.
    "first chunk": ("vllm_first_chunk", "budget_left(engine)", "12_tight_pool_mixed"),
    # The cap holds for one that is alone, or for nobody.
    "alone": ("vllm_chunk", "threshold", "05b_chunk_cap_alone_033"),
    "no cap": ("vllm_chunk", "0", "05_chunk_cap"),
    # A forced miss finds the old prefix.
    "matching": ("vllm_reusable", "vllm_full(kv, known - 1)", "09_forced_miss"),
    # A preempted request does not find its own blocks again.
    "own blocks": ("vllm_reusable", "vllm_full(kv, min(known - 1, matching))", "06_six_mixed"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_rule_is_noticed(mistake: str) -> None:
    definition, body, name = MISTAKES[mistake]
    each = scenario(name)
    ran = simulate(each, defs={definition: body})
    assert compare(each, ran, each.expected, each.totals) != []


def test_a_decode_of_no_token_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (libraries._FOLDER / "vllm.sq").read_text(encoding="utf-8")
    guarded = re.search(r"branch \(answer - 1 > known - prompt\) \{ (decode [^}]*;) \}", text)
    assert guarded is not None
    changed = text.replace(guarded[0], guarded[1])
    (tmp_path / "vllm.sq").write_text(changed, encoding="utf-8")
    monkeypatch.setattr(libraries, "_FOLDER", tmp_path)
    (each,) = scenarios("16_single_token")
    assert compare(each, simulate(each), each.expected, each.totals) != []


@pytest.mark.parametrize("name", ["05b_chunk_cap_alone", "12_tight_pool_mixed"])
def test_the_version_chooses_whether_one_alone_escapes_the_cap(name: str) -> None:
    before, since = scenario(name), scenario(f"{name}_033")
    assert before.turns == since.turns
    for each, other in ((before, since), (since, before)):
        assert compare(each, simulate(each), each.expected, each.totals) == []
        swapped = simulate(each, version=other.version)
        assert compare(other, swapped, other.expected, other.totals) == []
        assert compare(each, swapped, each.expected, each.totals) != []
