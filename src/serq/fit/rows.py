"""Rows of measurements: CSV with a header, or one JSON object a line.

A file is read a line at a time. What is wrong with a row is said with its line; the first
twenty are told. Empty lines and lines that start with `#` are skipped. Depends on the findings.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from serq.diagnostics import Diagnostic, SerqError, nearest, refused
from serq.fit.findings import bad_file, bad_row, json_fault

_MOST_FINDINGS: Final = 20
_LONGEST_LINE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its line, its text, and its fields by column."""

    line: int
    text: str
    fields: dict[str, Any]


class Findings:
    """What is wrong with the rows of a file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[Diagnostic] = []

    def add(self, row: Row, reason: str, help: str | None = None) -> None:
        """Record what is wrong with a row; the file is given up when there are many."""
        self.found.append(bad_row(self.name, row.line, row.text, reason, help))
        if len(self.found) == _MOST_FINDINGS:
            self.finish()

    def finish(self) -> None:
        """Raise `SerqError` (SQ720) when there is anything."""
        if self.found:
            raise SerqError(self.found)

    def number(self, row: Row, column: str, *, least: float = 0.0) -> float:
        """The finite number in a column, at least `least`; NaN when there is none."""
        value = row.fields.get(column)
        shown = "nothing" if value is None or value == "" else f"`{str(value)[:40]}`"
        try:
            if isinstance(value, bool) or value is None:
                raise ValueError
            number = float(value)
        except (TypeError, ValueError):
            self.add(row, f"has {shown} for `{column}`, where a number belongs")
            return math.nan
        if not least <= number < math.inf:
            self.add(row, f"has {shown} for `{column}`, where a finite number from {least:g} on is")
            return math.nan
        return number


def read_rows(name: str) -> Iterator[Row]:
    """The rows of a file. Raises `SerqError` (SQ720, SQ703 when it can not be opened)."""
    columns: list[str] | None = None
    for line, text in read_lines(name):
        if not text.strip() or text.startswith("#"):
            continue
        if columns is None and text.lstrip().startswith("{"):
            yield Row(line, text, _object(name, line, text))
            continue
        try:
            fields = next(csv.reader([text], skipinitialspace=True))
        except csv.Error as error:
            raise SerqError([bad_row(name, line, text, f"is no CSV: {error}")]) from None
        if columns is None:
            columns = [field.strip() for field in fields]
            _check_header(name, line, text, columns)
        elif len(fields) != len(columns):
            reason = (
                f"has {len(fields)} field{'s' * (len(fields) != 1)}; the header has {len(columns)}"
            )
            help = f"the first line is the header: `{', '.join(columns)[:100]}`"
            raise SerqError([bad_row(name, line, text, reason, help)])
        else:
            yield Row(line, text, dict(zip(columns, fields, strict=True)))


def read_lines(name: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without line breaks."""
    try:
        with Path(name).open("rb") as file:
            number = 0
            while raw := file.readline(_LONGEST_LINE):
                number += 1
                if len(raw) == _LONGEST_LINE:
                    raise bad_file(name, f"has a line {number} of more than {_LONGEST_LINE} bytes")
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    reason = f"is not UTF-8: line {number}, byte {error.start + 1}"
                    raise bad_file(name, reason, refused.AS_UTF_8) from None
                yield number, text.rstrip("\r\n")
    except OSError as error:
        raise unreadable(name, error) from None


def unreadable(name: str, error: OSError) -> SerqError:
    """SQ703: the file can not be read."""
    message = f"`{name}` can not be read: {refused.reason(error)}"
    return SerqError([Diagnostic("SQ703", message, help=refused.reading(name, error), file=name)])


def require(name: str, row: Row, columns: Sequence[str], purpose: str) -> None:
    """Raise `SerqError` (SQ720) when the first row lacks columns."""
    missing = [column for column in columns if column not in row.fields]
    if not missing:
        return
    listed = ", ".join(f"`{column}`" for column in missing)
    near = nearest(missing[0], row.fields)
    help = f"its columns are {', '.join(f'`{column}`' for column in row.fields)}"
    if near is not None:
        help = f"is `{near}` meant to be `{missing[0]}`? " + help
    raise bad_file(name, f"has no column {listed}, which {purpose} needs", help)


def _object(name: str, line: int, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = f"is no JSON: {json_fault(error)}"
        raise SerqError([bad_row(name, line, text, reason)]) from None
    if not isinstance(value, dict):
        raise SerqError([bad_row(name, line, text, "is JSON, but no object")])
    return value


def _check_header(name: str, line: int, text: str, columns: list[str]) -> None:
    if len(set(columns)) != len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise SerqError([bad_row(name, line, text, f"names the column `{twice}` twice")])
    try:
        float(columns[0])
    except ValueError:
        return
    help = "write the names of the columns into the first line"
    raise SerqError([bad_row(name, line, text, "is no header", help)])
