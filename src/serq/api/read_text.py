"""The text of a file, or what is wrong with it. Depends on diagnostics."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import BinaryIO, Final

from serq.diagnostics import Diagnostic, SerqError, refused

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a program at most; of an IR at most, its indentation not counted."""
_GZIP: Final = b"\x1f\x8b"
_PIECE: Final = 1024 * 1024


def read_text(path: Path, name: str) -> str:
    """The text of a file, which must be UTF-8. Raises `SerqError` (SQ703)."""
    if not name:
        raise unreadable(name, "the name is empty", "name a file")
    try:
        with path.open("rb") as file:
            return read_stream(file, name)
    except OSError as error:
        raise unreadable(name, refused.reason(error), refused.reading(path, error)) from None
    except ValueError as error:
        if isinstance(error, SerqError):
            raise
        raise unreadable(name, "the name is no file name") from None


def read_stream(file: BinaryIO, name: str) -> str:
    """The text of an open file. Raises `SerqError` (SQ703)."""
    data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        if not data.lstrip().startswith(b"{"):
            raise _too_long(name)
        data = _without_indentation(data, file, name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.startswith(_GZIP):
            raise unreadable(name, "it is compressed", "unpack it with `gunzip`") from None
        if b"\0" in data and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise unreadable(name, "it is not text", "serq reads text in UTF-8 here") from None
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        reason = f"line {line} is not UTF-8 at byte {column}"
        raise unreadable(name, reason, refused.AS_UTF_8) from None


def _without_indentation(begun: bytes, file: BinaryIO, name: str) -> bytes:
    """A large IR without the blanks its lines start with.

    The indentation of a deeply nested expression makes its IR gigabytes of blanks. Columns of
    such a document count from the first character that is not blank.
    """
    kept: list[bytes] = []
    size = 0
    *lines, rest = begun.split(b"\n")
    while True:
        for line in lines:
            kept.append(line.lstrip(b" "))
            size += len(kept[-1]) + 1
        if size + len(rest) > LONGEST:
            raise _too_long(name)
        more = file.read(_PIECE)
        if not more:
            return b"\n".join([*kept, rest.lstrip(b" ")])
        *lines, rest = (rest + more).split(b"\n")


def _too_long(name: str) -> SerqError:
    hint = "`serq trace info` and `serq trace import` read files of any size"
    return unreadable(name, f"it has more than {LONGEST} bytes", hint)


def unreadable(name: str, reason: str, hint: str | None = None) -> SerqError:
    """The error of an input that can not be read."""
    message = f"`{name}` can not be read: {reason}"
    return SerqError([Diagnostic("SQ703", message, help=hint, file=name)])
