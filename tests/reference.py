"""The reference implementation as a black box, in a process of its own.

It is a development dependency and never imported by the package. It can hang on a program in
which no time passes and panic on some others, so every answer has a time limit, and a hung
worker is replaced.
"""

from __future__ import annotations

import atexit
import importlib.util
import multiprocessing
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

PRESENT = importlib.util.find_spec("pyserq") is not None


@dataclass(frozen=True)
class Answer:
    """What the reference said of a program: its IR, its report and samples, or what went wrong.

    `outcome` is `ran`, `refused` (at link), `failed` (in the run), `panicked` or `hung`.
    """

    outcome: str
    message: str = ""
    ir: str = ""
    report: str = ""
    records: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    gauges: dict[str, dict[str, list[float]]] = field(default_factory=dict)


def _answer(source: str) -> Answer:
    """Compile and run in the worker."""
    import pyserq

    try:
        program = pyserq.compile(source=source)
    except ValueError as error:
        return Answer("refused", str(error))
    try:
        report = pyserq.run(program)
    except ValueError as error:
        return Answer("failed", str(error), program.to_json())
    records = {
        name: {
            part: list(getattr(observe, part)) for part in ("samples", "times", "sessions", "turns")
        }
        for name, observe in report.observes.items()
    }
    gauges = {
        name: {part: list(getattr(gauge, part)) for part in ("times", "values")}
        for name, gauge in report.gauges.items()
    }
    return Answer("ran", "", program.to_json(), report.json(), records, gauges)


def _serve(connection: Connection) -> None:
    """Answer programs until the other end closes."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    while True:
        try:
            source = connection.recv()
        except EOFError:
            return
        try:
            answer = _answer(source)
        except BaseException as error:  # its panics are no Exceptions
            answer = Answer("panicked", str(error))
        connection.send(answer)


class Reference:
    """A worker that answers one program after another."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        atexit.register(self.close)

    def ask(self, source: str, seconds: float = 5.0) -> Answer:
        """What the reference says of `source`; `hung` after `seconds`."""
        if self._connection is None:
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            seconds += 10
        self._connection.send(source)
        if not self._connection.poll(seconds):
            self.close()
            return Answer("hung")
        answer: Answer = self._connection.recv()
        return answer

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None
