from pathlib import Path

import pytest
from tests.unit.api.programs import MM1

import serq


def test_a_program_draws_itself_in_a_notebook() -> None:
    program = serq.compile(source=MM1)
    assert program._repr_svg_() == serq.draw(program)


def test_the_views_are_two_figures() -> None:
    program = serq.compile(source=MM1)
    assert serq.draw(program) == serq.draw(program, "svg", "deployment")
    assert "<title>session</title>" in serq.draw(program, view="session")


def test_what_can_not_be_drawn_is_said(tmp_path: Path) -> None:
    program = serq.compile(source=MM1)
    with pytest.raises(ValueError, match="format is one of svg, tikz, png, not 'gif'"):
        serq.draw(program, "gif")
    with pytest.raises(ValueError, match="view is one of deployment, session, not 'both'"):
        serq.draw(program, view="both")
    with pytest.raises(TypeError, match="draw\\(\\) takes what compile\\(\\) gives"):
        serq.draw(str(tmp_path / "p.sq"))  # type: ignore[call-overload]
