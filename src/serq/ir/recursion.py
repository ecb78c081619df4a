"""Recursion that does not use the interpreter's stack.

A function over nested blocks is written as a generator: where it would call itself it yields the
call and receives its result. Programs nest as deeply as the parser lets them, and a server's
statements stand inside the session's. Depends on nothing of ours.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

Result = TypeVar("Result")

Recursive = Generator["Recursive[Any]", Any, Result]
"""A call in progress: it yields the calls it needs and returns a `Result`."""


def run(call: Recursive[Result]) -> Result:
    """The result of the outermost call."""
    stack: list[Recursive[Any]] = [call]
    result: Any = None
    while stack:
        try:
            inner = stack[-1].send(result)
        except StopIteration as stop:
            stack.pop()
            result = stop.value
        else:
            stack.append(inner)
            result = None
    answer: Result = result
    return answer
