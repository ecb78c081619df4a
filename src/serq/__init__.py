"""serQ: a language in which an LLM serving deployment is a program.

    import serq
    report = serq.run(serq.compile("program.sq"))
    print(report)

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from serq.api.compile import compile
    from serq.api.draw import draw
    from serq.api.program import Program
    from serq.api.rng import Rng
    from serq.api.run import run
    from serq.api.run_many import RunsInterrupted, run_many
    from serq.diagnostics import Diagnostic, SerqError
    from serq.ir.version import IR_VERSION
    from serq.report.gauge import Gauge
    from serq.report.observe import Observe
    from serq.report.report import Report
    from serq.report.rows import Pool, Stage
    from serq.report.version import REPORT_VERSION
    from serq.sweeps.sweep import sweep
    from serq.sweeps.table import Sweep
    from serq.trace.read import read_trace

_HOMES = {
    "compile": "serq.api.compile",
    "draw": "serq.api.draw",
    "Program": "serq.api.program",
    "Rng": "serq.api.rng",
    "run": "serq.api.run",
    "RunsInterrupted": "serq.api.run_many",
    "run_many": "serq.api.run_many",
    "Diagnostic": "serq.diagnostics",
    "SerqError": "serq.diagnostics",
    "IR_VERSION": "serq.ir.version",
    "Gauge": "serq.report.gauge",
    "Observe": "serq.report.observe",
    "REPORT_VERSION": "serq.report.version",
    "Report": "serq.report.report",
    "Pool": "serq.report.rows",
    "Stage": "serq.report.rows",
    "Sweep": "serq.sweeps.table",
    "sweep": "serq.sweeps.sweep",
    "read_trace": "serq.trace.read",
}

__all__ = [
    "IR_VERSION",
    "REPORT_VERSION",
    "Diagnostic",
    "Gauge",
    "Observe",
    "Pool",
    "Program",
    "Report",
    "Rng",
    "RunsInterrupted",
    "SerqError",
    "Stage",
    "Sweep",
    "__version__",
    "compile",
    "draw",
    "read_trace",
    "run",
    "run_many",
    "sweep",
]


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module 'serq' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
