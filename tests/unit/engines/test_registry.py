import pytest

from serq.diagnostics import SerqError
from serq.engines import available, engine, why_absent
from serq.engines.registry import NAMES


def refused(name: str) -> tuple[str, str | None]:
    with pytest.raises(SerqError) as caught:
        engine(name)
    (found,) = caught.value.diagnostics
    assert found.code == "SQ506"
    return found.message, found.help


def test_the_definition_is_always_there() -> None:
    assert "python" in available()
    assert engine("python").name == "python"


def test_the_best_engine_present_is_the_default() -> None:
    assert engine().name == available()[0]


def test_an_engine_nobody_knows_is_refused_with_the_nearest() -> None:
    message, hint = refused("pyton")
    assert message == "there is no engine `pyton`; the engines are `native`, `python`"
    assert hint == "did you mean `python`?"


def test_an_engine_that_is_absent_says_why_and_what_to_do() -> None:
    absent = [name for name in NAMES if name not in available()]
    for name in absent:
        message, hint = refused(name)
        assert message.startswith(f"the engine `{name}` is not present: ")
        assert message.endswith(str(why_absent(name)))
        assert hint is not None
        assert "python" in hint
    assert all(why_absent(name) is None for name in available())
