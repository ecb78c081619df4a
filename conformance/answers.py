"""What a run answered, in the vocabulary of an expect block, and whether it is what was expected.

A report is read through its field names alone (`observe.ttft.samples`, `stage.engine.iterations`,
`pool."kv[1]".mean_used`, `ended`), so any object that has them will do. Floats are equal when they
are the same number; time averages, which an engine may add up in another order, when they agree
within 1e-9 of their size.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.loader import Case, load_page, split_assignments

RUN_FIELDS = (
    "horizon",
    "end",
    "warmup",
    "seed",
    "events",
    "arrivals",
    "ended",
    "turns",
    "mean_live",
)
FIELDS: dict[str, tuple[str, ...]] = {
    "observe": ("samples", "times", "sessions", "turns", "count", "mean", "ci", "cv2", "p99"),
    "gauge": ("times", "values", "mean", "ci", "min", "max"),
    "stage": (
        "mean_number",
        "utilization",
        "completed",
        "throughput",
        "mean_wait",
        "mean_service",
        "iterations",
        "prefill_only",
        "decode_only",
        "mixed",
        "mean_decodes",
        "mean_decode_batch",
        "mean_decode_step",
        "mean_itl",
        "itl_p50",
        "itl_p99",
    ),
    "pool": (
        "mean_used",
        "mean_cached",
        "mean_queue",
        "mean_holders",
        "mean_wait",
        "admissions",
        "evicted_entries",
        "evicted_units",
        "preemptions",
        "spills",
        "rejected",
        "stuck",
    ),
}
TIME_AVERAGES = frozenset(
    {
        "mean_live",
        "mean_number",
        "utilization",
        "prefill_only",
        "decode_only",
        "mixed",
        "mean_decodes",
        "mean_used",
        "mean_cached",
        "mean_queue",
        "mean_holders",
        "gauge.mean",
        "gauge.ci",
    }
)
RELATIVE = 1e-9
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that is not what the case expects."""

    key: str
    expected: object
    found: object

    def __str__(self) -> str:
        """One line: the field, what was expected, what was found."""
        return f"{self.key}: expected {self.expected!r}, found {self.found!r}"


def answers_of(report: Any) -> dict[str, Any]:
    """Every field an expect block may name, as nested tables.

    `notes`, the codes of what a report says under its tables, is there when the report has them.
    """
    found: dict[str, Any] = {name: getattr(report, name) for name in RUN_FIELDS}
    for kind, rows in (
        ("observe", _named(report.observes)),
        ("gauge", _named(report.gauges)),
        ("stage", _labelled(report.stages)),
        ("pool", _labelled(report.pools)),
    ):
        found[kind] = {
            label: {name: _plain(getattr(row, name)) for name in FIELDS[kind]}
            for label, row in rows
        }
    if hasattr(report, "notes"):
        found["notes"] = [note.code for note in report.notes]
    return found


def _named(rows: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return rows.items()


def _labelled(rows: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for row in rows:
        yield (row.name if row.index is None else f"{row.name}[{row.index}]"), row


def _plain(value: Any) -> Any:
    if isinstance(value, (int, float)):
        return value
    return value.tolist() if hasattr(value, "tolist") else list(value)


def flatten(expect: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
    """An expectation's leaves by path; `observe.NAME = [...]` means its samples."""
    leaves: dict[tuple[str, ...], Any] = {}
    for key, value in expect.items():
        if key not in FIELDS:
            leaves[(key,)] = value
            continue
        for label, given in value.items():
            listed = {"samples" if key == "observe" else "values": given}
            fields = given if isinstance(given, Mapping) else listed
            for name, leaf in fields.items():
                leaves[(key, label, name)] = leaf
    return leaves


def differences(
    expect: Mapping[str, Any], report: Any, level: str = "exact", *, zero_signs: bool = True
) -> list[Difference]:
    """The fields of `expect` that `report` answers otherwise, in the order of the block.

    At level `law` a `mean` is a closed form that must lie within the report's own `ci`.
    `zero_signs=False` takes -0.0 and 0.0 for one number.
    """
    found = answers_of(report)
    wrong: list[Difference] = []
    for path, expected in flatten(expect).items():
        actual = _look_up(found, path)
        if level == "law" and path[-1] == "mean":
            half_width = _look_up(found, (*path[:-1], "ci"))
            right = isinstance(actual, float) and abs(expected - actual) <= half_width
        else:
            right = _same(expected, actual, _tolerance(path), zero_signs=zero_signs)
        if not right:
            wrong.append(Difference(".".join(path), expected, actual))
    return wrong


def _tolerance(path: tuple[str, ...]) -> float:
    averaged = path[-1] in TIME_AVERAGES or f"{path[0]}.{path[-1]}" in TIME_AVERAGES
    return RELATIVE if averaged else 0.0


def _look_up(found: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(found, Mapping) or key not in found:
            return f"nothing is called {key!r} here"
        found = found[key]
    return found


def _same(expected: Any, actual: Any, relative: float, *, zero_signs: bool) -> bool:
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(
                _same(e, a, relative, zero_signs=zero_signs)
                for e, a in zip(expected, actual, strict=True)
            )
        )
    if isinstance(expected, str):
        return bool(expected == actual)
    if isinstance(expected, bool) or not isinstance(actual, (int, float)):
        return False
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    if expected == actual:
        return not (zero_signs and actual == 0 and _signs_differ(expected, actual))
    return bool(abs(expected - actual) <= relative * abs(expected))


def _signs_differ(expected: float, actual: float) -> bool:
    return math.copysign(1.0, expected) != math.copysign(1.0, actual)


def bless(case: Case, report: Any) -> None:
    """Rewrite the expect block of `case` in its page with what `report` answers.

    The keys, their order and the comments stay; only values that changed are written anew. The
    page is read again first, since blessing another of its cases may have moved the lines.
    """
    page = case.page
    case = next(now for now in load_page(page) if now.title == case.title)
    first, last = case.expect_lines
    text = page.read_text(encoding="utf-8").splitlines()
    wrong = {d.key: d for d in differences(case.expect or {}, report)}
    written: list[str] = []
    for number, chunk in split_assignments(page, text[first - 1 : last], first):
        if not chunk:
            written.append(text[number - 1])
            continue
        (path,) = flatten(tomllib.loads("\n".join(chunk)))
        change = wrong.get(".".join(path))
        if change is None:
            written.extend(chunk)
        else:
            written.extend(_assignment(chunk[0].partition("=")[0].rstrip(), change.found))
    page.write_text(
        "\n".join([*text[: first - 1], *written, *text[last:]]) + "\n", encoding="utf-8"
    )


def _assignment(key: str, value: Any) -> list[str]:
    if not isinstance(value, (int, float, list)):
        raise ValueError(f"{key} cannot be blessed: {value}")
    line = f"{key} = {_toml(value)}"
    if len(line) <= WIDTH or not isinstance(value, list):
        return [line]
    lines, row = [f"{key} = ["], "  "
    for item in value:
        piece = _toml(item) + ","
        if len(row) + len(piece) + 1 > WIDTH:
            lines.append(row.rstrip())
            row = "  "
        row += piece + " "
    return [*lines, row.rstrip(), "]"]


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return repr(value)
