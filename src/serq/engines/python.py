"""The engine `python`: the executable definition itself, in `serq.semantics`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serq.diagnostics import Diagnostic
    from serq.ir.nodes import Program
    from serq.report.measurements import Measurements
    from serq.report.options import RunOptions


class PythonEngine:
    """Runs a program as it is defined; slow, and right by definition."""

    name = "python"
    parallel = False

    def missing(self, program: Program) -> list[Diagnostic]:
        """SQ505 for every construct of the program that it lacks."""
        from serq.semantics import missing

        return missing(program)

    def run(self, program: Program, options: RunOptions) -> Measurements:
        """Run to the horizon. Raises `SerqError` for an error of the run (SQ6xx)."""
        from serq.semantics import run

        return run(program, options)
