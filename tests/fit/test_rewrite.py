"""A fitted cost put into a program's text: there, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq.diagnostics import SerqError
from serq.fit.rewrite import check_place, write_cost

TEXT = """// A comment; cost 1;
let overhead = 0;       // seconds
stage engine : step { budget 512; cost (0.01) + 2e-5 * tokens; }  // cost 2;
workload { arrive poisson (1); }
session { run engine prefill (100); end; }
run { horizon 10; }
"""
NEW = "0.02 + 3e-05 * prefilled"


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_cost_and_a_constant_are_replaced_and_nothing_else(tmp_path: Path) -> None:
    path = write(tmp_path / "p.sq", TEXT)
    check_place(path)
    write_cost(path, NEW, constants={"overhead": 0.0125})
    assert Path(path).read_text() == TEXT.replace("(0.01) + 2e-5 * tokens", NEW).replace(
        "overhead = 0;       //", "overhead = 0.0125;  //"
    )
    assert [each.name for each in tmp_path.iterdir()] == ["p.sq"]


def test_a_library_beside_the_program_is_found_again(tmp_path: Path) -> None:
    write(tmp_path / "lib.sq", "def twice(x) = 2 * x;\n")
    folder = tmp_path / "p.sq"
    path = write(folder, 'use "lib.sq";\n' + TEXT.replace("prefill (100)", "prefill (twice(50))"))
    write_cost(path, NEW)
    assert f"cost {NEW};" in folder.read_text()


def test_the_mode_of_the_file_stays(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "p.sq", TEXT))
    path.chmod(0o640)
    write_cost(str(path), NEW)
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_array_has_one_cost(tmp_path: Path) -> None:
    text = TEXT.replace("stage engine :", "stage engine[2] :").replace(
        "run engine prefill", "run engine[1] prefill"
    )
    path = write(tmp_path / "p.sq", text)
    write_cost(path, NEW)
    assert f"cost {NEW};" in Path(path).read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cost (0.01) + 2e-5 * tokens;", "cost pace();", "is not written in"),
        (
            "stage engine : step {",
            "stage other : step { cost 1; } stage engine : step {",
            "several",
        ),
        ("cost (0.01) + 2e-5 * tokens;", "cost ((0.01 + 2e-5 * (tokens) ) );", None),
        ("let overhead = 0;", "let\noverhead = 0;", "0 lines `let overhead"),
        ("let overhead = 0;", "let overhead = 0;\nlet overhead = 1;", "2 lines `let overhead"),
    ],
)
def test_what_is_ambiguous_is_refused(
    old: str, new: str, message: str | None, tmp_path: Path
) -> None:
    text = ("def pace() = 0.01;\n" if "pace" in new else "") + TEXT.replace(old, new)
    path = write(tmp_path / "p.sq", text)
    if message is None:
        write_cost(path, NEW, constants={"overhead": 0.5})
        return
    with pytest.raises(SerqError, match=message):
        write_cost(path, NEW, constants={"overhead": 0.5})
    assert Path(path).read_text() == text
    assert [each.name for each in tmp_path.iterdir()] == ["p.sq"]


def test_a_named_stage_is_the_one_replaced(tmp_path: Path) -> None:
    text = TEXT.replace("stage engine", "stage other : step { cost 1; }\nstage engine")
    path = write(tmp_path / "p.sq", text)
    write_cost(path, NEW, stage="other")
    assert f"stage other : step {{ cost {NEW}; }}" in Path(path).read_text()
    assert "cost (0.01) + 2e-5 * tokens" in Path(path).read_text()
