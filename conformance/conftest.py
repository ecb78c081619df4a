"""Cases times engines: how `pytest conformance` finds what to run.

`--engine NAME` picks one engine, `--engine all` (and saying nothing) every engine present.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent
if str(ROOT.parent) not in sys.path:
    sys.path.insert(0, str(ROOT.parent))

from conformance.loader import load_suite  # noqa: E402
from conformance.runner import engines_present, engines_wanted  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--engine`."""
    parser.addoption("--engine", default="all", help="an engine's name, or all that are present")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for a case and an engine every pair of them."""
    if "case" not in metafunc.fixturenames:
        return
    wanted = metafunc.config.getoption("--engine", "all")
    try:
        engines = engines_wanted(wanted, engines_present())
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    pairs = [
        pytest.param(case, engine, id=f"{case.name} [{engine}]")
        for case in load_suite(ROOT)
        for engine in engines
    ]
    metafunc.parametrize(("case", "engine"), pairs)
