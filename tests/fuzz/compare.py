"""Where two answers part: the IR as data, every count and every sample to the bit.

Against the reference, time averages may differ by the order of addition, and what is known to
differ by decision (`known`) is left out. Two engines of ours have to agree in everything: every
average, gauge, note and error.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from tests.fuzz.answers import Answer
from tests.fuzz.known import STRICTER, Known, known

AVERAGES = {
    "mean_live", "mean_number", "utilization", "prefill_only", "decode_only", "mixed",
    "mean_decodes", "mean_used", "mean_cached", "mean_queue", "mean_holders",
}  # fmt: skip
"""Fields that are integrals over time, added up at other instants than the reference's."""

RUN_ERRORS = "SQ6"
ENDS = {"ran", "failed"}
"""What a program on which the reference hangs or panics must come to here."""


def compare(ours: Answer, theirs: Answer) -> list[str]:
    """Where `theirs` parts from `ours`, which is an engine of ours; nothing where they agree."""
    if theirs.engine != "reference":
        return exactly(ours, theirs)
    if ours.outcome == "refused" and STRICTER.issuperset(ours.codes):
        return []
    if ours.program is not None and known(ours.program).excluded:
        return []
    if theirs.outcome == "ran" and ours.codes == ("SQ607",) and "growing" in ours.message:
        # A growing run whose hold was released fails here when it starts, and there when it is
        # first given tokens, which the horizon may come before.
        return []
    if theirs.outcome in {"hung", "panicked"}:
        # Both are defects of the reference; the program must still come to an end here.
        ends = ours.outcome in ENDS or ours.outcome == "refused"
        return [] if ends else [f"outcome: {ours.outcome}, the reference {theirs.outcome}"]
    found = outcomes(ours, theirs)
    if ours.compiled is not None and theirs.ir:
        written = json.loads(ours.compiled.to_json()), json.loads(theirs.ir)
        found += [f"ir: {part}" for part in islice(parts(*written, ()), 1)]
    if found or ours.outcome != "ran":
        return found
    assert ours.program is not None
    what = known(ours.program)
    return [*reports(ours, theirs, what), *samples(ours, theirs, what)]


def outcomes(ours: Answer, theirs: Answer) -> list[str]:
    """Whether both ran, were refused, or failed in the run."""
    if ours.outcome == theirs.outcome:
        if ours.outcome == "failed" and not ours.codes[0].startswith(RUN_ERRORS):
            return [f"outcome: an error of the run is {ours.codes[0]}"]
        return []
    says = ours.message or theirs.message
    return [f"outcome: {ours.engine} {ours.outcome}, {theirs.engine} {theirs.outcome}: {says}"]


def reports(ours: Answer, theirs: Answer, what: Known) -> list[str]:
    """Fields of the report that differ."""
    found: list[str] = []
    for name, value in theirs.report.items():
        if name == "serq_version":
            continue
        for path, a, b in fields(ours.report[name], value, (name,)):
            if skipped(path, what):
                continue
            size = magnitude(theirs.report, path)
            if not (close(a, b, size) if is_sum(path, what) else same(a, b)):
                shown = ".".join(map(str, path))
                found.append(f"{shown}: {a!r}, {theirs.engine} has {b!r}")
    return found


def fields(a: Any, b: Any, path: tuple[str | int, ...]) -> Iterable[tuple[Any, Any, Any]]:
    """Leaves of two reports, pairwise, with their paths."""
    if isinstance(b, dict):
        for key in b:
            yield from fields(a.get(key) if isinstance(a, dict) else None, b[key], (*path, key))
    elif isinstance(b, list) and isinstance(a, list) and len(a) == len(b):
        for index, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from fields(x, y, (*path, index))
    else:
        yield path, a, b


def skipped(path: Sequence[str | int], what: Known) -> bool:
    """Whether a field is known to differ."""
    return path[-1] == "mean_holders" and path[1] in what.holders


def is_sum(path: Sequence[str | int], what: Known) -> bool:
    """Whether a field depends on the order in which the reference adds."""
    return (
        path[-1] in AVERAGES
        or path[0] == "gauges"
        or (path[0] == "observes" and path[1] in what.rounded)
    )


def samples(ours: Answer, theirs: Answer, what: Known) -> list[str]:
    """Lists of samples and change points that differ, at their first difference."""
    found: list[str] = []
    for name, lists in theirs.samples.items():
        rounded = name.removeprefix("observe ") in what.rounded
        mine = ours.samples.get(name, {})
        for part, values in lists.items():
            own = mine.get(part, [])
            pairs = enumerate(zip(own, values, strict=False))
            first = next((i for i, (a, b) in pairs if not (close if rounded else same)(a, b)), None)
            if first is not None:
                found.append(f"{name} {part}[{first}]: {own[first]!r}, {theirs.engine} has "
                             f"{values[first]!r}")  # fmt: skip
            elif len(own) != len(values):
                found.append(f"{name} {part}: {len(own)}, {theirs.engine} has {len(values)}")
    return found


def exactly(ours: Answer, theirs: Answer) -> list[str]:
    """Two engines of ours: the same bytes."""
    if ours.outcome != theirs.outcome:
        return outcomes(ours, theirs)
    if "hung" in (ours.outcome, theirs.outcome):
        return []
    found: list[str] = []
    if ours.outcome == "ran":
        nothing = Known()
        found = [
            f"{'.'.join(map(str, path))}: {a!r}, {theirs.engine} has {b!r}"
            for path, a, b in fields(ours.report, theirs.report, ())
            if repr(a) != repr(b)
        ] + samples(ours, theirs, nothing)
    if not found and ours.exact != theirs.exact:
        found = [f"said: {next(iter(parts(ours.exact, theirs.exact, ())), 'differs')}"]
    return found


def parts(a: Any, b: Any, path: tuple[str | int, ...]) -> Iterable[str]:
    """Where two pieces of data part."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            yield from parts(a[key], b[key], (*path, key))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for index, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from parts(x, y, (*path, index))
    elif a != b or type(a) is not type(b):
        yield f"{'.'.join(map(str, path))}: {a!r}, the other has {b!r}"


def same(a: Any, b: Any) -> bool:
    """The same value; 0.0 and -0.0 are (an empty sum is -0.0 in the reference), NaN is itself."""
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    return bool(a == b)


def close(a: Any, b: Any, size: float = 1.0) -> bool:
    """Equal up to the order of adding numbers of this size."""
    if a is None or b is None:
        return a is b
    return same(a, b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9 * max(size, 1.0))


def magnitude(report: Any, path: Sequence[str | int]) -> float:
    """How large the values are that a gauge's interval is computed from: they cancel in it."""
    if path[0] != "gauges":
        return 1.0
    gauge = report["gauges"][path[1]]
    return max((abs(gauge[part]) for part in ("mean", "min", "max") if gauge[part]), default=1.0)


def kind(differences: Sequence[str]) -> str:
    """What sort of disagreement this is: a shrunk program has to keep it."""
    first = differences[0]
    if first.startswith("outcome"):
        return " ".join(first.split(":")[1].split()) if ":" in first else first
    return "ir" if first.startswith("ir") else "values"
