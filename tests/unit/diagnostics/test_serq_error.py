"""An error in Python says what the command line says, and survives a process border."""

from __future__ import annotations

import pickle

import pytest

import serq


def refused(text: str) -> serq.SerqError:
    with pytest.raises(serq.SerqError) as caught:
        serq.compile(source=text)
    return caught.value


def test_it_shows_the_place_and_the_way_out() -> None:
    error = refused("stage engine : fifo;\nsession { run engin (1); end; }\nrun { horizon 1; }\n")
    text = str(error)
    assert text.startswith("error[SQ206]")
    assert "2 | session { run engin (1); end; }" in text
    assert "^^^^^" in text
    assert "= help: did you mean `engine`?" in text
    assert not text.endswith("\n")


def test_all_findings_are_shown_in_the_order_of_the_text() -> None:
    error = refused("session { run a (1); run b (1); end; }\nrun { horizon 1; }\n")
    assert str(error).index("`a`") < str(error).index("`b`")
    assert len(error.diagnostics) > 1


def test_it_is_the_same_in_another_process() -> None:
    error = refused("session { run a (1); end; }\nrun { horizon 1; }\n")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert [found.code for found in again.diagnostics] == [
        found.code for found in error.diagnostics
    ]
