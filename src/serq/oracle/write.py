"""Scenarios written as a file: in columns, with the outcomes where there are any.

`serq.oracle.files` reads it. Depends on scenarios.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from serq.oracle.scenario import Clock, Outcome, Scenario, Turn

REQUEST_COLUMNS = ("session", "turn", "new", "out", "think", "forced")
EXPECTED_COLUMNS = ("sent", "admitted", "first", "last", "cached", "preemptions")


def scenarios_text(
    scenarios: Sequence[Scenario], *, version: str = "", description: str = ""
) -> str:
    """The text of a file, one scenario a line; `version` of vLLM gave the outcomes."""
    recorded = any(scenario.expected for scenario in scenarios)
    return "".join(
        scenarios_pieces(scenarios, recorded=recorded, version=version, description=description)
    )


def scenarios_pieces(
    scenarios: Iterable[Scenario],
    *,
    recorded: bool = False,
    version: str = "",
    description: str = "",
) -> Iterator[str]:
    """The same text piece by piece, as scenarios come; `recorded` says that they have outcomes."""
    head: dict[str, object] = {"version": version} if version else {}
    if description:
        head["description"] = description
    head["request_columns"] = list(REQUEST_COLUMNS)
    if recorded:
        head["expected_columns"] = list(EXPECTED_COLUMNS)
    yield json.dumps(head).removesuffix("}") + ', "scenarios": ['
    before = "\n"
    for scenario in scenarios:
        yield before + json.dumps(_scenario(scenario))
        before = ",\n"
    yield "\n]}\n"


def _scenario(scenario: Scenario) -> dict[str, object]:
    written: dict[str, object] = {
        "name": scenario.name,
        "config": asdict(scenario.config),
        "clock": _clock(scenario.clock),
        "requests": [_row(turn, REQUEST_COLUMNS) for turn in scenario.turns],
        "reserve_full_prompt": scenario.reserve_full_prompt,
    }
    if scenario.totals is not None:
        written["totals"] = asdict(scenario.totals)
    if scenario.expected:
        written["expected"] = [_row(outcome, EXPECTED_COLUMNS) for outcome in scenario.expected]
    return written


def _clock(clock: Clock) -> dict[str, float]:
    """The terms that are not 0."""
    return {term: value for term, value in asdict(clock).items() if value}


def _row(thing: Turn | Outcome, columns: Sequence[str]) -> list[object]:
    return [getattr(thing, column) for column in columns]
