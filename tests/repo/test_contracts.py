"""The import contracts of pyproject.toml hold, and would notice a violation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import serq

CONTRACTS = 4


def lint_imports(config: Path, package_parent: Path) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; from importlinter.cli import lint_imports;"
        "sys.exit(lint_imports(config_filename=sys.argv[1], no_cache=True))"
    )
    return subprocess.run(
        [sys.executable, "-c", program, str(config)],
        cwd=package_parent,
        env={**os.environ, "PYTHONPATH": str(package_parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_are_kept(repository: Path) -> None:
    package = Path(serq.__file__).parent
    outcome = lint_imports(repository / "pyproject.toml", package.parent)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert f"{CONTRACTS} kept, 0 broken" in outcome.stdout


def test_a_violation_breaks_its_contract(repository: Path, tmp_path: Path) -> None:
    copy = tmp_path / "serq"
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(Path(serq.__file__).parent, copy, ignore=ignored)
    (copy / "diagnostics" / "upwards.py").write_text("import serq.vocabulary\nimport numpy\n")
    (copy / "semantics" / "reads_text.py").write_text("import serq.syntax\nimport pyserq\n")
    (copy / "unplaced").mkdir()
    (copy / "unplaced" / "__init__.py").write_text("")
    outcome = lint_imports(repository / "pyproject.toml", tmp_path)
    assert outcome.returncode != 0
    assert f"0 kept, {CONTRACTS} broken" in outcome.stdout
    assert "unplaced" in outcome.stdout
