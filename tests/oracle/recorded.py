"""The recorded scenarios: which there are, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from serq.oracle.files import read_scenarios
from serq.oracle.scenario import Scenario

FOLDER = Path(__file__).parent / "vllm"
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def scenarios(name: str) -> list[Scenario]:
    """The scenarios of a file."""
    return read_scenarios(FOLDER / f"{name}.json")


def scenario(name: str) -> Scenario:
    """The scenario of a file that has one."""
    (only,) = scenarios(name)
    return only
