"""Runs a program from its text and gives what the engine saw."""

from __future__ import annotations

from typing import Any

import pytest

import serq
from serq import semantics
from serq.diagnostics import Diagnostic, SerqError
from serq.report.measurements import Measurements, PoolMeasurements, StageMeasurements
from serq.report.options import RunOptions

RUN = "run { horizon 100; seed 1; }"


def run(source: str, **options: Any) -> Measurements:
    """Compile and run; a program without a run block runs to 100."""
    if "run {" not in source:
        source += RUN
    program = serq.compile(source=source)
    return semantics.run(program.ir, RunOptions(spans=program.spans, **options))


def refused(source: str, **options: Any) -> Diagnostic:
    """The one diagnostic of a run that can not go on."""
    with pytest.raises(SerqError) as caught:
        run(source, **options)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def text_at(diagnostic: Diagnostic) -> str:
    """The text a diagnostic points at."""
    assert diagnostic.span is not None
    return diagnostic.span.text


def samples(measured: Measurements, name: str) -> list[float]:
    """The samples of an observation."""
    return list(next(o for o in measured.observes if o.name == name).samples)


def pool(measured: Measurements, name: str) -> PoolMeasurements:
    """A pool's measurements."""
    return next(p for p in measured.pools if p.name == name)


def stage(measured: Measurements, name: str) -> StageMeasurements:
    """A stage's measurements."""
    return next(s for s in measured.stages if s.name == name)
