"""Time fleets of growing size at the same load an engine: what an iteration costs must not grow.

    python -m bench.scale
    python -m bench.scale --engines 1 64 1000 --iterations 200000

Prints a Markdown table: for each number of engines, nanoseconds of processor time (of the whole
call, the report included) for one iteration of one engine, the median of the turns, how many times
that is the least of the table, and the fastest turn. Fleets take turns, and a small one runs again
until its turn has taken a second. Sessions take several turns
on the engine that they were routed to. Routed blindly, by a draw, a session costs the same in a
fleet of any size; routed to the least loaded, by a `choose` over all engines, it asks each of
them, which is the program's own work and grows with the fleet. Nothing here is part of the test
suite.
"""

from __future__ import annotations

import argparse
import statistics
import time

import serq

FLEETS = (1, 8, 64, 200, 1000, 4000)
ITERATIONS = 400_000
LEAST_HORIZON = 120.0
WARMUP = 20.0
"""Seconds; the first sessions have ended by then, and prefixes fill the memory."""
ITERATIONS_A_SECOND = 140.0
"""About how many an engine of the program runs in a second of simulated time."""
LEAST_SECONDS = 1.0
"""Of processor time for a fleet's turn: a short one would catch the machine in one of its moods."""

ROUTES = {
    "drawn": "set home = floor(~uniform(0, N));",
    "least loaded": "choose home in N by (holders(reqs[home]) + queued(reqs[home]));",
}

PROGRAM = """
let N = {engines}; let B = 2048; let max_seqs = 64; let bs = 16; let p = 0.8;
pool kv[{engines}] {{ cap 6000 * bs; block bs; evict lru; preempt lifo; }}
pool reqs[{engines}] {{ cap max_seqs; admit via engine; }}
stage engine[{engines}] : step {{
  budget B;
  cost 0.006 + 3e-5 * decoders + 6e-8 * kv_decode + 3e-5 * prefilled;
  memory kv;
}}
stage tool : delay;
workload {{
  arrive poisson(0.5 * N);
  init {{ set K = 0; }}
  turn {{
    set n = K == 0 ? floor(~uniform(500, 3000)) : floor(~exp(400)) + 1;
    set o = floor(~exp(200)) + 2;
  }}
}}
session {{
  turn;
  {route}
  loop {{
    set prompt = K + n;
    set t0 = now;
    hold reqs[home] (1), kv[home] (min(known, hit + budget_left(engine[home]))) reserve (known)
         at admission (known = computed < prompt ? prompt : computed + 1,
                       hit = min(cachedin(kv[home]), floor((known - 1) / bs) * bs)) {{
      set c = min(cached, floor((known - 1) / bs) * bs);
      run engine[home] prefill (known - c) growing kv[home];
      observe ttft = now - t0;
      run engine[home] decode (o - 1 - (known - prompt)) growing kv[home];
    }} cache (prompt + o);
    set K = prompt + o;
    branch with (p) {{ run tool (~exp(3)); turn; }} else {{ end; }}
  }}
}}
run {{ horizon {horizon}; warmup {warmup}; seed 1; }}
"""


def source(engines: int, route: str, iterations: int) -> str:
    """A fleet's program, whose horizon gives about so many iterations in all."""
    horizon = max(LEAST_HORIZON, iterations / (ITERATIONS_A_SECOND * engines))
    return PROGRAM.format(engines=engines, route=ROUTES[route], horizon=horizon, warmup=WARMUP)


def iteration_seconds(program: serq.Program) -> tuple[int, float]:
    """Iterations of all engines in a run, and processor time of one: the mean of a turn's runs."""
    iterations, runs, seconds = 0, 0, 0.0
    while seconds < LEAST_SECONDS:
        start = time.process_time()
        report = serq.run(program)
        iterations = sum(stage.iterations for stage in report.stages)
        seconds += time.process_time() - start
        runs += 1
    return iterations, seconds / (runs * iterations)


def measure(
    route: str, fleets: list[int], iterations: int, runs: int
) -> list[tuple[int, int, float, float]]:
    """Of each fleet: engines, iterations, seconds of one: the median of the turns, and the least.

    The fleets take turns, so that all see the same machine.
    """
    programs = [serq.compile(source=source(engines, route, iterations)) for engines in fleets]
    seconds: list[list[float]] = [[] for _ in fleets]
    counted = [0] * len(fleets)
    for _ in range(runs):
        for at, program in enumerate(programs):
            counted[at], each = iteration_seconds(program)
            seconds[at].append(each)
    return [
        (engines, counted[at], statistics.median(seconds[at]), min(seconds[at]))
        for at, engines in enumerate(fleets)
    ]


def main() -> None:
    """Read the arguments, run, print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--engines", type=int, nargs="+", default=list(FLEETS), metavar="N")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="of a run, about")
    parser.add_argument("--runs", type=int, default=3, help="runs a median is taken of (3)")
    arguments = parser.parse_args()
    serq.run(serq.compile(source=source(1, "drawn", 1)))  # what the first run imports
    print("| engines | routed | iterations | ns an iteration | times the least | least ns |")
    print("|---:|---|---:|---:|---:|---:|")
    for route in ROUTES:
        measured = measure(route, arguments.engines, arguments.iterations, arguments.runs)
        least = min(seconds for _, _, seconds, _ in measured)
        for engines, iterations, seconds, fastest in measured:
            print(
                f"| {engines:,} | {route} | {iterations:,} | {seconds * 1e9:.0f} "
                f"| {seconds / least:.2f} | {fastest * 1e9:.0f} |"
            )


if __name__ == "__main__":
    main()
