"""The run block: horizon, warm-up, seed and the limit of arrivals, or what replaces them from
outside (contract §2).

An option that is replaced is not computed. A seed is cut to a whole number from 0 to 2^64 - 1.
Depends on constants, overrides and the unit.
"""

from __future__ import annotations

from serq.diagnostics import Source, Span
from serq.link import constants
from serq.link.overrides import Overrides
from serq.link.unit import Unit
from serq.records import Record
from serq.syntax import ast

GREATEST_SEED = 2**64 - 1
DEFAULT_SEED = 1


class RunOptions(Record):
    """The numbers of a run."""

    horizon: float
    warmup: float
    seed: int
    arrivals: int | None


def link_run_options(unit: Unit, program: ast.Program, overrides: Overrides) -> RunOptions:
    """The options of the run, those of `overrides` before the program's."""
    run = program.run or ast.RunOptions(None, None, None, None, program.span)
    horizon = _time(unit, "horizon", run.horizon, overrides.horizon)
    warmup = _time(unit, "warmup", run.warmup, overrides.warmup)
    if horizon is None and ("horizon",) not in unit.refused:
        unit.findings.report(
            "SQ413",
            "the run has no horizon, so it would never end",
            run.span,
            help="write `run { horizon 3600; }`",
        )
        unit.refused.add(("horizon",))
    if horizon is None or ("warmup",) in unit.refused:
        horizon, warmup = horizon or 1.0, 0.0
        unit.refused.update([("horizon",), ("warmup",)])
    return RunOptions(
        horizon,
        warmup or 0.0,
        _seed(unit, run.seed, overrides.seed),
        _arrivals(unit, run.arrivals, overrides.arrivals),
    )


def _time(
    unit: Unit, option: str, written: ast.Expression | None, given: float | None
) -> float | None:
    """A time of the run; None when it is not given, or refused."""
    if given is not None:
        unit.at((option,), _from_outside(option, given))
        return given
    if written is None:
        return None
    unit.at((option,), written.span)
    value = constants.evaluate(unit, written, f"the {option}")
    if value is None:
        unit.refused.add((option,))
    return value


def _from_outside(option: str, given: float) -> Span:
    """The place of a value that replaces the program's."""
    text = f"{given:.12g}"
    return Span(Source(f"--{option}", text), 0, len(text))


def _seed(unit: Unit, written: ast.Expression | None, given: int | None) -> int:
    if given is not None or written is None:
        return DEFAULT_SEED if given is None else given
    unit.at(("seed",), written.span)
    value = constants.evaluate(unit, written, "the seed")
    if value is None or not value > 0.0:
        return 0
    return GREATEST_SEED if value >= GREATEST_SEED else int(value)


def _arrivals(unit: Unit, written: ast.Expression | None, given: int | None) -> int | None:
    if given is not None:
        unit.at(("arrivals",), _from_outside("arrivals", given))
        return given
    if written is None:
        return None
    unit.at(("arrivals",), written.span)
    return constants.whole(unit, written, "the limit of arrivals", least=1)
