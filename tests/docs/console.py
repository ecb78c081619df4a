"""Commands a page shows, and what they print.

In a block

    $ serq check broken.sq
    error[SQ201]: …

a line that begins with `$ ` is a command; the lines up to the next one are what it prints: its
standard output, and its standard error when it fails. A line `…` stands for any lines. Commands
of a page run in order in one folder, which holds `examples/` and the page's own `file=` blocks.
A page with a block that says `native` after `console` runs where the native engine is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.docs.pages import Page

PROMPT = "$ "
FIRST = ("$ serq ", "$ python ")
NATIVE = "native"
ANY_LINES = "…"
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Command:
    """A command line and the lines shown under it."""

    line: str
    shown: tuple[str, ...]


def commands(text: str) -> list[Command]:
    """The commands of a block."""
    found: list[Command] = []
    for line in text.splitlines():
        if line.startswith(PROMPT):
            found.append(Command(line.removeprefix(PROMPT), ()))
        else:
            last = found.pop()
            found.append(Command(last.line, (*last.shown, line)))
    return found


def prepare(folder: Path, page: Page, repository: Path) -> dict[str, str]:
    """Fill the folder; returns the environment in which `serq` and `python` are these ones."""
    shutil.copytree(repository / "examples", folder / "examples")
    for name, text in page.files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    programs = folder.parent / f"{folder.name}-bin"
    programs.mkdir()
    for name, started in (("serq", "-m serq"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {started} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"}


def output(command: str, folder: Path, environment: dict[str, str]) -> tuple[str, ...]:
    """What a command prints, as lines."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    printed = done.stdout if done.returncode == 0 else done.stdout + done.stderr
    return tuple(printed.splitlines())


def matches(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Whether the lines shown are those printed, `…` standing for any."""
    parts = [r"(?:[^\n]*\n)*" if s == ANY_LINES else re.escape(s) + r"\n" for s in shown]
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in printed)) is not None
