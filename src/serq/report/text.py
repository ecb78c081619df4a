"""The report as text: a line of facts, then a table for observations, gauges, stages and pools.

Depends on the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq.report.numbers import decimals, plain
from serq.report.tables import tables

if TYPE_CHECKING:
    from serq.diagnostics import Diagnostic
    from serq.report.report import Report

_LABELS = {"SQ802": "stuck"}
_AFTER = {"observe": "SQ801", "pool": "SQ802"}
"""The notes that stand directly under a table, by its first heading."""


def render(report: Report, *, steps: bool = False) -> str:
    """The report, ending with a line break; `steps` adds the table of step stages."""
    lines = [heading(report)]
    if report.partial:
        lines.append(f"partial: interrupted at {plain(report.end)}")
    if not report.samples and report.observes:
        lines.append("samples: not kept; quantiles are within 0.5 %")
    for table in tables(report, steps=steps):
        lines += ["", *table.lines()]
        code = _AFTER.get(table.header[0])
        lines += [note_line(note) for note in report.notes if note.code == code]
    lines += [note_line(note) for note in report.notes if note.code not in _AFTER.values()]
    return "\n".join(lines) + "\n"


def heading(report: Report) -> str:
    """The line of facts."""
    facts = (
        ("horizon", plain(report.horizon)),
        ("end", plain(report.end)),
        ("warmup", plain(report.warmup)),
        ("seed", str(report.seed)),
        ("events", str(report.events)),
        ("arrivals", str(report.arrivals)),
        ("ended", str(report.ended)),
        ("turns", str(report.turns)),
        ("mean live", decimals(report.mean_live, 3)),
    )
    return "run: " + " ".join(f"{name} {value}" for name, value in facts)


def note_line(note: Diagnostic) -> str:
    """One note as a line, with its place when the table does not name what it speaks of."""
    place = f" at {note.where()}" if note.code == "SQ803" else ""
    return f"{_LABELS.get(note.code, 'note')}: {note.message}{place}"
