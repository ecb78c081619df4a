"""A table as text: a header, a rule of dashes, rows. Depends on nothing of ours."""

from __future__ import annotations

from dataclasses import field

from serq.records import Draft


class Table(Draft):
    """Cells by row. The first column is aligned left, the others right."""

    header: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Header, rule and rows; columns two blanks apart, as wide as their widest cell."""
        cells = [self.header, *self.rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.header))]
        rule = tuple("-" * width for width in widths)
        return [_line(row, widths) for row in (self.header, rule, *self.rows)]


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [row[0].ljust(widths[0])]
    cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "  ".join(cells).rstrip()
