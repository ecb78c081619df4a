"""A request log that is being read: its lines with their numbers, and how to refuse one of them.

A file, or a stream such as standard input, is plain or compressed with gzip. Lines are read one
at a time, so that the size of a log does not matter; one JSON document is read whole.
Depends on `serq.diagnostics`.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from serq.diagnostics import Diagnostic, SerqError, Source, Span, refused

LONGEST_LINE: Final = 16 * 1024 * 1024
"""Bytes a line has at most: a prompt of a million tokens is a line of some tens of thousands."""
MOST_BYTES: Final = 1 << 30
"""Bytes of a log that is one JSON document, at most; it is held whole."""

_GZIP = b"\x1f\x8b"
_FAILURES = (OSError, EOFError, zlib.error)


class Log:
    """A log: `number` and `line` are the line read last, `passed_over` requests that failed.

    `linked` says that its requests are turns of sessions, `answered` that it has the times of the
    answers; a format sets them before its first request.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self.stream = stream
        self.name = name
        self.number = 0
        self.line = ""
        self.passed_over = 0
        self.linked = False
        self.answered = False

    def lines(self) -> Iterator[str]:
        """The lines that are not empty, one at a time, without their ends."""
        while raw := self._read_line():
            self.number += 1
            if len(raw) > LONGEST_LINE:
                raise self.unreadable(f"line {self.number} has more than {LONGEST_LINE} bytes")
            try:
                self.line = raw.decode("utf-8-sig" if self.number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                where = f"line {self.number} is not UTF-8 at byte {error.start + 1}"
                raise self.unreadable(where, refused.AS_UTF_8) from None
            if self.line.strip():
                yield self.line

    def head(self, size: int) -> str:
        """Its first bytes as text, to see what it is; they are read then."""
        try:
            return self.stream.read(size).decode("utf-8-sig", errors="replace")
        except _FAILURES as error:
            raise self._failed(error) from None

    def text(self) -> str:
        """All of it, for a format that is one JSON document."""
        try:
            raw = self.stream.read(MOST_BYTES + 1)
        except _FAILURES as error:
            raise self._failed(error) from None
        if len(raw) > MOST_BYTES:
            raise self.unreadable(f"it has more than {MOST_BYTES} bytes")
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            where = f"it is not UTF-8 at byte {error.start + 1}"
            raise self.unreadable(where, refused.AS_UTF_8) from None

    def _read_line(self) -> bytes:
        try:
            return self.stream.readline(LONGEST_LINE + 1)
        except _FAILURES as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> SerqError:
        if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
            return self.unreadable(refused.reason(error), refused.reading(self.name, error))
        return self.unreadable("the compressed data are broken or cut off")

    def refuse(
        self, message: str, help: str | None = None, *, start: int = 0, end: int | None = None
    ) -> SerqError:
        """The error for characters of the line read last, all of it unless they are given."""
        above = max(self.number - 1, 0)
        # A line may be long: what is shown of it is what is around the place.
        first = max(0, start - 60)
        shown = self.line[first : first + 160]
        start, end = start - first, (len(self.line) if end is None else end) - first
        span = Span(
            Source(self.name, "\n" * above + shown),
            above + start,
            above + max(min(end, len(shown)), start),
        )
        found = f"line {self.number}: {message}" if self.number else message
        return SerqError([Diagnostic("SQ713", found, span, help=help, file=self.name)])

    def refuse_document(self, message: str, help: str | None = None) -> SerqError:
        """The error for a log as a whole."""
        return SerqError([Diagnostic("SQ713", message, help=help, file=self.name)])

    def unreadable(self, reason: str, help: str | None = None) -> SerqError:
        """The error for a log that can not be read."""
        message = f"the log `{self.name}` can not be read: {reason}"
        return SerqError([Diagnostic("SQ703", message, help=help, file=self.name)])


@contextmanager
def open_log(source: str | PathLike[str] | BinaryIO, name: str | None = None) -> Iterator[Log]:
    """A log from a path or a stream of bytes. Raises `SerqError` (SQ703)."""
    shown = name or (fspath(source) if isinstance(source, str | PathLike) else "<stream>")
    try:
        if isinstance(source, str | PathLike):
            with Path(source).open("rb") as file:
                yield Log(_uncompressed(file), shown)
        else:
            yield Log(_uncompressed(source), shown)
    except OSError as error:
        message = f"the log `{shown}` can not be read: {refused.reason(error)}"
        hint = refused.reading(shown, error)
        raise SerqError([Diagnostic("SQ703", message, help=hint, file=shown)]) from None


def _uncompressed(stream: BinaryIO) -> IO[bytes]:
    peeking = stream if hasattr(stream, "peek") else io.BufferedReader(cast(io.RawIOBase, stream))
    if peeking.peek(2)[:2] == _GZIP:
        return cast(IO[bytes], gzip.open(peeking, "rb"))
    return cast(IO[bytes], peeking)
