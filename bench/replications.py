"""Time replications of a program in one thread, and in several threads of one process.

    python -m bench.replications
    python -m bench.replications engine_heavy --runs 8 --threads 4 --horizon 2000

Prints, for each number of threads, the wall time and the speed-up over one thread, and what the
wall time of the runs went to: running on a processor, queueing for one that something else had
(Linux tells), and being blocked, say by a lock that another thread holds. The last is what
threads cost each other; on a machine with other work to do it is what can be measured, and the
speed-up is not. The reports must be the same bytes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from threading import get_native_id
from typing import Any

import serq
from bench.compare import PROGRAMS, SHORT_HORIZONS
from serq.engines.native import NativeEngine

run_alone = NativeEngine.run


def thread_times() -> tuple[float, float]:
    """Seconds that this thread ran so far, and that it queued for a processor."""
    path = Path(f"/proc/self/task/{get_native_id()}/schedstat")
    if not path.exists():
        return time.thread_time(), 0.0
    ran, queued, _ = path.read_text().split()
    return int(ran) / 1e9, int(queued) / 1e9


class Accounts:
    """Where the time of the runs went, added up."""

    def __init__(self) -> None:
        self.running: list[float] = []
        self.queued: list[float] = []
        self.blocked: list[float] = []

    def run(self, engine: NativeEngine, *arguments: Any) -> Any:
        """Run a program, as the engine does."""
        wall, (ran, queued) = time.perf_counter(), thread_times()
        measured = run_alone(engine, *arguments)
        wall = time.perf_counter() - wall
        after = thread_times()
        self.running.append(after[0] - ran)
        self.queued.append(after[1] - queued)
        self.blocked.append(wall - self.running[-1] - self.queued[-1])
        return measured


def timed(program: serq.Program, runs: int, threads: int) -> tuple[list[str], float, Accounts]:
    """The reports of so many replications, the wall time, and where it went."""
    accounts = Accounts()

    def accounted(engine: NativeEngine, *arguments: Any) -> Any:
        return accounts.run(engine, *arguments)

    NativeEngine.run = accounted  # type: ignore[method-assign, assignment]
    wall = time.perf_counter()
    reports = serq.run_many(program, seeds=range(runs), threads=threads, engine="native")
    wall = time.perf_counter() - wall
    NativeEngine.run = run_alone  # type: ignore[method-assign]
    return [report.json() for report in reports], wall, accounts


def main() -> None:
    """Read the arguments, run, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.replications", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("program", nargs="?", default="mg1", choices=list(SHORT_HORIZONS))
    parser.add_argument("--runs", type=int, default=8, help="replications (8)")
    parser.add_argument("--threads", type=int, default=2, help="most threads (2)")
    parser.add_argument("--horizon", type=float, help="another horizon than the program's")
    arguments = parser.parse_args()
    program = serq.compile(PROGRAMS / f"{arguments.program}.sq", horizon=arguments.horizon)
    print("| threads | wall s | speed-up | running s | queued s | blocked s |")
    print("|---:|---:|---:|---:|---:|---:|")
    expected, alone = [""], 0.0
    for threads in range(1, arguments.threads + 1):
        texts, wall, seen = timed(program, arguments.runs, threads)
        if threads == 1:
            expected, alone = texts, wall
        if texts != expected:
            raise SystemExit(f"{threads} threads give other reports than one")
        parts = [sum(part) for part in (seen.running, seen.queued, seen.blocked)]
        cells = [f"{cell:.2f}" for cell in (wall, alone / wall, *parts)]
        print(f"| {threads} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
