"""A trace from a CSV file: one turn a line, in the columns of `serq.trace.columns`.

Empty lines, lines that start with `#` and a header (a line that starts with `session`) are
skipped. A session starts where the session column differs from the line before; its identifiers
need be neither contiguous nor sorted. The turn column must be there and is not read: turns come
in the order of the file. Fields are not trimmed. `arrival` belongs to the session: it stands on
its first line, and the others leave it empty or repeat it. Depends on `serq.diagnostics`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Final

from serq.diagnostics import Diagnostic, SerqError, Source, Span, refused
from serq.trace import columns
from serq.trace.session import TimedSession, TraceSession, TraceTurn

_MOST_FINDINGS = 20
_MOST_BEFORE_A_TURN = 3
"""Findings after which a file without a turn so far is given up: it is of another kind."""
_LONGEST_LINE = 64 * 1024
_NUMBER: Final = re.compile(
    r"[+-]?(?:inf|infinity|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.IGNORECASE | re.ASCII,
)
_MOST_SESSIONS: Final = 2**64 - 1


def read_trace(path: str | PathLike[str], *, timed: bool = False) -> list[TraceSession]:
    """The sessions of a trace, in the order of the file; `TimedSession`s where it has arrivals.

    Raises `SerqError`: SQ701 for lines that are no turns (the first 20 of them, or 3 where no
    turn comes before them, each with its line and column), SQ702 for a trace without a turn,
    SQ703 for a file that can not be read, SQ711 for sessions without an arrival where `timed`
    asks for one.
    """
    name = fspath(path)
    try:
        with Path(path).open("rb") as file:
            return read_trace_lines(file, name, timed=timed)
    except OSError as error:
        raise _unreadable(name, refused.reason(error), refused.reading(path, error)) from None
    except ValueError as error:
        if isinstance(error, SerqError):
            raise
        raise _unreadable(name, "the name is no file name") from None


def read_trace_lines(file: BinaryIO, name: str, *, timed: bool = False) -> list[TraceSession]:
    """The sessions of an open trace, which messages call `name`. Raises as `read_trace` does."""
    reading = _Reading(name, timed=timed)
    for number, line in _lines(file, name):
        reading.line(number, line)
    return reading.finish()


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, one at a time, whatever the size of the file."""
    number = 0
    while raw := file.readline(_LONGEST_LINE):
        number += 1
        if len(raw) == _LONGEST_LINE:
            reason = (
                f"line {number} has more than {_LONGEST_LINE} bytes, which is no line of a trace"
            )
            raise _unreadable(name, reason)
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            reason = f"line {number} is not UTF-8 at byte {error.start + 1}"
            raise _unreadable(name, reason, refused.AS_UTF_8) from None
        if number == 1 and line.startswith("\ufeff"):
            hint = columns.origin_hint(line) or "save the file as UTF-8 without a byte order mark"
            raise _unreadable(name, "it starts with a byte order mark", hint)
        yield number, line


def _unreadable(name: str, reason: str, hint: str | None = None) -> SerqError:
    message = f"the trace `{name}` can not be read: {reason}"
    return SerqError([Diagnostic("SQ703", message, help=hint, file=name)])


