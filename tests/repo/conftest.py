"""Which files are ours: what the tests about the repository itself read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

GENERATED_FOLDERS = {"build", "dist", "venv", "__pycache__"}


@pytest.fixture(scope="session")
def source_files(repository: Path) -> list[Path]:
    """Every file of the source tree, sorted; builds, caches and environments left out."""
    found: list[Path] = []
    for folder, subfolders, names in os.walk(repository):
        subfolders[:] = sorted(
            name
            for name in subfolders
            if name not in GENERATED_FOLDERS
            and not name.endswith(".egg-info")
            and (not name.startswith(".") or name == ".ci")
        )
        found += [Path(folder, name) for name in sorted(names)]
    return found
