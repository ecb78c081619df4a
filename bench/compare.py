"""Time the native engine and the reference, side by side in one process, on the same IR.

    python -m bench.compare                      every program at its own horizon
    python -m bench.compare engine_light --runs 3
    python -m bench.compare --short --engine python
    python -m bench.compare --against other/bin/python

Prints a Markdown table: events, nanoseconds of processor time an event on `pyserq==0.1.2` and on
serQ, and their ratio. Times are medians of the runs, which take turns, so that both see the same
machine; processor time is that of the whole call, the report included. Events are counted alike
on both sides: the counts must agree, and nothing is printed if they do not. Without the reference
there is no ratio. `--against` compares with the serQ of another environment, say the last release,
in a process of its own. Nothing here is part of the test suite.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import serq
from serq.engines import available

PROGRAMS = Path(__file__).parent / "programs"

LAST_RELEASE: str | None = None
"""The version `--against` should be given an environment of; there is none yet."""

SHORT_HORIZONS: dict[str, tuple[float, float]] = {
    "engine_light": (400, 40),
    "engine_heavy": (60, 6),
    "fleet8": (60, 6),
    "fleet200": (8, 1),
    "cliff": (250, 25),
    "mg1": (60_000, 1_200),
    "ps_crowd": (3_000, 150),
}
"""Horizon and warm-up (simulated seconds) at which the Python engine needs a few seconds."""


OTHER = """
import json, statistics, sys, time
import serq
program, runs, seconds = serq.Program.from_json(sys.stdin.read()), int(sys.argv[1]), []
for _ in range(runs):
    start = time.process_time()
    report = serq.run(program, sys.argv[2])
    seconds.append(time.process_time() - start)
print(json.dumps([serq.__version__, report.events, statistics.median(seconds)]))
"""
"""What another environment runs: the IR comes in, its version, events and seconds go out."""

Run = Callable[[], Any]


def medians(runs: dict[str, Run], count: int) -> dict[str, tuple[float, int]]:
    """Median processor time of each of some calls, which take turns, and the events it counted."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    events: dict[str, int] = {}
    for _ in range(count):
        for name, run in runs.items():
            start = time.process_time()
            report = run()
            seconds[name].append(time.process_time() - start)
            events[name] = report.events
    return {name: (statistics.median(seconds[name]), events[name]) for name in runs}


def reference_run(program: serq.Program) -> Run | None:
    """A call that runs the program's IR on the reference, where it is installed."""
    try:
        import pyserq  # noqa: PLC0415
    except ImportError:
        return None
    theirs = pyserq.Program.from_json(program.to_json())
    return lambda: pyserq.run(theirs)


def other_run(python: str, program: serq.Program, engine: str, runs: int) -> tuple[float, int]:
    """The same of the serQ that another interpreter has."""
    command = [python, "-c", OTHER, str(runs), engine]
    done = subprocess.run(
        command, input=program.to_json(), capture_output=True, text=True, check=True
    )
    _, events, seconds = json.loads(done.stdout)
    return seconds, events


def row(name: str, arguments: argparse.Namespace) -> str:
    """The table row of one program."""
    overrides: dict[str, Any] = {}
    if arguments.short:
        overrides["horizon"], overrides["warmup"] = SHORT_HORIZONS[name]
    program = serq.compile(PROGRAMS / f"{name}.sq", **overrides)
    runs: dict[str, Run] = {"serq": partial(serq.run, program, arguments.engine)}
    reference = reference_run(program) if arguments.against is None else None
    if reference is not None:
        runs["reference"] = reference
    measured = medians(runs, arguments.runs)
    if arguments.against is not None:
        measured["reference"] = other_run(
            arguments.against, program, arguments.engine, arguments.runs
        )
    ours, events = measured["serq"]
    theirs, counted = measured.get("reference", (None, events))
    if counted != events:
        raise SystemExit(f"{name}: {events} events, and {counted} on the other side")
    per_event = f"{ours / events * 1e9:,.0f}"
    if theirs is None:
        return f"| {name} | {events:,} | | {per_event} | |"
    other = f"{theirs / events * 1e9:,.0f}"
    return f"| {name} | {events:,} | {other} | {per_event} | {theirs / ours:.1f} |"


def arguments_of(given: list[str] | None = None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument("--runs", type=int, default=5, help="runs a median is taken of (5)")
    engines = available()
    parser.add_argument("--engine", default=engines[0], choices=engines, help="engine to time")
    parser.add_argument(
        "--short", action="store_true", help="horizons at which the Python engine needs seconds"
    )
    parser.add_argument(
        "--against", metavar="PYTHON", help="interpreter of an environment with another serQ"
    )
    arguments = parser.parse_args(given)
    unknown = [name for name in arguments.programs if name not in SHORT_HORIZONS]
    if unknown:
        parser.error(
            f"no such program: {', '.join(unknown)}; there are {', '.join(SHORT_HORIZONS)}"
        )
    return arguments


def main() -> None:
    """Read the arguments, run, print the table."""
    arguments = arguments_of()
    if arguments.against is None and LAST_RELEASE is None:
        print("there is no release of serQ yet to compare with", file=sys.stderr)
    other = "reference" if arguments.against is None else "other"
    print(f"| program | events | {other} ns/event | serQ ns/event | ratio |")
    print("|---|---:|---:|---:|---:|")
    for name in arguments.programs or SHORT_HORIZONS:
        print(row(name, arguments), flush=True)


if __name__ == "__main__":
    main()
