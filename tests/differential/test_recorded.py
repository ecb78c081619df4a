"""Every engine gives the answers the reference gave, as they were recorded.

The IR is equal as data; every count, sample, time, session and turn is equal to the bit; time
averages and means agree within 1e-9. The reference is not needed.
"""

from __future__ import annotations

import pytest

import serq
from serq.engines import available
from tests.differential.answer import answer_of, differences, text_digest
from tests.differential.corpus import Placed, Subject, subjects
from tests.differential.recorded import load

RECORDED = load()
SUBJECTS = subjects()
LEAST_PROGRAMS = 150
LEAST_LARGE = 100


def test_every_program_is_recorded() -> None:
    current = {subject.name: text_digest(subject.program) for subject in SUBJECTS}
    recorded = {name: answer["text"] for name, answer in RECORDED.items()}
    assert recorded == current, "record anew: python -m tests.differential.record"


def test_there_are_many_programs() -> None:
    large = [subject for subject in SUBJECTS if subject.group.startswith("programs-")]
    assert len(SUBJECTS) >= LEAST_PROGRAMS
    assert len(large) >= LEAST_LARGE


@pytest.mark.parametrize("engine", available())
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_an_engine_answers_as_recorded(subject: Subject, engine: str) -> None:
    if subject.name not in RECORDED:
        pytest.fail("not recorded yet: python -m tests.differential.record", pytrace=False)
    with Placed(subject.program, subject.files) as path:
        program = serq.compile(path)
        try:
            report = serq.run(program, engine=engine)
        except serq.SerqError as error:
            if all(diagnostic.code == "SQ505" for diagnostic in error.diagnostics):
                pytest.skip(f"the engine lacks a construct: {error}")
            raise
    found = answer_of(subject.program, program.to_json(), report)
    parted = list(differences(found, RECORDED[subject.name]))
    if parted:
        pytest.fail("\n".join(parted), pytrace=False)
