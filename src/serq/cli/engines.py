"""The option `--engine`, for the commands that run programs.

Depends on the registry of engines, which commands that run nothing do not load.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serq.cli.arguments import one_of, value_option
from serq.engines.registry import NAMES


def engine_option(
    help: str = "Engine to run on; the fastest present when not given.",
) -> Callable[[Any], Any]:
    """`--engine`, one of the registry's names."""
    return value_option(
        "--engine", "engine", one_of(NAMES), metavar="|".join(NAMES), words=NAMES, help=help
    )
