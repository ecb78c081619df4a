"""`python -m tests.fuzz`: a hunt for disagreements, from the command line."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz.hunt import Settings, Tally, hunt, write_down
from tests.fuzz.programs import FAMILIES, program

PAGES = Path(__file__).resolve().parents[2] / "conformance" / "regressions"
ENGINES = ("python", "native", "reference")


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="programs (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other programs")
    parser.add_argument(
        "--engine",
        default="python,reference",
        help=f"two of {', '.join(ENGINES)}; the second one's answer is expected by the pages",
    )
    parser.add_argument("--only", default="", help=f"families, of {', '.join(FAMILIES)}")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--pages", type=Path, default=PAGES, help="where pages are written")
    parser.add_argument("--most", type=int, default=3, help="disagreements to shrink and write")
    parser.add_argument("--show", metavar="SEED", help="print the program `FAMILY SEED` and stop")
    return parser.parse_args()


def main() -> int:
    """Hunt; 1 when two answers parted."""
    asked = arguments()
    if asked.show:
        family, _, seed = asked.show.partition(" ")
        sys.stdout.write(program(family, seed))
        return 0
    engines = tuple(asked.engine.split(","))
    families = tuple(asked.only.split(",")) if asked.only else FAMILIES
    if len(engines) != 2 or not {*engines} <= {*ENGINES}:
        sys.exit(f"--engine takes two of {', '.join(ENGINES)}, as in `python,reference`")
    if not {*families} <= {*FAMILIES}:
        sys.exit(f"--only takes families: {', '.join(FAMILIES)}")
    settings = Settings(asked.seed, (engines[0], engines[1]), families, asked.pages)
    tally = hunt(settings, asked.count, asked.jobs, asked.minutes, Progress())
    report(tally)
    for found in tally.found[: asked.most]:
        print(f"shrinking {found.family} {found.seed!r} …", flush=True)
        print(f"  written to {write_down(settings, found)}", flush=True)
    return 1 if tally.found else 0


class Progress:
    """A line every few seconds."""

    def __init__(self) -> None:
        self.start = self.last = time.monotonic()
        self.told = 0

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        for found in tally.found[self.told :]:
            print(f"{found.family} {found.seed!r}: {found.differences[0]}", flush=True)
        self.told = len(tally.found)
        if now - self.last > 10:
            self.last = now
            rate = tally.programs / (now - self.start)
            print(f"{tally.programs} programs, {rate:.0f} a second", flush=True)


def report(tally: Tally) -> None:
    """The counts."""
    print(f"{tally.programs} programs, {len(tally.found)} disagreements")
    for title, counts in (
        ("outcomes", tally.outcomes),
        ("not compared", tally.excluded),
        ("met", tally.coverage),
    ):
        print(f"{title}:")
        for name, count in counts.most_common():
            print(f"  {count:7}  {name}")


if __name__ == "__main__":
    sys.exit(main())
