"""The texts that highlighters are tried on: the programs of the conformance suite and examples."""

from __future__ import annotations

from pathlib import Path

from conformance.loader import load_suite

ROOT = Path(__file__).parents[2]
CASES = load_suite(ROOT / "conformance")


def accepted() -> dict[str, str]:
    """Programs that link, by name."""
    found = {case.name: case.program for case in CASES if not case.refusals}
    for folder in ("examples", "bench/programs"):
        for path in sorted((ROOT / folder).rglob("*.sq")):
            found[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
    return found


def refused() -> dict[str, str]:
    """Programs that do not, by name."""
    return {case.name: case.program for case in CASES if case.refusals}
