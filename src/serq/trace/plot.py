"""The figure of a trace: arrivals in time, and how prompts, answers and thoughts are distributed.

Depends on the trace's numbers and `serq.figures`, and on matplotlib, which is optional.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from os import PathLike
from typing import TYPE_CHECKING, Final

from serq.figures import COLOURS, ending, style, write
from serq.trace.info import Arrivals, Distribution, Info

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BINS: Final = 120
_POINTS: Final = 400


def save(info: Info, path: str | PathLike[str], name: str | PathLike[str]) -> None:
    """Draw into the file `path`, in the format that `name` ends in.

    Raises `ImportError` without matplotlib, `ValueError` for another ending.
    """
    kind = ending(name)
    with style():
        write(_draw(info), path, kind)


def _draw(info: Info) -> Figure:
    from matplotlib.figure import Figure

    lengths = [(name, info.distributions[name]) for name in ("prompt", "output")]
    turns = info.distributions["turns_per_session"]
    figure = Figure(figsize=(8.0, 5.6), layout="constrained")
    (arrivals, tokens), (thoughts, counts) = figure.subplots(2, 2)
    _arrivals(arrivals, info.arrivals)
    _curves(tokens, lengths, "tokens")
    _curves(thoughts, [("think", info.distributions["think"])], "think time (s)")
    _curves(counts, [("turns", turns)], "turns a session")
    return figure


def _arrivals(panel: Axes, arrivals: Arrivals | None) -> None:
    """The rate of arrivals in bins of equal length."""
    panel.set_xlabel("time (s)")
    panel.set_ylabel("sessions/s")
    if arrivals is None or not arrivals.last > arrivals.first:
        _nothing(panel, "no times of arrival")
        return
    width = (arrivals.last - arrivals.first) / _BINS
    counts = [0] * _BINS
    for time in arrivals.times:
        counts[min(int((time - arrivals.first) / width), _BINS - 1)] += 1
    edges = [arrivals.first + width * number for number in range(_BINS + 1)]
    panel.stairs([count / width for count in counts], edges, color=COLOURS[0], fill=True, alpha=0.5)
    panel.axhline(arrivals.rate, color=COLOURS[1], linewidth=1.2, label="mean")
    panel.set_ylim(0.0, 1.25 * max(counts) / width)
    panel.legend(loc="upper right")


def _curves(panel: Axes, lines: Sequence[tuple[str, Distribution]], label: str) -> None:
    """Distribution functions, the values on a logarithmic scale where they span decades."""
    panel.set_xlabel(label)
    panel.set_ylabel("share at most")
    drawn = [(name, each) for name, each in lines if each.count and isfinite(each.mean)]
    if not drawn:
        _nothing(panel, "none")
        return
    least = min(each.quantile(0.0) for _, each in drawn)
    most = max(each.quantile(1.0) for _, each in drawn)
    if most > 30.0 * max(least, 1.0):
        panel.set_xscale("symlog", linthresh=1.0)
    for number, (name, values) in enumerate(drawn):
        shares = [number / _POINTS for number in range(_POINTS + 1)]
        xs = [values.quantile(share) for share in shares]
        panel.plot(xs, shares, color=COLOURS[number], linewidth=1.6, label=name)
    panel.set_ylim(0.0, 1.02)
    panel.set_xlim(left=max(0.0, least * 0.9))
    if len(drawn) > 1:
        panel.legend(loc="best")


def _nothing(panel: Axes, reason: str) -> None:
    panel.text(0.5, 0.5, reason, ha="center", va="center", transform=panel.transAxes)
    panel.set_xticks([])
    panel.set_yticks([])
