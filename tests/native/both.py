"""Runs a program on both engines and compares what they saw, to the bit."""

from __future__ import annotations

import struct
from array import array
from dataclasses import fields, is_dataclass
from math import isnan
from typing import Any

import serq
from serq.api.trace import read_program_trace
from serq.engines.native import NativeEngine
from serq.engines.python import PythonEngine
from serq.report.columns import Columns
from serq.report.options import RunOptions
from serq.stats import sample_summary, step_function
from serq.stats.log_histogram import LogHistogram


def bits(value: Any) -> Any:
    """Data that are equal when the measurements are the same to the bit; one NaN is as another."""
    if is_dataclass(value):
        named = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: bits(part) for name, part in named if name != "engine"}
    if isinstance(value, array | memoryview):
        column = memoryview(value)
        return [bits(item) for item in column] if column.format == "d" else column.tolist()
    if isinstance(value, LogHistogram):
        return [[key, *bits(value.buckets[key])] for key in sorted(value.buckets)]
    if isinstance(value, list | tuple | Columns):
        return [bits(item) for item in value]
    if isinstance(value, float):
        return "nan" if isnan(value) else struct.pack("<d", value).hex()
    return value


def outcome(engine: NativeEngine | PythonEngine, program: serq.Program, **options: Any) -> Any:
    """The measurements, or what the diagnostics say and where they point."""
    asked = RunOptions(trace=read_program_trace(program), spans=program.spans, **options)
    try:
        measured = engine.run(program.ir, asked)
    except serq.SerqError as error:
        return [(d.code, d.message, d.help, d.span, d.data) for d in error.diagnostics]
    window = measured.warmup, measured.end
    for observe in measured.observes:  # the Python engine leaves it to the report
        observe.summary = observe.summary or sample_summary.summarise(observe.samples)
    for gauge in measured.gauges:
        gauge.summary = gauge.summary or step_function.summarise(gauge.times, gauge.values, *window)
    return bits(measured)


def differences(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """Where two outcomes part."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [d for name in ours for d in differences(ours[name], theirs[name], f"{path}.{name}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [d for at, (a, b) in pairs for d in differences(a, b, f"{path}[{at}]")]
    return [] if ours == theirs else [f"{path}: native {ours!r}, python {theirs!r}"]


def check_same(source: str, **options: Any) -> Any:
    """The outcome of a program, which is the same on both engines."""
    program = serq.compile(source=source)
    native = outcome(NativeEngine(), program, **options)
    assert differences(native, outcome(PythonEngine(), program, **options)) == []
    return native
