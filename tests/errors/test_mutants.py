"""A slip anywhere in a program is a diagnostic with a place, and refused as the reference does."""

from __future__ import annotations

import re

import pytest

import serq
from tests.errors.mutants import mutants
from tests.reference import PRESENT, Reference

MUTANTS = list(mutants(seed=20, count=600))

# Counts, rates and scopes that the reference accepts and lets run into something else.
STRICTER = {"SQ406", "SQ410", "SQ411", "SQ414"}

# What is missing at the end of a block or a text is reported where the block begins.
ELSEWHERE = {"SQ103", "SQ107", "SQ202"}

PLACE = re.compile(r"(\d+):(\d+): ")


def refusal(source: str) -> list[serq.Diagnostic]:
    """The errors of `source`; none when it is a program."""
    try:
        serq.compile(source=source)
    except serq.SerqError as error:
        return error.diagnostics
    return []


def balanced(source: str) -> bool:
    """Whether as many brackets are closed as opened; where they are not is a matter of taste."""
    return all(source.count(left) == source.count(right) for left, right in ("()", "[]", "{}"))


def shown(found: list[serq.Diagnostic]) -> str:
    return "; ".join(str(finding) for finding in found) or "no error"


def test_every_error_has_its_place_and_comes_in_the_order_of_the_text() -> None:
    refused = 0
    for source in MUTANTS:
        found = refusal(source)
        refused += bool(found)
        spans = [finding.span for finding in found]
        assert None not in spans, source
        starts = [span.start for span in spans if span is not None]
        assert starts == sorted(starts), source
        assert len({str(finding) for finding in found}) == len(found), source
    assert len(MUTANTS) // 3 < refused < len(MUTANTS)


@pytest.mark.skipif(not PRESENT, reason="the reference is not installed")
def test_what_is_refused_and_where_is_what_the_reference_refuses() -> None:
    reference = Reference()
    parted: list[str] = []
    for source in MUTANTS:
        found = refusal(source)
        answer = reference.ask(source, seconds=1.0)
        theirs = answer.message if answer.outcome == "refused" else ""
        if bool(found) != bool(theirs) and not {d.code for d in found} & STRICTER:
            parted.append(
                f"{source}\nours: {shown(found)}\nthe reference: {answer.outcome} {theirs}"
            )
        if {d.code for d in found} & ELSEWHERE or not balanced(source):
            continue
        place = PLACE.match(theirs)
        spans = [finding.span for finding in found]
        spans += [note.span for finding in found for note in finding.notes]
        lines = {span.start_line for span in spans if span is not None}
        if found and place is not None and int(place[1]) not in lines:
            parted.append(f"{source}\nours: {shown(found)}\nthe reference: {theirs}")
    reference.close()
    assert not parted, "\n\n".join(parted)
