"""Time every engine that is present, and the reference, on the same IR in one process.

    python -m bench.compare                     every program, shortened for the Python engine
    python -m bench.compare engine_light --runs 3
    python -m bench.compare --engine native --full

Prints, for each program, events per second (median of the runs) and the ratio to
`pyserq==0.1.2`, as a Markdown table. Events are counted alike on every side: the counts must
agree, and the run stops if they do not. The reference is optional; without it there is no
ratio. Nothing here is part of the test suite.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import serq
from serq.engines import available

PROGRAMS = Path(__file__).parent / "programs"

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


def median_seconds(run: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """Median wall time of `runs` calls, and what the last one returned."""
    seconds = []
    result = None
    for _ in range(runs):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def reference_run(program: serq.Program) -> Callable[[], Any] | None:
    """A call that runs the program's IR on the reference, where it is installed."""
    try:
        import pyserq  # noqa: PLC0415
    except ImportError:
        return None
    theirs = pyserq.Program.from_json(program.to_json())
    return lambda: pyserq.run(theirs)


def compare(name: str, engines: list[str], runs: int, full: bool) -> list[str]:
    """The table rows of one program."""
    overrides: dict[str, Any] = {}
    if not full:
        overrides["horizon"], overrides["warmup"] = SHORT_HORIZONS[name]
    program = serq.compile(PROGRAMS / f"{name}.sq", **overrides)
    reference = reference_run(program)
    theirs = None
    if reference is not None:
        seconds, report = median_seconds(reference, runs)
        theirs = report.events / seconds
    rows = []
    for engine in engines:
        seconds, ours = median_seconds(partial(serq.run, program, engine=engine), runs)
        if reference is not None and ours.events != report.events:
            raise SystemExit(f"{name}: {ours.events} events, the reference counts {report.events}")
        rate = ours.events / seconds
        ratio = "" if theirs is None else f"{rate / theirs:.3g}"
        speed = "" if theirs is None else f"{theirs:,.0f}"
        rows.append(f"| {name} | {engine} | {ours.events:,} | {rate:,.0f} | {speed} | {ratio} |")
    return rows


def main() -> None:
    """Read the arguments, run, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument("--runs", type=int, default=3, help="runs a median is taken of (3)")
    parser.add_argument(
        "--engine", action="append", help="an engine to time (default: all present)"
    )
    parser.add_argument("--full", action="store_true", help="the programs' own horizons")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.programs if name not in SHORT_HORIZONS]
    if unknown:
        parser.error(
            f"no such program: {', '.join(unknown)}; there are {', '.join(SHORT_HORIZONS)}"
        )
    print("| program | engine | events | events/s | reference events/s | ratio |")
    print("|---|---|---:|---:|---:|---:|")
    for name in arguments.programs or SHORT_HORIZONS:
        for row in compare(name, arguments.engine or available(), arguments.runs, arguments.full):
            print(row, flush=True)


if __name__ == "__main__":
    main()
