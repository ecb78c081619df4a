"""Scenarios drawn from a seed: always the same, sound, and of every kind that hurts."""

from __future__ import annotations

from pathlib import Path

from serq.oracle.files import read_scenarios
from serq.oracle.generate import generate
from serq.oracle.simulate import simulate
from serq.oracle.write import scenarios_text

DRAWN = list(generate(seed=11, count=60))


def test_a_scenario_depends_on_the_seed_and_its_number_alone() -> None:
    assert list(generate(11, 5, first=20)) == DRAWN[20:25]
    assert next(generate(12, 1)) != DRAWN[0]


def test_they_are_sound_and_survive_a_file(tmp_path: Path) -> None:
    path = tmp_path / "drawn.json"
    path.write_text(scenarios_text(DRAWN))
    assert read_scenarios(path) == DRAWN


def test_every_kind_is_among_them() -> None:
    configs = [scenario.config for scenario in DRAWN]
    turns = [turn for scenario in DRAWN for turn in scenario.turns]
    assert {config.enable_prefix_caching for config in configs} == {True, False}
    assert {config.long_prefill_token_threshold > 0 for config in configs} == {True, False}
    assert {scenario.reserve_full_prompt for scenario in DRAWN} == {True, False}
    assert {config.block_size for config in configs} == {1, 4, 8, 16, 32}
    assert {min(turn.forced, 2) for turn in turns} == {0, 1, 2}
    assert {turn.out == 1 for turn in turns} == {True, False}
    assert max(turn.turn for turn in turns) >= 5
    ran = [simulate(scenario) for scenario in DRAWN]
    outcomes = [outcome for each in ran for outcome in each.outcomes]
    assert sum(outcome.cached > 0 for outcome in outcomes) > 50
    assert sum(each.totals.evicted_blocks > 0 for each in ran) > 10
    assert sum(outcome.preemptions == 1 for outcome in outcomes) > 10
    assert sum(outcome.preemptions > 1 for outcome in outcomes) > 0
    assert sum((outcome.found_again or 0) > 0 for outcome in outcomes) > 3
    assert sum(outcome.admitted > outcome.sent for outcome in outcomes) > 100
