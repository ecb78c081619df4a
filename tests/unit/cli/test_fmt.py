import errno
from pathlib import Path

import pytest
from tests.unit.api.programs import MM1
from tests.unit.cli.command import Command

UGLY = MM1.replace("  set t0", "      set   t0").replace("};", "}").replace("  end;", "end;")


def test_a_file_is_laid_out_in_place_and_its_mode_stays(serq: Command) -> None:
    file = serq.folder / serq.write("p.sq", UGLY)
    file.chmod(0o640)
    outcome = serq("fmt", "p.sq")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    assert file.read_text() == MM1
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in serq.folder.iterdir()] == ["p.sq"]


def test_check_names_what_would_change_and_writes_nothing(serq: Command) -> None:
    serq.write("good.sq", MM1)
    serq.write("ugly.sq", UGLY)
    outcome = serq("fmt", "--check", "good.sq", "ugly.sq")
    assert (outcome.status, outcome.out, outcome.err) == (1, "", "would reformat ugly.sq\n")
    assert (serq.folder / "ugly.sq").read_text() == UGLY
    assert serq("fmt", "--check", "good.sq").status == 0


def test_standard_input_goes_to_standard_output(serq: Command) -> None:
    outcome = serq("fmt", "-", stdin=UGLY)
    assert (outcome.status, outcome.out, outcome.err) == (0, MM1, "")
    checked = serq("fmt", "--check", "-", stdin=UGLY)
    assert (checked.status, checked.out, checked.err) == (1, "", "would reformat -\n")


def test_one_file_that_is_refused_leaves_all_as_they_are(serq: Command) -> None:
    serq.write("ugly.sq", UGLY)
    serq.write("bad.sq", "let a = ;\n")
    outcome = serq("fmt", "ugly.sq", "bad.sq", "none.sq")
    assert (outcome.status, outcome.out) == (1, "")
    assert "bad.sq:1:9" in outcome.err
    assert "`none.sq` can not be read" in outcome.err
    assert (serq.folder / "ugly.sq").read_text() == UGLY


def test_a_link_keeps_pointing_where_it_did(serq: Command) -> None:
    serq.write("p.sq", UGLY)
    link = serq.folder / "link.sq"
    link.symlink_to("p.sq")
    assert serq("fmt", "link.sq").status == 0
    assert link.is_symlink()
    assert (serq.folder / "p.sq").read_text() == MM1


def test_a_disk_that_fills_leaves_the_file(serq: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    serq.write("p.sq", UGLY)

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    outcome = serq("fmt", "p.sq")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith(
        "error[SQ704]: `p.sq` can not be written: no space left on device"
    )
    assert [path.name for path in serq.folder.iterdir()] == ["p.sq"]
    assert (serq.folder / "p.sq").read_text() == UGLY
