"""An implementation's answer to a program: `python` and `native` are ours, `reference` is pyserq.

Every answer has an end: the reference answers in a process that is killed when it hangs, and a
run of ours is interrupted after some seconds, and before that by its own limits.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import serq
from serq.ir.nodes import Program
from tests.reference import Reference

LIMIT = 50_000
"""Statements and events at one instant before a run of ours is an error."""

PATIENCE = 10.0
"""Seconds a run may take."""

Parts = Mapping[str, list[float]]


@dataclass(frozen=True)
class Answer:
    """What one implementation made of a program.

    `outcome` is `ran`, `refused` (at link), `failed` (in the run), `panicked` or `hung`.
    """

    engine: str
    outcome: str
    codes: tuple[str, ...] = ()
    """Codes of our findings, in their order."""
    message: str = ""
    ir: str = ""
    """The IR as JSON, from the reference."""
    report: Any = None
    """The report as JSON data."""
    samples: Mapping[str, Parts] = field(default_factory=dict)
    """`observe NAME` and `gauge NAME`: its lists by name."""
    exact: Any = None
    """What only our own engines share: the report's bytes and notes, or the error as shown."""
    compiled: serq.Program | None = None
    """Our program, when it was not refused."""

    @property
    def program(self) -> Program | None:
        """Its IR."""
        return None if self.compiled is None else self.compiled.ir


Ask = Callable[[str], Answer]


class Patience:
    """Interrupts a run that is still going after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds

    def __call__(self, _progress: object) -> None:
        if time.monotonic() > self.until:
            raise KeyboardInterrupt


@lru_cache(4)
def compiled(source: str) -> serq.Program | serq.SerqError:
    """The program, or why it is refused; once for all engines of ours."""
    try:
        return serq.compile(source=source)
    except serq.SerqError as error:
        return error


def ours(engine: str, source: str) -> Answer:
    """What an engine of ours makes of it."""
    made = compiled(source)
    if isinstance(made, serq.SerqError):
        return _ended(engine, "refused", made)
    try:
        report = serq.run(
            made,
            engine=engine,
            progress=Patience(PATIENCE),
            limit_events=LIMIT,
            limit_statements=LIMIT,
            limit_sessions=LIMIT,
        )
    except serq.SerqError as error:
        return replace(_ended(engine, "failed", error), compiled=made)
    if report.partial:
        message = f"still running after {PATIENCE:g} s"
        return Answer(engine, "hung", message=message, compiled=made)
    samples: dict[str, Parts] = {}
    for name, observe in report.observes.items():
        parts = ("samples", "times", "sessions", "turns")
        samples[f"observe {name}"] = {part: getattr(observe, part).tolist() for part in parts}
    for name, gauge in report.gauges.items():
        samples[f"gauge {name}"] = {p: getattr(gauge, p).tolist() for p in ("times", "values")}
    text = report.json()
    exact = [text, report.text(steps=True), [str(note) for note in report.notes]]
    return Answer(engine, "ran", (), "", "", json.loads(text), samples, exact, made)


def _ended(engine: str, outcome: str, error: serq.SerqError) -> Answer:
    found = error.diagnostics
    shown = [f"{each}\n{each.help}" for each in found]
    codes = tuple(each.code for each in found if each.severity == "error")
    return Answer(engine, outcome, codes, "; ".join(map(str, found)), exact=shown)


def reference_asker(seconds: float = 4.0) -> Ask:
    """Asks the reference, in a process of its own."""
    reference = Reference()

    def ask(source: str) -> Answer:
        try:
            answer = reference.ask(source, seconds)
        except (EOFError, OSError):  # the process is gone, killed for its memory
            reference.close()
            return Answer("reference", "hung", message="the process is gone")
        samples: dict[str, Parts] = {f"observe {n}": p for n, p in answer.records.items()}
        samples |= {f"gauge {n}": parts for n, parts in answer.gauges.items()}
        return Answer(
            "reference",
            answer.outcome,
            message=answer.message,
            ir=answer.ir,
            report=json.loads(answer.report) if answer.report else None,
            samples=samples,
        )

    return ask


def asker(engine: str) -> Ask:
    """Asks the implementation of this name."""
    if engine == "reference":
        return reference_asker()
    return lambda source: ours(engine, source)
