"""Errors of a run, on their way from the rule that found them to the edge (SQ6xx).

The rule knows what is wrong; who evaluated the expression knows where it stands in the IR; the
machine knows the spans. Each adds what it knows. Depends on diagnostics and the IR's paths.
"""

from __future__ import annotations

from serq.diagnostics import Diagnostic
from serq.ir.spans import Path, SpanTable


class RunError(Exception):
    """The run cannot go on: a code of the catalogue, what was found, and where in the IR."""

    def __init__(
        self, code: str, message: str, *, help: str | None = None, path: Path | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help
        self.path = path

    def placed(self, path: Path) -> RunError:
        """This error, at `path` unless a nearer place is known already."""
        if self.path is None:
            self.path = path
        return self

    def diagnostic(self, spans: SpanTable | None, now: float) -> Diagnostic:
        """What the reader sees, with the simulated time it happened at."""
        path = self.path or ()
        return Diagnostic(
            self.code,
            self.message,
            span=spans.find(path) if spans is not None else None,
            help=self.help,
            data={"time": now, "path": list(path)},
        )


def standstill(what: str, now: float) -> RunError:
    """The error for a limit that was passed while no time did."""
    return RunError(
        "SQ604",
        f"{what} at the instant {now:.12g}: time stands still",
        help="a loop needs something that takes time: a run with work, or a wait for room",
    )
