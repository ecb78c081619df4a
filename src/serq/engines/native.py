"""The engine `native`: the same meaning in C++.

The environment variable `SERQ_FAST_PATH=0` makes it take every iteration, and every candidate of
a `choose`, by itself; the report is the same, and the difference in time is what the fast path is
worth.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serq.diagnostics import Diagnostic
    from serq.ir.nodes import Program
    from serq.report.measurements import Measurements
    from serq.report.options import RunOptions


class NativeEngine:
    """Runs a program in C++, with the interpreter's lock released."""

    name = "native"
    parallel = True

    def missing(self, program: Program) -> list[Diagnostic]:
        """SQ505 for every construct of the program that it lacks: there is none."""
        del program
        return []

    def run(self, program: Program, options: RunOptions) -> Measurements:
        """Run to the horizon. Raises `SerqError` for an error of the run (SQ6xx)."""
        from serq.native.run import run

        return run(program, options, fast_path=os.environ.get("SERQ_FAST_PATH") != "0")
