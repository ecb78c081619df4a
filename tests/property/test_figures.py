"""Whatever a program is, it draws in both views, and nothing in its figures is in the way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import serq
from serq.view.deployment import deployment
from serq.view.session import session
from serq.view.svg import svg
from tests.property.examples import examples
from tests.property.kernel_programs import kernel_programs
from tests.property.programs import valid_programs
from tests.property.queue_programs import queue_programs
from tests.view.geometry import faults


@examples(40)
@given(st.one_of(valid_programs(), kernel_programs(), queue_programs()))
def test_random_programs_draw(source: str) -> None:
    program = serq.compile(source=source).ir
    for draw in (deployment, session):
        figure = draw(program)
        assert faults(figure) == []
        assert svg(figure) == svg(draw(program))
