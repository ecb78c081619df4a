"""What a log looks like by its first lines, for the hint under the error of another format.

Depends on nothing.
"""

from __future__ import annotations

from typing import Final

_SIGNS: Final = (
    ("azure", "TIMESTAMP", "ContextTokens"),
    ("burstgpt", "Timestamp", "Request tokens"),
    ("mooncake", '"timestamp"', '"input_length"'),
    ("vllm", '"input_lens"', '"output_lens"'),
    ("aiperf", '"metadata"', '"request_start_ns"'),
    ("guidellm", '"benchmarks"', '"metadata"'),
    ("inference-perf", '"start_time"', '"end_time"'),
)


def looks_like(text: str) -> str | None:
    """The format whose marks the beginning of a log bears; None when it is none we know."""
    for name, first, second in _SIGNS:
        if first in text and second in text:
            return name
    return None


def hint(text: str, name: str) -> str | None:
    """What to do about a log that is not one of `name`."""
    if text.lstrip("\ufeff").startswith(("session,turn,", "# Made by `serq trace import")):
        return "this is a trace already: a program replays it as it is"
    other = looks_like(text)
    if other is None or other == name:
        return None
    return f"this looks like a log of {other}: `serq trace import {other} …`"
