"""Checks of the program as a whole: slots, hidden attributes, the run, gauges (contract §2 and
§3).

Depends on the expression checks, `serq.vocabulary` and the report.
"""

from __future__ import annotations

from math import isfinite, isnan

from serq.ir.validate_expressions import check_expression, check_slot
from serq.ir.validate_report import Checks
from serq.vocabulary.moments import Moment


def check_slots(checks: Checks) -> None:
    """The built-in attributes have slots of the table."""
    slots = checks.program.slots
    for name in slots.__match_args__:
        check_slot(checks, getattr(slots, name), ("slots", name))


def check_hidden(checks: Checks) -> None:
    """Hidden attributes are there, once, and none the scheduler sets itself."""
    program = checks.program
    seen: set[int] = set()
    for i, slot in enumerate(program.hidden):
        path = ("hidden", i)
        if not check_slot(checks, slot, path):
            continue
        name = checks.attribute(slot)
        if slot in (program.slots.cached, program.slots.computed):
            message = f"the scheduler sets `{name}` itself, so it can not be hidden from it"
            checks.report("SQ304", message, path)
        if slot in seen:
            checks.report("SQ202", f"`{name}` is hidden twice", path, help="name it once")
        seen.add(slot)


def check_run(checks: Checks) -> None:
    """The horizon is positive and finite, the warm-up before it."""
    program = checks.program
    horizon, warmup = program.horizon, program.warmup
    if not (isfinite(horizon) and horizon > 0.0):
        code = "SQ401" if isnan(horizon) else "SQ402"
        message = f"the horizon is {horizon:g}; a run ends at a positive, finite time"
        checks.report(code, message, ("horizon",))
    elif not warmup >= 0.0:
        code = "SQ401" if isnan(warmup) else "SQ402"
        checks.report(code, f"the warm-up is {warmup:g}; it is at least 0", ("warmup",))
    elif warmup >= horizon:
        checks.report(
            "SQ412",
            f"the warm-up ends at {warmup:g}, when the run at {horizon:g} is over; nothing would "
            "be measured",
            ("warmup",),
            notes=checks.note("the horizon", ("horizon",)),
        )
    if not 0 <= program.seed < 2**64:
        message = f"the seed is {program.seed}; it is a whole number from 0 to 2^64 - 1"
        checks.report("SQ402", message, ("seed",))


def check_gauges(checks: Checks) -> None:
    """A gauge has a name of its own and reads the state alone."""
    observes = {name: i for i, name in enumerate(checks.program.observes)}
    first: dict[str, int] = {}
    for i, gauge in enumerate(checks.program.gauges):
        path = ("gauges", i)
        if gauge.name in first:
            notes = checks.note("the other gauge", ("gauges", first[gauge.name]))
            message = f"there is a gauge `{gauge.name}` already"
            checks.report("SQ202", message, path, notes=notes, help="rename one of the two")
        elif gauge.name in observes:
            notes = checks.note("the observation", ("observes", observes[gauge.name]))
            message = f"`{gauge.name}` is an observation too; one name would be two statistics"
            checks.report("SQ202", message, path, notes=notes, help="rename one of the two")
        first.setdefault(gauge.name, i)
        check_expression(checks, gauge.value, ("gauges", i, "value"), Moment.GAUGE)
