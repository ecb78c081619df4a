"""The text of a file, or what is wrong with it. Depends on diagnostics."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Final

from serq.diagnostics import Diagnostic, SerqError

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a program or an IR at most."""


def read_text(path: Path, name: str) -> str:
    """The text of a file, which must be UTF-8. Raises `SerqError` (SQ703)."""
    try:
        with path.open("rb") as file:
            return read_stream(file, name)
    except OSError as error:
        raise unreadable(name, (error.strerror or str(error)).lower()) from None
    except ValueError as error:
        if isinstance(error, SerqError):
            raise
        raise unreadable(name, "the name is no file name") from None


def read_stream(file: BinaryIO, name: str) -> str:
    """The text of an open file. Raises `SerqError` (SQ703)."""
    data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise unreadable(name, f"it has more than {LONGEST} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise unreadable(name, f"line {line} is not UTF-8 at byte {column}") from None


def unreadable(name: str, reason: str) -> SerqError:
    """The error of an input that can not be read."""
    return SerqError([Diagnostic("SQ703", f"`{name}` can not be read: {reason}", file=name)])
