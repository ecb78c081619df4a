"""What an engine is: a name, what it lacks, and a run.

An engine reads no environment variable and no file: the trace is given, already read. Depends
on the IR, measurements and diagnostics.
"""

from __future__ import annotations

from typing import Protocol

from serq.diagnostics import Diagnostic
from serq.ir.nodes import Program
from serq.report.measurements import Measurements
from serq.report.options import RunOptions


class Engine(Protocol):
    """Something that runs a program."""

    name: str

    parallel: bool
    """Whether runs in several threads of one process go on at the same time."""

    def missing(self, program: Program) -> list[Diagnostic]:
        """SQ505 for every construct of the program that this engine lacks."""

    def run(self, program: Program, options: RunOptions) -> Measurements:
        """Run to the horizon. Raises `SerqError` for an error of the run (SQ6xx)."""
