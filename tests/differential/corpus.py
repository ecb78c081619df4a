"""The programs on which serQ and the reference are compared.

Every program of the conformance suite that the reference accepts and answers alike, and the larger
programs in `programs/`, each under two seeds. A program with a `reference: differs` line is left
out: there serQ answers otherwise on purpose.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
REPOSITORY = HERE.parents[1]
PROGRAM = "program.sq"
SECOND_SEED = 100
"""What is added to a program's seed for its second run."""

_SEED = re.compile(r"\bseed (\d+);")

if str(REPOSITORY) not in sys.path:
    sys.path.insert(0, str(REPOSITORY))

from conformance.loader import Case, load_suite  # noqa: E402


@dataclass(frozen=True, slots=True)
class Subject:
    """One program to be compared."""

    name: str
    group: str
    """The file its recorded answer is in."""
    program: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Traces and libraries next to the program."""


def suite() -> list[Case]:
    """Every case of the conformance suite."""
    return load_suite(REPOSITORY / "conformance")


def subjects() -> list[Subject]:
    """Everything that is compared, in an order that stays."""
    return [*_from_conformance(), *_from_programs()]


def _from_conformance() -> Iterator[Subject]:
    for case in suite():
        if case.expect is not None and case.differs is None:
            yield Subject(
                name=case.name,
                group=f"conformance-{case.page.parent.name}",
                program=case.program,
                files=case.files,
            )


def _from_programs() -> Iterator[Subject]:
    traces = {path.name: path.read_text(encoding="utf-8") for path in PROGRAMS.glob("*.csv")}
    for path in sorted(PROGRAMS.glob("*.sq")):
        text = path.read_text(encoding="utf-8")
        (seed,) = _SEED.findall(text)
        used = {name: trace for name, trace in traces.items() if f'"{name}"' in text}
        for shown in (int(seed), int(seed) + SECOND_SEED):
            yield Subject(
                name=f"{path.stem}, seed {shown}",
                group=f"programs-{path.stem.partition('-')[0]}",
                program=_SEED.sub(f"seed {shown};", text),
                files=used,
            )


class Placed:
    """A subject written to a folder of its own, to be compiled from there."""

    def __init__(self, program: str, files: Mapping[str, str]) -> None:
        self._folder = TemporaryDirectory()
        for name, text in {**files, PROGRAM: program}.items():
            Path(self._folder.name, name).write_text(text, encoding="utf-8")

    def __enter__(self) -> str:
        return str(Path(self._folder.name, PROGRAM))

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()
