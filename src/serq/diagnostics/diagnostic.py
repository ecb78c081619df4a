"""What is wrong, where, why, and the way out: a diagnostic as data.

Every phase returns a list of `Diagnostic`s; only the edge of the Python interface turns
a list into a `SerqError`. Rendering lives in `serq.diagnostics.render`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import StrEnum

from serq.diagnostics.catalogue import CATALOGUE
from serq.diagnostics.span import Span
from serq.records import Record


class Severity(StrEnum):
    """How bad it is: an error stops the phase, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Note(Record):
    """A further sentence, with the place it speaks of when it has one."""

    text: str
    span: Span | None = None


class Diagnostic(Record):
    """One finding.

    `code` is a key of the catalogue (`SQ301`); `message` says what was found and what is
    legal there, in small letters and without a full stop; `help` is the way out; `file`
    names the input where no span can (an unreadable file, an IR without its text).
    """

    code: str
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    help: str | None = None
    severity: Severity = Severity.ERROR
    file: str | None = None
    data: dict[str, object] = field(default_factory=dict)

    def __init__(  # noqa: PLR0917  # what a record takes, and a reader is shown
        self,
        code: str,
        message: str,
        span: Span | None = None,
        notes: tuple[Note, ...] = (),
        help: str | None = None,
        severity: Severity = Severity.ERROR,
        file: str | None = None,
        data: dict[str, object] | None = None,
    ) -> None:
        if code not in CATALOGUE:
            raise KeyError(code)  # it would have no page
        given = {} if data is None else data
        super().__init__(code, message, span, notes, help, severity, file, given)

    @property
    def title(self) -> str:
        """The name of the code, such as `read-at-wrong-moment`."""
        return CATALOGUE[self.code].name

    def where(self) -> str:
        """`file:line:column`, as much of it as is known; empty when nothing is."""
        if self.span is not None:
            line, column = self.span.source.position(self.span.start)
            return f"{self.span.source.name}:{line}:{column}"
        return self.file or ""

    def __str__(self) -> str:
        """One line: place, severity, code, message."""
        where = self.where()
        return f"{where + ': ' if where else ''}{self.severity}[{self.code}]: {self.message}"


class SerqError(ValueError):
    """Raised at the edge of the Python interface: the program, trace or run is refused.

    `diagnostics` holds every finding, in the order of the text. Fix the places they name
    and try again; `serq explain CODE` tells more about each.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: list[Diagnostic] = list(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        """The findings as a person reads them: sentence, place with carets, the way out."""
        from serq.diagnostics.render.text import render

        return render(self.diagnostics).rstrip("\n")


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of them is an error (and not only warnings or notes)."""
    return any(d.severity is Severity.ERROR for d in diagnostics)
