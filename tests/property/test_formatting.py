"""The formatter changes how a program looks and nothing else, and is content with its own work."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

import serq
from serq.diagnostics import Source
from serq.syntax.format import format_source
from tests.property.drawing import Draw
from tests.property.examples import examples
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs
from tests.property.queue_programs import queue_programs

TOKEN = re.compile(r'"[^"]*"|\d[\w.]*|\w+|[<>=!]=|&&|\|\||\S')
BETWEEN = [
    "",
    "",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n\n",
    "\t",
    " \n      ",
    " /* as it was */ ",
    " // so\n",
]


@st.composite
def scattered_programs(draw: Draw) -> str:
    """A valid program with its blanks, line breaks and comments anywhere."""
    source = draw(st.one_of(valid_programs(), kernel_programs(), queue_programs()))
    gaps = draw(st.lists(st.sampled_from(BETWEEN), min_size=1, max_size=40))
    text = last = ""
    for at, token in enumerate(TOKEN.findall(source)):
        gap = gaps[at % len(gaps)]
        if gap == "" and TOKEN.findall(last + token) != [last, token]:
            gap = " "  # they would be one word
        text += gap + token
        last = token
    return text


@examples(80)
@given(scattered_programs())
def test_formatting_keeps_the_program_and_is_content_with_its_work(source: str) -> None:
    first = format_source(Source("<scattered>", source))
    assert first.text is not None, first.diagnostics
    again = format_source(Source("<formatted>", first.text))
    assert again.text == first.text
    assert TOKEN.findall(first.text) == TOKEN.findall(source)
    assert serq.compile(source=first.text).ir == serq.compile(source=source).ir
