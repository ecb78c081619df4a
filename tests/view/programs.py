"""Programs that figures are tested with: the repository's own, and some that are hard to place."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from conformance.loader import Case, find_pages, load_page

import serq
from serq.ir.nodes import Program

ROOT = Path(__file__).parents[2]
PAGES = find_pages(ROOT / "conformance")
EXAMPLES = sorted((ROOT / "examples").rglob("*.sq"))
WORKLOAD = "workload { arrive poisson (1); }\nrun { horizon 10; }\n"


def cases(page: Path) -> Iterator[tuple[str, Program]]:
    """The programs of a page of the conformance suite, those that are refused left out."""
    for case in load_page(page):
        if case.expect is not None:
            yield case.title, compiled(case)


def compiled(case: Case) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in case.files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        program = Path(folder) / "program.sq"
        program.write_text(case.program, encoding="utf-8")
        return serq.compile(program).ir


def ir(source: str) -> Program:
    return serq.compile(source=source).ir


def _stages(count: int) -> str:
    return "".join(f"stage s{at} : fifo ({at % 3 + 1});\n" for at in range(count))


def _session(*parts: str) -> str:
    return WORKLOAD + "session {\n" + "\n".join(parts) + "\n}\n"


LONG = "a_very_long_name_that_goes_on_and_on_and_on_and_on"

HARD: dict[str, str] = {
    "nothing at all": _session(),
    "many stations": _stages(24)
    + _session(*(f"run s{at} (1);" for at in range(24)), "branch with (0.5) { run s3 (2); }"),
    "every station behind every other": _stages(6)
    + _session(
        "loop {",
        *(f"branch with (0.3) {{ run s{at} (1); }}" for at in range(6)),
        "branch with (0.1) { end; } }",
    ),
    "a hundred branches": "stage s : fifo;\n"
    + _session("loop {", "branch with (0.5) { run s (1); } branch (now > 3) { end; }" * 50, "}"),
    "stations to pass or not": _stages(24)
    + _session(*(f"branch with (0.5) {{ run s{at} (1); }}" for at in range(24))),
    "six pools in one another": "stage a : ps (min(present, 4));\nstage b : delay;\n"
    + "".join(f"pool p{at} {{ cap {at + 9}; }}\n" for at in range(6))
    + _session(
        "loop {",
        *(f"hold p{at} ({at + 1}) {{ run a (1);" for at in range(6)),
        "run b (2);" + "}" * 6,
        "branch with (0.25) { end; } }",
    ),
    "branches in one another": "stage a : fifo;\n"
    + _session("branch (now > 1) { " * 60, "run a (1);", "}" * 60),
    "holds in one another": "pool p { cap 1000; }\nstage a : fifo;\n"
    + _session("hold p (1) { " * 40, "run a (1);", "}" * 40),
    "names and expressions of any length": f"pool {LONG} {{ cap 123456789; block 16; preempt lifo;"
    f" queue by (waited, -waited, waited * 2 + 3); }}\nstage größe_東京 : fifo (17);\n"
    f"stage {LONG} : ps (min(present, 8) * 3.25 + max(present, 2));\n"
    + _session(
        f"set x = {' + '.join(['now * 1.5'] * 60)};",
        f"hold {LONG} (x * 2 + min(x, 40000)) {{ run größe_東京 (x); run {LONG} (max(1, x)); }}",
        f"branch ({' || '.join(['x == 3 && now > 100'] * 9)}) {{ run größe_東京 (1); }}",
    ),
    "a family of two hundred": "pool kv[200] { cap 10; }\nstage e : fifo;\n"
    + _session(
        "choose r in 200 by (used(kv[r]) + sum j in 200 (used(kv[j])));",
        "hold kv[r] (1) { run e (sum j in 200 (used(kv[j]))); }",
    ),
    "tiers of tiers": "pool kv { cap 100; spill disk via ssd (size / 10) when (size > 3); }\n"
    "pool disk { cap 1000; spill tape via net (size) when (1); }\npool tape { }\n"
    "stage ssd : fifo;\nstage net : delay;\nstage e : fifo;\n"
    + _session("hold kv (9) { run e (1); } cache (9)"),
    "a wide stage on the way to a tier": "pool kv { cap 100; spill disk via ssd (1) when (1); }\n"
    "pool disk { cap 9; }\nstage ssd : ps (min(present, 2) + max(present, 3) / 4 + 1);\n"
    "stage e : fifo;\n" + _session("hold kv (9) { run e (1); } cache (9)"),
    "what nobody visits": "pool p { cap 3; }\nstage a : fifo;\nstage b[3] : delay;\n" + _session(),
    "members by their numbers": "pool kv[2] { cap 8; }\nstage e[2] : fifo;\n"
    + _session("hold kv[0] (1) { run e[0] (1); }", "hold kv[1] (1) { run e[1] (1); }"),
}
