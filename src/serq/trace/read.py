"""A trace from a CSV file: one turn a line, `session,turn,new,out,think[,forced]`.

Empty lines, lines that start with `#` and a header (a line that starts with `session`) are
skipped. A session starts where the session column differs from the line before; its identifiers
need be neither contiguous nor sorted. The turn column must be there and is not read: turns come
in the order of the file. Fields are not trimmed. Depends on `serq.diagnostics`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, Final

from serq.diagnostics import Diagnostic, SerqError, Source, Span
from serq.trace.session import TraceSession, TraceTurn

COLUMNS: Final = ("session", "turn", "new", "out", "think", "forced")
_REQUIRED = 5
_MOST_FINDINGS = 20
_LONGEST_LINE = 64 * 1024
_NUMBER: Final = re.compile(
    r"[+-]?(?:inf|infinity|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)",
    re.IGNORECASE | re.ASCII,
)
_MOST_SESSIONS: Final = 2**64 - 1


def read_trace(path: str | PathLike[str]) -> list[TraceSession]:
    """The sessions of a trace, in the order of the file.

    Raises `SerqError`: SQ701 for lines that are no turns (the first 20 of them, each with its
    line and column), SQ702 for a trace without a turn, SQ703 for a file that can not be read.
    """
    name = fspath(path)
    reading = _Reading(name)
    try:
        with Path(path).open("rb") as file:
            for number, line in _lines(file, name):
                reading.line(number, line)
    except OSError as error:
        raise _unreadable(name, (error.strerror or str(error)).lower()) from None
    except ValueError as error:
        if isinstance(error, SerqError):
            raise
        raise _unreadable(name, "the name is no file name") from None
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
            raise _unreadable(name, reason) from None
        if number == 1 and line.startswith("\ufeff"):
            hint = "save the file as UTF-8 without a byte order mark"
            raise _unreadable(name, "it starts with a byte order mark", hint)
        yield number, line


def _unreadable(name: str, reason: str, hint: str | None = None) -> SerqError:
    message = f"the trace `{name}` can not be read: {reason}"
    return SerqError([Diagnostic("SQ703", message, help=hint, file=name)])


class _Reading:
    """A trace being read: the sessions so far and what is wrong so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sessions: list[TraceSession] = []
        self.turns: list[TraceTurn] = []
        self.session: int | None = None
        self.findings: list[Diagnostic] = []

    def line(self, number: int, line: str) -> None:
        """Take one line into account."""
        line = line.rstrip()
        row = line.lstrip()
        if not row or row.startswith(("#", "session")):
            return
        fields = row.split(",")
        if not _REQUIRED <= len(fields) <= len(COLUMNS):
            self.refuse_count(number, line, len(fields))
            return
        values: list[float] = []
        for at, field in enumerate(fields):
            if at == 1:
                continue
            if _NUMBER.fullmatch(field) is None:
                self.refuse_field(number, line, at, field)
                return
            values.append(float(field))
        session = _identifier(values[0])
        if session != self.session:
            self.close_session()
            self.session = session
        self.turns.append(TraceTurn(*values[1:]))

    def close_session(self) -> None:
        """The session's last turn has been read."""
        if self.turns:
            self.sessions.append(tuple(self.turns))
        self.turns = []

    def finish(self) -> list[TraceSession]:
        """The sessions, when there are any and nothing is wrong."""
        if self.findings:
            raise SerqError(self.findings)
        self.close_session()
        if not self.sessions:
            message = f"the trace `{self.name}` has no turn"
            hint = f"write one turn a line: `{','.join(COLUMNS[:_REQUIRED])}` and maybe `forced`"
            raise SerqError([Diagnostic("SQ702", message, help=hint, file=self.name)])
        return self.sessions

    def refuse_count(self, number: int, line: str, fields: int) -> None:
        """A line with too few or too many fields."""
        message = (
            f"line {number} of the trace has {fields} field{'s' * (fields != 1)}; a turn has 5 or 6"
        )
        hint = f"the columns are `{','.join(COLUMNS[:_REQUIRED])}` and maybe `forced`"
        self.refuse(
            message, hint, self.place(number, line, len(line) - len(line.lstrip()), len(line))
        )

    def refuse_field(self, number: int, line: str, at: int, field: str) -> None:
        """A field that is no number."""
        shown = field if len(field) <= 30 else field[:29] + "…"
        message = (
            f"line {number} of the trace, column {at + 1} (`{COLUMNS[at]}`): "
            f"`{shown}` is not a number"
        )
        blank = "fields are not trimmed: leave out the blanks" if field != field.strip() else None
        start = sum(len(each) + 1 for each in line.split(",")[:at])
        self.refuse(message, blank, self.place(number, line, start, start + len(field)))

    def refuse(self, message: str, hint: str | None, place: Span) -> None:
        """Record a finding; the file is given up when there are many."""
        self.findings.append(Diagnostic("SQ701", message, place, help=hint, file=self.name))
        if len(self.findings) == _MOST_FINDINGS:
            raise SerqError(self.findings)

    def place(self, number: int, line: str, start: int, end: int) -> Span:
        """Characters of a line, in a source that holds that line alone at its number."""
        above = number - 1
        return Span(Source(self.name, "\n" * above + line), above + start, above + end)


def _identifier(value: float) -> int:
    """A session number as a whole number that is not negative: truncated and saturated."""
    if not value > 0:
        return 0
    return int(value) if value < _MOST_SESSIONS else _MOST_SESSIONS
