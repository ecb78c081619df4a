"""A program has one answer: the same bytes on every run, in every process, from text or from IR."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given

import serq
from serq.api.program import Program
from tests.property.examples import examples
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs


def answer_of(program: Program) -> bytes:
    """Everything a run writes: the report as text and as JSON, and the dumped samples.

    Without the notes, which name the place in the text when there is one.
    """
    try:
        report = serq.run(program, engine="python", limit_events=100_000)
    except serq.SerqError as error:
        return "\n".join(found.code + found.message for found in error.diagnostics).encode()
    text = report.text(steps=True)
    written = [report.json(), *(line for line in text.splitlines() if not line.startswith("note"))]
    with TemporaryDirectory() as folder:
        report.dump(folder)
        for path in sorted(Path(folder).rglob("*.csv")):
            written += [path.name, path.read_text(encoding="utf-8")]
    return "\n".join(written).encode()


def check_one_answer(source: str) -> None:
    """Run the program, the same again, the text compiled again, and the IR from its JSON."""
    program = serq.compile(source=source)
    answer = answer_of(program)
    assert answer_of(program) == answer, "a second run of one program differs"
    assert answer_of(serq.compile(source=source)) == answer, "compiled again, it differs"
    again = Program.from_json(program.to_json())
    assert again.ir == program.ir
    assert again.to_json() == program.to_json()
    assert answer_of(again) == answer, "the IR read from its JSON runs otherwise"


@examples(50)
@given(valid_programs())
def test_a_crowded_deployment_has_one_answer(source: str) -> None:
    check_one_answer(source)


@examples(30)
@given(kernel_programs())
def test_the_whole_kernel_has_one_answer(source: str) -> None:
    check_one_answer(source)


def test_no_order_of_a_hash_table_reaches_the_answer(repository: Path) -> None:
    """A minute of the larger programs, in processes that hash strings and objects differently."""
    programs = sorted((repository / "tests/differential/programs").glob("*.sq"))
    command = (
        "import serq, sys\n"
        "for name in sys.argv[1:]:\n"
        "    program = serq.compile(name, horizon=60, warmup=5)\n"
        "    print(program.to_json(), serq.run(program, engine='python').json())\n"
    )
    chosen = [str(path) for path in programs if path.stem.startswith(("route", "kernel", "pool"))]
    answers = [
        subprocess.run(
            [sys.executable, "-c", command, *chosen],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    ]
    assert answers[0] == answers[1]
