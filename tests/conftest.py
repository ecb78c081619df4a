"""What every test shares: a repeatable Hypothesis and the place of the repository."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run and machine; a run that should look further names another
# profile with `--hypothesis-profile`.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root folder of the source tree."""
    return Path(__file__).parents[1]


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c_interrupts() -> None:
    """Even where a shell has started the tests in the background, which has them ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
