"""Output that can not be written: said in one diagnostic, and nothing is half written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.robustness.command import SERQ, Outcome, checked, serq

PROGRAM = """stage s : delay;
workload { arrive poisson(10); }
session { run s (~exp(1)); observe age = now; observe number = serial; end; }
gauge present = queue(s);
run { horizon 400; }
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.sq"
    path.write_text(PROGRAM)
    return path


def test_the_samples_are_written(program: Path) -> None:
    outcome = serq("run", program, "--quiet", "--dump", program.parent / "out")
    assert outcome.status == 0
    names = sorted(str(p.relative_to(program.parent)) for p in (program.parent / "out").rglob("*"))
    assert names == [
        "out/age.csv", "out/gauge", "out/gauge/present.csv", "out/number.csv",
    ]  # fmt: skip


@pytest.mark.parametrize("folder", ["p.sq/samples", "/proc/serq-samples", "/dev/null/x", "a\0b"])
def test_a_folder_that_can_not_be_made(folder: str, program: Path) -> None:
    if "\0" in folder:
        folder = "x" * 300
    outcome = serq("run", program, "--dump", folder, folder=program.parent)
    assert outcome.status == 1
    assert outcome.codes == ["SQ704"]
    assert [path.name for path in program.parent.iterdir()] == ["p.sq"]


def test_a_disk_that_fills(program: Path) -> None:
    """Files may have as many bytes as the shorter of the samples needs."""
    outcome = serq("run", program, "--dump", program.parent / "out", file_size=60_000)
    assert outcome.status == 1
    assert outcome.codes == ["SQ704"]
    assert [path.name for path in program.parent.iterdir()] == ["p.sq"]


def test_a_disk_that_fills_keeps_the_samples_of_before(program: Path) -> None:
    folder = program.parent / "out"
    assert serq("run", program, "--quiet", "--dump", folder, "--horizon", "20").status == 0
    before = {path.name: path.read_bytes() for path in folder.rglob("*.csv")}
    assert serq("run", program, "--dump", folder, file_size=60_000).codes == ["SQ704"]
    assert {path.name: path.read_bytes() for path in folder.rglob("*.csv")} == before
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_disk_that_fills_under_the_formatter(program: Path) -> None:
    text = "session{" + "set x=1;\n" * 9_000 + "}run{horizon 1;}"
    program.write_text(text)
    outcome = serq("fmt", program, file_size=40_000)
    assert outcome.status == 1
    assert outcome.codes == ["SQ704"]
    assert program.read_text() == text
    assert [path.name for path in program.parent.iterdir()] == ["p.sq"]


@pytest.mark.parametrize("verb", ["run", "ir"])
def test_a_full_disk_behind_standard_output(verb: str, program: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*SERQ, verb, str(program)],
            stdout=full, stderr=subprocess.PIPE, check=False, timeout=60,
        )  # fmt: skip
    outcome = checked(Outcome(done.returncode, "", done.stderr.decode()))
    assert outcome.status == 1
    assert outcome.codes == ["SQ704"]


@pytest.mark.parametrize("verb", ["run", "ir"])
def test_a_reader_that_has_seen_enough(verb: str, program: Path) -> None:
    """`serq … | head -1`: the reader goes, and nobody complains."""
    many = "".join(f"pool p{i} {{ cap 1; }}\n" for i in range(3_000))
    program.write_text(many + PROGRAM)
    with subprocess.Popen(
        [*SERQ, verb, str(program), *(["--quiet"] if verb == "run" else [])],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.wait(timeout=60)
    assert err == b""
    assert process.returncode == 141


def test_standard_output_that_is_closed(program: Path) -> None:
    script = 'exec "$0" -m serq run "$1" >&-'
    done = subprocess.run(
        ["sh", "-c", script, SERQ[0], str(program)],
        stderr=subprocess.PIPE, check=False, timeout=60,
    )  # fmt: skip
    outcome = checked(Outcome(done.returncode, "", done.stderr.decode()))
    assert outcome.status == 1
    assert outcome.codes == ["SQ704"]
