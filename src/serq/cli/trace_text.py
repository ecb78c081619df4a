"""What a trace holds, as text and as JSON. Depends on the trace's numbers and the tables."""

from __future__ import annotations

from math import isfinite

from serq.report.numbers import decimals
from serq.report.table import Table
from serq.trace.info import QUANTILES, Info

_NAMES = {
    "turns_per_session": "turns a session",
    "prompt": "prompt (tokens)",
    "new": "  of it new",
    "output": "output (tokens)",
    "think": "think (s)",
}


def info_text(info: Info) -> list[str]:
    """A line on sessions, one on arrivals, a table of distributions, one line on reuse."""
    forced = f", {info.forced} forced to miss" if info.forced else ""
    lines = [f"{info.sessions} sessions, {info.turns} turns{forced}"]
    arrivals = info.arrivals
    if arrivals is None:
        lines.append("arrivals: not every session says when it arrives")
    else:
        busiest = f" ({decimals(arrivals.busiest, 4)} in the busiest minute)"
        lines.append(
            f"arrivals: {arrivals.first:.6g} to {arrivals.last:.6g} s, "
            f"{decimals(arrivals.rate, 4)} sessions/s"
            f"{busiest if isfinite(arrivals.busiest) else ''}, "
            f"cv2 of the gaps {decimals(arrivals.cv2, 3)}"
        )
    header = ("", "count", "mean", "cv2", "min", *(f"p{q * 100:g}" for q in QUANTILES), "max")
    table = Table(header)
    for name, values in info.distributions.items():
        if not values.count:
            continue
        places = 1 if name != "think" else 3
        numbers = values.as_dict()
        cells = [str(values.count), decimals(values.mean, places), decimals(values.cv2, 3)]
        rest = ("min", *(f"p{q * 100:g}" for q in QUANTILES), "max")
        cells += [_short(numbers[each]) for each in rest]
        table.rows.append((_NAMES[name], *cells))
    lines += ["", *table.lines(), ""]
    lines.append(
        f"prefixes: {decimals(100.0 * info.reuse, 1)} % of {_short(info.prompt_tokens)} prompt "
        "tokens repeat their session's context"
    )
    return lines


def _short(value: float) -> str:
    """A quantile, which is one of the values: whole as it is, else to three decimals."""
    if isfinite(value) and value == int(value):
        return str(int(value))
    return decimals(value, 3)


def info_json(info: Info) -> dict[str, object]:
    """The numbers by name; what is not finite is null."""
    return {name: _finite(value) for name, value in info.as_dict().items()}


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value
