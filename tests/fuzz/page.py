"""A disagreement as a page of the conformance suite.

The page expects what the second implementation said: the reference, or the other engine. Its
derivation says where the two parted; whoever decides which is right puts the reason there.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.answers import _toml as toml

from serq.ir import nodes as ir
from tests.fuzz.answers import Answer
from tests.fuzz.known import every_node
from tests.fuzz.programs.families import TRACE
from tests.fuzz.shrink import pretty

COUNTERS = ("admissions", "evicted_entries", "evicted_units", "preemptions", "spills", "rejected",
            "stuck")  # fmt: skip
MOST = 40
"""So many samples of an observation are written down."""


def write_page(
    folder: Path, source: str, right: Answer, ours: Answer, differences: Sequence[str]
) -> Path:
    """Write the page and say where it is."""
    source = pretty(source)
    name = hashlib.sha256(source.encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"found-{name}.md"
    path.write_text(page(name, source, right, ours, differences), encoding="utf-8")
    return path


def page(name: str, source: str, right: Answer, ours: Answer, differences: Sequence[str]) -> str:
    """The text of the page."""
    draws = ours.program is not None and any(
        isinstance(node, ir.Draw) for node in every_node(ours.program)
    )
    shown = "\n".join(differences[:8])
    expects = right.outcome == "ran"
    if not expects:
        source = source.replace("\n", "  //! SQ901\n", 1)  # a person names the code and the line
        shown += f"\n{right.engine}: {right.message}"
    csv = ""
    if str(TRACE) in source:
        source = source.replace(str(TRACE), "trace.csv")
        rows = TRACE.read_text(encoding="utf-8")
        csv = f"\n```csv file=trace.csv\n{rows}```\n"
    level = "---\nlevel: draws\n---\n\n" if draws or csv else ""
    return (
        f"{level}# Found by fuzzing {name}\n\n"
        f"## Program {name} has one answer\n\n"
        f"Random programs found that {ours.engine} and {right.engine} part on this one; what is\n"
        f"expected is the answer of {right.engine}. They parted here, {ours.engine} first:\n\n"
        f"```text\n{shown}\n```\n\n```serq\n{source}```\n{csv}"
        + (f"\n```expect\n{expectation(right, differences)}```\n" if expects else "")
    )


def expectation(answer: Answer, differences: Sequence[str]) -> str:
    """What the program answers: counters, samples, and every number that differed."""
    report = answer.report
    lines = [f"{name} = {report[name]}" for name in ("events", "arrivals", "ended")]
    for key, lists in answer.samples.items():
        kind, _, name = key.partition(" ")
        part = "values" if kind == "gauge" else "samples"
        if len(lists["times"]) <= MOST:
            lines.append(f"{kind}.{name}.{part} = {toml(list(map(float, lists[part])))}")
    for kind, counters in (("pool", COUNTERS), ("stage", ("completed", "iterations"))):
        for row in report[f"{kind}s"]:
            for counter in counters:
                if row[counter]:
                    lines.append(f"{kind}.{label(row)}.{counter} = {number(counter, row)}")
    for difference in differences:
        lines += other(report, difference.split(":")[0])
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))


def other(report: Any, path: str) -> list[str]:
    """A field of the report that differed, as an expectation."""
    found = re.match(r"(pools|stages|observes|gauges)\.(\w+)\.(\w+)$", path)
    if found is None:
        value = report.get(path)
        return [f"{path} = {value!r}"] if value is not None and path == "mean_live" else []
    kind, which, name = found.groups()
    if kind in {"pools", "stages"}:
        row = report[kind][int(which)]
        where = label(row)
    else:
        row, where = report[kind][which], which
    if row[name] is None:
        return []
    return [f"{kind[:-1]}.{where}.{name} = {number(name, row)}"]


def label(row: Any) -> str:
    """A pool or stage in the key of an expectation."""
    if row["index"] is None:
        return str(row["name"])
    return f'"{row["name"]}[{row["index"]}]"'


def number(name: str, row: Any) -> str:
    """A count as a whole number, anything else as a float."""
    whole = (name in COUNTERS and name != "evicted_units") or name in {"count", "completed"}
    return repr(row[name] if whole or name == "iterations" else float(row[name]))
