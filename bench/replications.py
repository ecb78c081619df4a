"""Time replications of a program in one thread, and in several threads of one process.

    python -m bench.replications
    python -m bench.replications engine_heavy --runs 8 --threads 4 --horizon 2000

Prints, for each number of threads, the wall time, the speed-up, and the processor time of all
threads together: where threads wait for each other or work twice, the last grows with their
number. The reports must be the same bytes. On a machine that has something else to do the wall
time says little, the processor time still holds.
"""

from __future__ import annotations

import argparse
import resource
import time

import serq
from bench.compare import PROGRAMS, SHORT_HORIZONS


def cpu_seconds() -> float:
    """Processor time of this process so far, in its own code and in the system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(program: serq.Program, runs: int, threads: int) -> tuple[list[str], float, float]:
    """The reports, the wall time and the processor time of so many replications."""
    wall, cpu = time.perf_counter(), cpu_seconds()
    reports = serq.run_many(program, seeds=range(runs), threads=threads, samples=False)
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
    return [report.json() for report in reports], wall, cpu


def main() -> None:
    """Read the arguments, run, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.replications", description=__doc__)
    parser.add_argument("program", nargs="?", default="mg1", choices=list(SHORT_HORIZONS))
    parser.add_argument("--runs", type=int, default=8, help="replications (8)")
    parser.add_argument("--threads", type=int, default=2, help="most threads (2)")
    parser.add_argument("--horizon", type=float, help="another horizon than the program's")
    arguments = parser.parse_args()
    program = serq.compile(PROGRAMS / f"{arguments.program}.sq", horizon=arguments.horizon)
    expected, alone, _ = timed(program, arguments.runs, 1)
    print("| threads | wall s | speed-up | processor s |")
    print("|---:|---:|---:|---:|")
    for threads in range(1, arguments.threads + 1):
        texts, wall, cpu = timed(program, arguments.runs, threads)
        if texts != expected:
            raise SystemExit(f"{threads} threads give other reports than one")
        alone = wall if threads == 1 else alone
        print(f"| {threads} | {wall:.2f} | {alone / wall:.2f} | {cpu:.2f} |", flush=True)


if __name__ == "__main__":
    main()
