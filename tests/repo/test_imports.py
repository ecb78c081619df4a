"""`import serq` is light, and the packages that compute floats add them in a known order."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "pandas", "pyarrow", "rich", "ray", "vllm")
# `sum` of floats is compensated from Python 3.12 on, and `fsum` always: other bits than a loop.
UNORDERED = {"sum", "fsum", "statistics"}


def test_importing_serq_loads_nothing_heavy() -> None:
    program = (
        "import json, sys, serq, serq.semantics, serq.native;"
        "print(json.dumps([name for name in sys.argv[1:] if name in sys.modules]))"
    )
    command = [sys.executable, "-c", program, *HEAVY]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(outcome.stdout) == []


@pytest.mark.parametrize("package", ["semantics", "stats"])
def test_floats_are_added_left_to_right(repository: Path, package: str) -> None:
    modules = sorted((repository / "src" / "serq" / package).rglob("*.py"))
    assert modules
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "id", getattr(node, "attr", getattr(node, "name", None)))
            line = getattr(node, "lineno", 0)
            assert name not in UNORDERED, f"{path.relative_to(repository)}:{line}: `{name}`"
