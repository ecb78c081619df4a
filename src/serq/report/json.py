"""The report as JSON: one line without blanks, its members in a fixed order.

Floats are written without an exponent; one that is not finite is `null`. A run that kept no
samples has a member `"samples":false` after these, one that was interrupted a last member
`"partial":true`. Depends on the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq.ir.json_text import write_string
from serq.report.numbers import plain_or_null
from serq.report.rows import Pool, Stage

if TYPE_CHECKING:
    from serq.report.report import Report

_FACTS = (
    "serq_version", "horizon", "end", "warmup", "seed", "events", "arrivals", "ended", "turns",
    "mean_live",
)  # fmt: skip
_OBSERVE = ("count", "mean", "ci", "cv2", "p99")
_GAUGE = ("mean", "ci", "min", "max")


def render(report: Report) -> str:
    """The report, without a final line break."""
    members = [_member(name, _scalar(getattr(report, name))) for name in _FACTS]
    observes = [_member(name, _object(each, _OBSERVE)) for name, each in report.observes.items()]
    gauges = [_member(name, _object(each, _GAUGE)) for name, each in report.gauges.items()]
    members += [
        _member("observes", f"{{{','.join(observes)}}}"),
        _member("gauges", f"{{{','.join(gauges)}}}"),
        _member(
            "stages", f"[{','.join(_object(each, Stage.__match_args__) for each in report.stages)}]"
        ),
        _member(
            "pools", f"[{','.join(_object(each, Pool.__match_args__) for each in report.pools)}]"
        ),
    ]
    if not report.samples:
        members.append('"samples":false')
    if report.partial:
        members.append('"partial":true')
    return f"{{{','.join(members)}}}"


def _member(name: str, value: str) -> str:
    return f"{write_string(name)}:{value}"


def _object(row: Any, names: tuple[str, ...]) -> str:
    return f"{{{','.join(_member(name, _scalar(getattr(row, name))) for name in names)}}}"


def _scalar(value: str | int | float | None) -> str:
    match value:
        case str():
            return write_string(value)
        case int():
            return str(value)
        case _:
            return plain_or_null(value)
