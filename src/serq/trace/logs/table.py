"""A log in rows with a header: its fields by the names of their columns.

Depends on the log.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from serq.diagnostics import SerqError, nearest
from serq.trace.logs import guess
from serq.trace.logs.log import Log
from serq.trace.logs.request import MOST_SECONDS, nanoseconds

_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?", re.ASCII)
_SEPARATORS: Final = {";": "semicolons", "\t": "tabs", "|": "bars"}
MOST_TOKENS: Final = 10**12


class Table:
    """Rows of a log; `at` is the position of each column."""

    def __init__(self, log: Log, name: str, required: Sequence[str], known: Sequence[str]) -> None:
        self.log = log
        self.rows = csv.reader(log.lines())
        header = self._next()
        if header is None:
            raise log.refuse_document("the log is empty")
        names = [each.strip() for each in header]
        self.at = {each: names.index(each) for each in known if each in names}
        missing = [each for each in required if each not in self.at]
        if missing:
            raise self._no_header(name, names, missing, required)
        self.width = 1 + max(self.at[each] for each in required)

    def __iter__(self) -> Iterator[list[str]]:
        """The rows behind the header."""
        while (row := self._next()) is not None:
            if len(row) < self.width:
                message = f"a row has {self.width} fields at least, this one has {len(row)}"
                raise self.log.refuse(message, _separator_hint(self.log.line))
            yield row

    def _next(self) -> list[str] | None:
        try:
            return next(self.rows, None)
        except csv.Error as error:
            raise self.log.refuse(f"the quotes of a row do not match ({error})") from None

    def _no_header(
        self, name: str, names: Sequence[str], missing: Sequence[str], required: Sequence[str]
    ) -> SerqError:
        line = self.log.line
        near = nearest(missing[0], names)
        help = guess.hint(line, name) or _separator_hint(line)
        if help is None and near is not None:
            help = f"is `{near}` meant? columns are found by their exact names"
        listed = ", ".join(f"`{each}`" for each in required)
        return self.log.refuse(
            f"the header of a log of {name} has the columns {listed}; "
            f"`{missing[0]}` is not in this one",
            help or "the first line names the columns",
        )

    def tokens(self, row: Sequence[str], column: str) -> int:
        """A number of tokens, a whole number from 0."""
        text = row[self.at[column]].strip()
        if text.isdecimal() and text.isascii() and len(text) <= 12:
            return int(text)
        if _DECIMAL.fullmatch(text) is not None:
            value = Decimal(text)
            if 0 <= value <= MOST_TOKENS and value == int(value):
                return int(value)
        raise self.refuse(row, column, "a number of tokens, whole and not negative")

    def nanoseconds(self, row: Sequence[str], column: str, *, least: int = -MOST_SECONDS) -> int:
        """Seconds in decimals, as nanoseconds."""
        text = row[self.at[column]].strip()
        value = Decimal(text) if _DECIMAL.fullmatch(text) is not None else None
        found = None if value is None or value < least else nanoseconds(value, a_second=1)
        if found is None:
            raise self.refuse(row, column, f"a time in seconds, from {least} to {MOST_SECONDS}")
        return found

    def refuse(self, row: Sequence[str], column: str, wanted: str) -> SerqError:
        """The error for one field."""
        at = self.at[column]
        text = row[at]
        shown = f"`{text}`" if text else "nothing"
        fields = self.log.line.split(",")
        start = sum(len(each) + 1 for each in fields[:at])
        exact = len(fields) == len(row)
        return self.log.refuse(
            f"column {at + 1} (`{column}`) is {wanted}, not {shown}",
            start=start if exact else 0,
            end=start + len(fields[at]) if exact else None,
        )


def _separator_hint(line: str) -> str | None:
    for separator, name in _SEPARATORS.items():
        if line.count(separator) >= 2:
            return f"fields are separated by commas, not by {name}"
    return None
