"""Scenarios as files: what is read, what is written, what is refused and where."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from serq import SerqError
from serq.oracle.files import read_scenarios
from serq.oracle.scenario import release
from serq.oracle.write import scenarios_text
from tests.oracle.recorded import scenario, scenarios

GOOD: dict[str, Any] = {
    "config": {
        "max_num_batched_tokens": 64,
        "max_num_seqs": 8,
        "num_gpu_blocks": 13,
        "block_size": 16,
        "long_prefill_token_threshold": 0,
    },
    "clock": {"c": 1},
    "requests": [
        {"session": 0, "turn": 0, "new": 44, "out": 100, "think": 0},
        {"session": 1, "turn": 0, "new": 20, "out": 5, "think": 0.5, "forced": 1},
    ],
}


def written(tmp_path: Path, document: Any) -> Path:
    path = tmp_path / "s.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_a_scenario_needs_no_more_than_settings_clock_and_requests(tmp_path: Path) -> None:
    (read,) = read_scenarios(written(tmp_path, GOOD))
    assert read.name == "s"
    assert read.config.enable_prefix_caching
    assert read.reserve_full_prompt
    assert read.expected == ()
    assert [turn.forced for turn in read.turns] == [0, 1]
    assert list(read.prompts()) == [(read.turns[0], 44), (read.turns[1], 20)]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    given = [*scenarios("90_random_small")[:3], replace(scenario("14_full_prompt_reservation"))]
    path = tmp_path / "s.json"
    path.write_text(scenarios_text(given, version="vllm 0.30.0"))
    for before, after in zip(given, read_scenarios(path), strict=True):
        assert (after.config, after.clock, after.turns) == (
            before.config,
            before.clock,
            before.turns,
        )
        assert after.totals == before.totals
        for old, new in zip(before.expected, after.expected, strict=True):
            assert (new.sent, new.first, new.cached) == (old.sent, old.first, old.cached)


def change(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    document = json.loads(json.dumps(GOOD))
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return document  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("document", "code", "says"),
    [
        ("{", "SQ502", ""),
        ("session,turn\n", "SQ502", ""),
        ([], "SQ706", "the document"),
        ({}, "SQ706", "should have `requests`"),
        (change(("requests",), []), "SQ706", "should have a request"),
        (change(("requests",), 3), "SQ706", "should be an array"),
        (change(("requests", 0, "new"), 0), "SQ706", "a whole number from 1 on"),
        (change(("requests", 0, "new"), 1.5), "SQ706", "a whole number from 1 on"),
        (change(("requests", 0, "new"), True), "SQ706", "a whole number from 1 on"),
        (change(("requests", 0, "think"), -1), "SQ706", "should be from 0 to 1e+09"),
        (change(("requests", 0, "think"), 1e300), "SQ706", "should be from 0 to 1e+09"),
        (change(("name",), 'a"; let x = 1;'), "SQ706", "a short name"),
        (change(("name",), "a" * 101), "SQ706", "a short name"),
        (change(("version",), "vllm\n0.30"), "SQ706", "a short name"),
        (change(("requests", 0, "think"), "soon"), "SQ706", "should be a number"),
        (change(("requests", 0, "forced"), -1), "SQ706", "a whole number from 0 on"),
        (change(("requests", 0, "out"), 200), "SQ706", "more than the 192"),
        (change(("requests", 1, "turn"), 3), "SQ706", "its turns from 0 on"),
        (change(("requests", 1, "session"), 0), "SQ706", "its turns from 0 on"),
        (change(("config", "block_size"), 0), "SQ706", "`config.block_size`"),
        (change(("config", "num_gpu_blocks"), 1), "SQ706", "a whole number from 2 on"),
        (change(("config", "max_num_seqs"), 10**12), "SQ706", "`config.max_num_seqs`"),
        (change(("config", "max_num_seqs"), 65), "SQ706", "at least `max_num_seqs`"),
        (change(("config", "enable_prefix_caching"), 1), "SQ706", "true or false"),
        (change(("clock",), {}), "SQ706", "a `c` above 0"),
        (change(("clock",), {"c": 1, "f": 2}), "SQ706", "no term of the clock"),
        (change(("expected",), [{"sent": 0}]), "SQ706", "should have `admitted`"),
    ],
)
def test_what_is_no_scenario_is_refused(
    tmp_path: Path, document: Any, code: str, says: str
) -> None:
    with pytest.raises(SerqError) as refused:
        read_scenarios(written(tmp_path, document))
    (found,) = refused.value.diagnostics
    assert found.code == code
    assert says in found.message
    assert found.span is not None
    if code == "SQ502" or found.message.startswith("`the document`"):
        assert "`config`, `clock` and `requests`" in str(found.help)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SerqError) as refused:
        read_scenarios(tmp_path / "gone.json")
    assert refused.value.diagnostics[0].code == "SQ703"


@pytest.mark.parametrize(
    ("text", "numbers"), [("vllm 0.30.0", (0, 30)), ("1.2.3rc1", (1, 2)), ("", (0, 0))]
)
def test_the_release_of_a_version(text: str, numbers: tuple[int, int]) -> None:
    assert release(text) == numbers
