"""Measured runs of one deployment, a row each: what was set, and what was observed.

A CSV (or JSON lines) with the columns `run` (a name), `use` (`fit` for the light-load runs that
are fitted, `held_out` for those that are predicted), constants of the program by their names, and
measured values as `OBSERVATION.mean` or `OBSERVATION.p99`. A value that was not measured is left
empty. Depends on rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from serq.fit.findings import bad_file
from serq.fit.rows import Findings, Row, read_rows, require

USES: Final = ("fit", "held_out")
STATISTICS: Final = ("mean", "p99")


@dataclass(frozen=True, slots=True)
class LightRun:
    """A run: its name, whether it is fitted, constants of the program, and measured values by
    observation and statistic.
    """

    name: str
    fitted: bool
    sets: dict[str, str]
    measured: dict[tuple[str, str], float]


def read_light_runs(name: str) -> list[LightRun]:
    """The runs of a file. Raises `SerqError` (SQ720, SQ703)."""
    findings = Findings(name)
    runs: list[LightRun] = []
    for row in read_rows(name):
        if not runs:
            require(name, row, ("run", "use"), "a calibration")
        runs.append(_run(row, findings))
    findings.finish()
    if not any(run.fitted for run in runs):
        raise bad_file(name, "has no run to fit", "write `fit` into the column `use` of one")
    return runs


def _run(row: Row, findings: Findings) -> LightRun:
    use = str(row.fields["use"]).strip()
    if use not in USES:
        findings.add(row, f"has `{use[:40]}` for `use`, which is `fit` or `held_out`")
    sets: dict[str, str] = {}
    measured: dict[tuple[str, str], float] = {}
    for column, value in row.fields.items():
        if column in ("run", "use") or value is None or str(value).strip() == "":
            continue
        observation, point, statistic = column.rpartition(".")
        if not point:
            number = findings.number(row, column, least=-math.inf)
            sets[column] = repr(number)
        elif statistic not in STATISTICS:
            findings.add(row, f"has a column `{column}`, whose end is none of .mean, .p99")
        else:
            measured[observation, statistic] = findings.number(row, column)
    if not measured:
        findings.add(row, "has no measured value", "a column such as `ttft.mean` has one")
    return LightRun(str(row.fields["run"]), use == "fit", sets, measured)
