"""Checks of arrivals: rates, gaps, counts and sessions given in full (contract §2, *wlitem*).

Depends on the expression checks, constants and the report.
"""

from __future__ import annotations

from math import isfinite, isnan
from typing import assert_never

from serq.ir.constants import constant_value
from serq.ir.nodes import (
    Batch,
    Closed,
    NoArrivals,
    Poisson,
    Renewal,
    Sessions,
    TraceArrivals,
)
from serq.ir.spans import Path
from serq.ir.validate_expressions import check_expression, check_slot
from serq.ir.validate_report import Checks
from serq.vocabulary.moments import Moment


def check_arrival(checks: Checks) -> None:
    """Check how sessions arrive."""
    arrival = checks.program.arrival
    match arrival:
        case Poisson(rate):
            if not (isfinite(rate) and rate > 0.0):
                code = "SQ401" if isnan(rate) else "SQ410"
                message = f"the arrival rate is {rate:g}; it is positive and finite"
                help = "`arrive none` for no arrivals"
                checks.report(code, message, ("arrival", "rate"), help=help)
        case Renewal(gap):
            check_expression(checks, gap, ("arrival", "gap"), Moment.RENEWAL_GAP)
            value = constant_value(gap) if ("arrival", "gap") not in checks.refused else None
            if value is not None and not (isfinite(value) and value > 0.0):
                message = f"the gap between arrivals is {value:g}; it is positive and finite"
                checks.report("SQ410", message, ("arrival", "gap"))
        case Closed(count) | Batch(count):
            if count < 0:
                message = f"{count} sessions can not be; a count is at least 0"
                checks.report("SQ411", message, ("arrival",))
        case Sessions():
            _check_sessions(checks, arrival)
        case TraceArrivals(scale):
            _check_trace_arrivals(checks, scale)
        case NoArrivals():
            pass
        case _:
            assert_never(arrival)


def _check_trace_arrivals(checks: Checks, scale: float) -> None:
    if checks.program.trace is None:
        message = "sessions arrive at the times of a trace, and the program replays none"
        help = 'name it: `trace "sessions.csv";` (or `--trace FILE`)'
        checks.report("SQ711", message, ("arrival",), help=help)
    if not (isfinite(scale) and scale > 0.0):
        code = "SQ401" if isnan(scale) else "SQ410"
        message = f"the trace's times are scaled by {scale:g}; a scale is positive and finite"
        help = "`scale (0.5)` halves every time, which doubles the rate"
        checks.report(code, message, ("arrival", "scale"), help=help)


def _check_sessions(checks: Checks, arrival: Sessions) -> None:
    for number, session in enumerate(arrival.sessions):
        path: Path = ("arrival", number)
        for slot, value in (
            *session.attributes,
            *(each for turn in session.turns for each in turn),
        ):
            check_slot(checks, slot, path)
            if isnan(value):
                message = f"`{checks.attribute(slot)}` is NaN; an attribute is given a number"
                checks.report("SQ401", message, path)


def check_arrivals(checks: Checks) -> None:
    """A limit of arrivals is positive, and of an open workload."""
    limit = checks.program.arrivals
    if limit is None:
        return
    if limit < 1:
        message = f"a run of {limit} arrivals measures nothing; the limit is at least 1"
        checks.report("SQ411", message, ("arrivals",))
    if not isinstance(checks.program.arrival, Poisson | Renewal | TraceArrivals):
        checks.report(
            "SQ419",
            "`arrivals` limits the sessions that come from outside, and this workload has none",
            ("arrivals",),
            notes=checks.note("the workload's arrivals", ("arrival",)),
            help="use it with `arrive poisson`, `arrive renewal` or `arrive trace`",
        )
