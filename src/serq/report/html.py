"""The report as HTML tables, for a notebook. Depends on the report."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from serq.report.tables import tables
from serq.report.text import heading, note_line

if TYPE_CHECKING:
    from serq.report.report import Report
    from serq.report.table import Table


def render(report: Report) -> str:
    """Tables with step stages, and the notes."""
    parts = [f"<p>{escape(heading(report))}</p>"]
    if report.partial:
        parts.append("<p><b>partial:</b> the run was interrupted</p>")
    if not report.samples and report.observes:
        parts.append("<p><b>samples:</b> not kept; quantiles are within 0.5 %</p>")
    parts += [_table(table) for table in tables(report, steps=True)]
    parts += [f"<p>{escape(note_line(note))}</p>" for note in report.notes]
    return "\n".join(parts)


def _table(table: Table) -> str:
    header = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
    rows = "".join(
        f"<tr><th>{escape(row[0])}</th>{''.join(f'<td>{escape(c)}</td>' for c in row[1:])}</tr>"
        for row in table.rows
    )
    return f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"
