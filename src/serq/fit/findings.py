"""What refuses a fit: diagnostics with the file and the line they speak of.

SQ720 is for a row or a file that can not be read as measurements, SQ721 for measurements and a
program that do not go together, SQ722 for a model or a GPU that is not known well enough.
Depends on diagnostics.
"""

from __future__ import annotations

from importlib import import_module
from json import JSONDecodeError
from types import ModuleType

from serq.diagnostics import Diagnostic, SerqError, Source, Span

EXTRAS = {"scipy": "fit", "matplotlib": "plot"}
"""The extra of serQ that brings each optional package."""


def bad_row(name: str, line: int, text: str, reason: str, help: str | None = None) -> Diagnostic:
    """SQ720 for line `line` of the file `name`, whose text is `text`."""
    shown = text.rstrip("\r\n")[:200]
    source = Source(name, "\n" * (line - 1) + shown)
    span = Span(source, line - 1, line - 1 + len(shown))
    return Diagnostic("SQ720", f"line {line} {reason}", span, help=help, file=name)


def bad_file(name: str, reason: str, help: str | None = None) -> SerqError:
    """SQ720 for a file as a whole."""
    return SerqError([Diagnostic("SQ720", f"`{name}` {reason}", help=help, file=name)])


def json_fault(error: ValueError | RecursionError) -> str:
    """Where a text stops being JSON, as a part of a sentence."""
    match error:
        case JSONDecodeError():
            return f"{error.msg.lower()} at line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return f"it is not UTF-8 at byte {error.start + 1}"
        case RecursionError():
            return "it is nested too deep"
    return str(error)[:80]


def no_fit(message: str, help: str | None = None, span: Span | None = None) -> SerqError:
    """SQ721: these measurements and this program can not be brought together."""
    return SerqError([Diagnostic("SQ721", message, span, help=help)])


def unknown_hardware(message: str, help: str | None = None, file: str | None = None) -> SerqError:
    """SQ722: the model or the GPU is not known well enough for an estimate."""
    return SerqError([Diagnostic("SQ722", message, help=help, file=file)])


def optional(package: str, purpose: str) -> ModuleType:
    """The module `package`, or SQ509 with the line that installs it."""
    try:
        return import_module(package)
    except ImportError:
        extra = EXTRAS[package.partition(".")[0]]
        message = f"{purpose} needs the package `{package.partition('.')[0]}`, which is not here"
        found = Diagnostic("SQ509", message, help=f'pip install "serq[{extra}]"')
        raise SerqError([found]) from None
