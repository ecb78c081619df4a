"""Measurements made by hand."""

from __future__ import annotations

from array import array
from math import nan

from serq.ir import nodes as ir
from serq.report.measurements import (
    GaugeMeasurements,
    Measurements,
    ObserveMeasurements,
    PoolMeasurements,
    StageMeasurements,
)
from serq.report.report import Report
from serq.vocabulary.attributes import BUILTIN_ATTRIBUTES

ENGINE = StageMeasurements(
    "engine",
    None,
    mean_number=0.1534,
    utilization=0.1377,
    completed=87894,
    mean_wait=0.0,
    mean_service=0.03129,
    iterations=9164050,
    prefill_only=0.001,
    decode_only=0.125,
    mixed=0.0117,
    mean_decodes=0.1411,
    mean_decode_batch=1.0321,
    mean_decode_step=0.00023,
    mean_itl=0.00025,
    itl_p50=0.00022,
    itl_p99=0.0031,
)
TOOL = StageMeasurements("tool", None, 5.822, 0.998, 35044, 0.0, 2.9903)
KV = PoolMeasurements(
    "kv", None, 729.76, 28515.4, 0.0, 0.153, nan, 48810, 218, 1760208.0, 0, 0, 0, 0
)
REQS = PoolMeasurements("reqs", None, 0.153, 0.0, 0.002, 0.153, 0.0007, 48810, 0, 0.0, 0, 0, 0, 0)

PAGE = """\
run: horizon 20000 end 20000 warmup 2000 seed 1 events 9212861 arrivals 9905 ended 8903 \
turns 43947 mean live 5.977

stage   number   util   done    thru    wait  service    iters
------  ------  -----  -----  ------  ------  -------  -------
engine   0.153  0.138  87894  4.8830  0.0000   0.0313  9164050
tool     5.822  0.998  35044  1.9469  0.0000   2.9903        0

pool   used   cached  queue  holders    wait  admits  evict(n)  evict(u)  preempt  spill  rej  stuck
----  -----  -------  -----  -------  ------  ------  --------  --------  -------  -----  ---  -----
kv    729.8  28515.4  0.000    0.153     NaN   48810       218   1760208        0      0    0      0
reqs    0.2      0.0  0.002    0.153  0.0007   48810         0         0        0      0    0      0
"""
"""What the tutorial of the language prints of such a run, without its observations."""


def observed(name: str, values: list[float]) -> ObserveMeasurements:
    """An observation with a record a second, by one session."""
    count = len(values)
    return ObserveMeasurements(
        name,
        array("d", values),
        array("d", [float(at) for at in range(count)]),
        array("Q", [7] * count),
        array("L", [1] * count),
    )


def measurements(
    *,
    observes: list[ObserveMeasurements] | None = None,
    gauges: list[GaugeMeasurements] | None = None,
    stages: list[StageMeasurements] | None = None,
    pools: list[PoolMeasurements] | None = None,
) -> Measurements:
    """The tutorial's run with these parts."""
    return Measurements(
        engine="python",
        horizon=20000.0,
        end=20000.0,
        warmup=2000.0,
        seed=1,
        events=9212861,
        arrivals=9905,
        ended=8903,
        turns=43947,
        mean_live=5.9768,
        observes=observes or [],
        gauges=gauges or [],
        stages=stages or [],
        pools=pools or [],
    )


def program(*observed: tuple[str, ir.Expression]) -> ir.Program:
    """A program that observes these."""
    names = tuple(dict.fromkeys(name for name, _ in observed))
    session = tuple(ir.Observe(names.index(name), value) for name, value in observed)
    return ir.Program(
        attributes=BUILTIN_ATTRIBUTES,
        observes=names,
        pools=(),
        stages=(),
        arrival=ir.NoArrivals(),
        trace=None,
        trace_ordered=False,
        init=0,
        turn=1,
        session=2,
        blocks=((), (), session),
        horizon=20000.0,
        warmup=2000.0,
        seed=1,
    )


def report(measured: Measurements, of: ir.Program | None = None) -> Report:
    """The report of a run."""
    return Report(measured, of or program(), serq_version="9.9.9")
