"""Whatever comes in, what comes out is a diagnostic or a report: never a traceback, never a hang of
more than five seconds, never more than half a gigabyte; and what is accepted also runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from tests.property.examples import examples
from tests.property.garbage import (
    broken_ir_texts,
    broken_irs,
    broken_programs,
    odd_numbers,
    token_soup,
)
from tests.sandbox import Sandbox

SANDBOX = Sandbox()


@pytest.fixture(scope="module", autouse=True)
def closed_sandbox() -> Iterator[None]:
    yield
    SANDBOX.close()


def check(text: str, form: str = "text") -> None:
    answer = SANDBOX.ask(text, form)
    assert answer.split(maxsplit=1)[0] in {"refused", "failed", "ran", "partial"}, answer


@examples(150)
@given(token_soup)
def test_token_soup_is_refused(text: str) -> None:
    check(text)


@examples(300)
@given(broken_programs())
def test_a_program_with_slips_is_refused_or_runs(text: str) -> None:
    check(text)


@examples(200)
@given(odd_numbers())
def test_a_program_with_odd_numbers_is_refused_or_runs(text: str) -> None:
    check(text)


@examples(250)
@given(broken_irs())
def test_an_ir_with_wrong_data_is_refused_or_runs(text: str) -> None:
    check(text, "ir")


@examples(100)
@given(broken_ir_texts())
def test_an_ir_with_slips_in_its_text_is_refused_or_runs(text: str) -> None:
    check(text, "ir")