class _Reading:
    """A trace being read: the sessions so far and what is wrong so far."""

    def __init__(self, name: str, *, timed: bool) -> None:
        self.name = name
        self.timed = timed
        self.columns: tuple[str, ...] = columns.COLUMNS
        self.sessions: list[TraceSession] = []
        self.turns: list[TraceTurn] = []
        self.session: int | None = None
        self.arrival: float | None = None
        self.findings: list[Diagnostic] = []

    def line(self, number: int, line: str) -> None:
        """Take one line into account."""
        line = line.rstrip()
        row = line.lstrip()
        if not row or row.startswith("#"):
            return
        if columns.is_header(row):
            if self.session is None:
                self.header(number, line)
            return
        fields = row.split(",")
        if not len(columns.REQUIRED) <= len(fields) <= len(self.columns):
            self.refuse_count(number, line, len(fields))
            return
        forced, arrival = 0.0, None
        for at, field in enumerate(fields):
            if at == 1 or (field == "" and self.columns[at] == "arrival"):
                continue
            if _NUMBER.fullmatch(field) is None:
                self.refuse_field(number, line, at, field)
                return
            if self.columns[at] == "forced":
                forced = float(field)
            elif self.columns[at] == "arrival":
                arrival = float(field)
        new, out, think = (float(field) for field in fields[2:5])
        if arrival is not None and not 0.0 <= arrival < math.inf:
            self.refuse_arrival(number, line, "it is a finite time from 0 on")
            return
        session = _identifier(float(fields[0]))
        if session != self.session:
            self.open_session(number, line, session, arrival)
        elif arrival is not None and arrival != self.arrival:
            hint = "the session has arrived by then: repeat its time, or leave the field empty"
            self.refuse_arrival(number, line, f"the session's is {self.arrival}", hint)
        self.turns.append(TraceTurn(new, out, think, forced))

    def header(self, number: int, line: str) -> None:
        """A header may say which column is `arrival`."""
        order = columns.order_of(line.lstrip())
        if order is not None:
            self.columns = order
            return
        message = f"line {number} of the trace has `arrival` where it is not read"
        hint = f"the columns are {columns.SHOWN}, in this order"
        self.refuse(message, hint, self.place(number, line, 0, len(line)))
        raise SerqError(self.findings)

    def open_session(self, number: int, line: str, session: int, arrival: float | None) -> None:
        """The first turn of another session has been read."""
        self.close_session()
        self.session, self.arrival = session, arrival
        if arrival is not None or not self.timed:
            return
        message = f"line {number} of the trace does not say when its session arrives"
        hint = (
            "`arrive trace` needs the column `arrival`, the seventh: seconds from the trace's "
            "beginning, on the first line of each session"
        )
        place = self.place(number, line, 0, len(line))
        self.refuse(message, hint, place, "SQ711")

    def close_session(self) -> None:
        """The session's last turn has been read."""
        if self.turns and self.arrival is not None:
            self.sessions.append(TimedSession(self.turns, self.arrival))
        elif self.turns:
            self.sessions.append(tuple(self.turns))
        self.turns = []

    def finish(self) -> list[TraceSession]:
        """The sessions, when there are any and nothing is wrong."""
        if self.findings:
            raise SerqError(self.findings)
        self.close_session()
        if not self.sessions:
            message = f"the trace `{self.name}` has no turn"
            hint = f"write one turn a line: {columns.SHOWN}"
            raise SerqError([Diagnostic("SQ702", message, help=hint, file=self.name)])
        return self.sessions

    def refuse_count(self, number: int, line: str, fields: int) -> None:
        """A line with too few or too many fields."""
        least, most = len(columns.REQUIRED), len(self.columns)
        message = (
            f"line {number} of the trace has {fields} field{'s' * (fields != 1)}; "
            f"a turn has {least} to {most}"
        )
        hint = columns.origin_hint(line) or columns.separator_hint(line)
        place = self.place(number, line, len(line) - len(line.lstrip()), len(line))
        self.refuse(message, hint or f"the columns are {columns.SHOWN}", place)

    def refuse_field(self, number: int, line: str, at: int, field: str) -> None:
        """A field that is no number."""
        shown = field if len(field) <= 30 else field[:29] + "…"
        message = (
            f"line {number} of the trace, column {at + 1} (`{self.columns[at]}`): "
            f"`{shown}` is not a number"
        )
        hint: str | None = None
        if field != field.strip():
            hint = "fields are not trimmed: leave out the blanks"
        elif field.strip("\"'") != field:
            hint = "numbers stand without quotes"
        elif self.session is None and not any(map(_NUMBER.fullmatch, line.split(","))):
            hint = columns.origin_hint(line) or "a header is a line that starts with `session`"
        self.refuse(message, hint, self.field(number, line, at))

    def refuse_arrival(self, number: int, line: str, reason: str, hint: str | None = None) -> None:
        """An arrival that can not be that of its session."""
        at = self.columns.index("arrival")
        place = self.field(number, line, at)
        message = f"line {number} of the trace: the arrival is `{place.text}`; {reason}"
        self.refuse(message, hint, place)

    def refuse(self, message: str, hint: str | None, place: Span, code: str = "SQ701") -> None:
        """Record a finding; the file is given up when there are many."""
        self.findings.append(Diagnostic(code, message, place, help=hint, file=self.name))
        most = _MOST_FINDINGS if self.session is not None else _MOST_BEFORE_A_TURN
        if len(self.findings) >= most:
            raise SerqError(self.findings)

    def field(self, number: int, line: str, at: int) -> Span:
        """The place of one field of a line."""
        fields = line.split(",")
        start = sum(len(each) + 1 for each in fields[:at])
        return self.place(number, line, start, start + len(fields[at]))

    def place(self, number: int, line: str, start: int, end: int) -> Span:
        """Characters of a line, in a source that holds that line alone at its number."""
        above = number - 1
        return Span(Source(self.name, "\n" * above + line), above + start, above + end)


def _identifier(value: float) -> int:
    """A session number as a whole number that is not negative: truncated and saturated."""
    if not value > 0:
        return 0
    return int(value) if value < _MOST_SESSIONS else _MOST_SESSIONS
