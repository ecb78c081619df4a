import gzip
import json
from pathlib import Path

import pytest
from tests.unit.api.programs import MM1, REPLAY, TRACE

import serq
from serq.api.inline import inline_trace


def codes(caught: pytest.ExceptionInfo[serq.SerqError]) -> list[str]:
    return [found.code for found in caught.value.diagnostics]


def test_a_program_is_compiled_from_a_file_or_from_its_text(tmp_path: Path) -> None:
    path = tmp_path / "p.sq"
    path.write_text(MM1)
    program = serq.compile(path)
    assert program.to_json() == serq.compile(source=MM1).to_json()
    assert program.name == str(path)
    assert repr(program).endswith("p.sq': 0 pool(s), 1 stage(s), 10 attribute(s), 3 block(s))")


def test_the_options_of_the_run_are_replaced() -> None:
    options = {"seed": 2**64 - 1, "horizon": 50.0, "warmup": 0.0, "arrivals": 7}
    document = json.loads(serq.compile(source=MM1, **options).to_json())  # type: ignore[arg-type]
    assert {name: document[name] for name in options} == options


def test_constants_and_definitions_are_replaced() -> None:
    plain = serq.compile(source=MM1)
    by_number = serq.compile(source=MM1, sets={"lam": 0.25})
    by_text = serq.compile(source=MM1, sets={"lam": "1 / 4"})
    assert '"Poisson": 0.25' in by_number.to_json()
    assert by_number.to_json() == by_text.to_json() != plain.to_json()
    other = serq.compile(source=MM1, defs={"law": "~det(m)"})
    assert '"Det"' in other.to_json()


@pytest.mark.parametrize(
    "options",
    [
        {"seed": -1},
        {"seed": 2**64},
        {"horizon": 0.0},
        {"horizon": float("inf")},
        {"horizon": float("nan")},
        {"warmup": -1.0},
        {"arrivals": 0},
    ],
)
def test_an_option_out_of_its_range_is_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        serq.compile(source=MM1, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"horizon": "100"}, "horizon is a number, not '100'"),
        ({"warmup": 1j}, "warmup is a number, not 1j"),
        ({"seed": 1.5}, "seed is a whole number, not 1.5"),
        ({"arrivals": "3"}, "arrivals is a whole number, not '3'"),
        ({"sets": 3}, "sets gives constants values, such as {'rate': 2}; it is no 3"),
        ({"sets": {"lam": None}}, "sets['lam'] is a number or the text of an expression: None"),
    ],
)
def test_an_option_of_another_type_is_named(options: dict[str, object], what: str) -> None:
    with pytest.raises(TypeError) as caught:
        serq.compile(source=MM1, **options)  # type: ignore[arg-type]
    assert str(caught.value) == what


def test_a_program_comes_from_one_place() -> None:
    with pytest.raises(TypeError, match="either a path or source"):
        serq.compile()
    with pytest.raises(TypeError, match="either a path or source"):
        serq.compile("p.sq", source=MM1)


def test_everything_wrong_with_a_program_is_in_one_error() -> None:
    wrong = MM1.replace("run svc (law(1));", "run svcc (1);").replace("now - t0", "now - t1")
    with pytest.raises(serq.SerqError) as caught:
        serq.compile(source=wrong)
    assert codes(caught) == ["SQ206", "SQ201"]
    assert [found.where() for found in caught.value.diagnostics] == [
        "<string>:7:7",
        "<string>:8:27",
    ]


@pytest.mark.parametrize("content", [b"let a = \xff;", b"x" * 100])
def test_a_file_that_can_not_be_read_is_refused(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serq.api.read_text.LONGEST", 99)
    path = tmp_path / "p.sq"
    path.write_bytes(content)
    for each in (path, tmp_path, tmp_path / "none.sq", "a\0b"):
        with pytest.raises(serq.SerqError) as caught:
            serq.compile(each)
        assert codes(caught) == ["SQ703"]


def test_an_ir_is_read_back_with_other_options(tmp_path: Path) -> None:
    program = serq.compile(source=MM1)
    path = tmp_path / "p.json"
    program.write(path)
    assert serq.compile(path).to_json() == program.to_json()
    changed = serq.compile(source=program.to_json(), seed=5, horizon=30, name="<stdin>")
    assert changed.to_json() == serq.compile(source=MM1, seed=5, horizon=30).to_json()
    assert serq.Program.from_json(program.to_json()).ir == program.ir


@pytest.mark.parametrize(
    ("options", "code"), [({"sets": {"lam": 1}}, "SQ508"), ({"defs": {"law": "1"}}, "SQ508"),
                          ({"warmup": 500.0}, "SQ412")],
)  # fmt: skip
def test_an_ir_has_no_constants_and_its_options_are_checked(
    options: dict[str, object], code: str
) -> None:
    text = serq.compile(source=MM1).to_json()
    with pytest.raises(serq.SerqError) as caught:
        serq.compile(source=text, **options)  # type: ignore[arg-type]
    assert codes(caught) == [code]


def test_a_bad_ir_is_refused() -> None:
    with pytest.raises(serq.SerqError) as caught:
        serq.Program.from_json("{")
    assert codes(caught) == ["SQ502"]


def test_where_a_trace_is_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "p.sq"
    path.write_text(REPLAY)
    assert serq.compile(path).trace_path() == tmp_path / "t.csv"
    assert serq.compile(path, trace="o.csv").trace_path() == Path("o.csv")
    assert serq.compile(source=REPLAY).trace_path() == Path("t.csv")
    text = serq.compile(path).to_json()
    assert serq.Program.from_json(text).trace_path() == Path("t.csv")
    assert serq.compile(source=MM1).trace_path() is None


def test_an_ir_with_its_trace_inside_gives_the_same_report(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TRACE)
    path = tmp_path / "p.sq"
    path.write_text(REPLAY)
    program = serq.compile(path)
    inlined = inline_trace(program)
    document = json.loads(inlined.to_json())
    assert document["trace"] is None
    assert document["trace_ordered"] is False
    assert document["arrival"]["Sessions"][1] == {
        "attrs": [],
        "turns": [[[3, 7.0], [4, 1.0], [5, 0.0], [7, 0.0]]],
    }
    assert len(document["arrival"]["Sessions"]) == 3
    assert serq.run(inlined).json() == serq.run(program).json()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((' trace "t.csv" ordered;', ""), "replays no trace"),
        (("batch(3)", "closed(3)"), "only a batch"),
        ((" ordered", ""), "without `ordered`"),
    ],
)
def test_a_trace_that_can_not_be_inlined_is_named(change: tuple[str, str], reason: str) -> None:
    program = serq.compile(source=REPLAY.replace(*change))
    with pytest.raises(serq.SerqError, match=reason) as caught:
        inline_trace(program)
    assert codes(caught) == ["SQ705"]


def test_a_number_that_json_can_not_write_is_not_inlined(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("0,0,inf,1,1\n")
    (tmp_path / "p.sq").write_text(REPLAY)
    with pytest.raises(serq.SerqError, match="session 0 of the trace has a number"):
        inline_trace(serq.compile(tmp_path / "p.sq"))


def test_the_indentation_of_a_large_ir_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = serq.compile(source=MM1)
    path = tmp_path / "p.json"
    program.write(path)
    size = sum(len(line.lstrip()) + 1 for line in path.read_text().splitlines())
    assert size < path.stat().st_size
    monkeypatch.setattr("serq.api.read_text._PIECE", 7)
    monkeypatch.setattr("serq.api.read_text.LONGEST", size)
    assert serq.compile(path).ir == program.ir
    monkeypatch.setattr("serq.api.read_text.LONGEST", size - 2)
    with pytest.raises(serq.SerqError, match=f"more than {size - 2} bytes"):
        serq.compile(path)


def test_a_compressed_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_bytes(gzip.compress(b"session { end; }"))
    with pytest.raises(serq.SerqError, match="it is compressed") as caught:
        serq.compile(tmp_path / "p.sq")
    assert caught.value.diagnostics[0].help == "unpack it with `gunzip`"


def test_a_file_without_a_name_is_refused() -> None:
    with pytest.raises(serq.SerqError, match="the name is empty"):
        serq.compile("")


def test_a_file_that_is_no_utf_8_is_shown_where(tmp_path: Path) -> None:
    (tmp_path / "p.sq").write_bytes(b"session {\n  end; // \xe9t\xe9\n}\n")
    with pytest.raises(serq.SerqError) as caught:
        serq.compile(tmp_path / "p.sq")
    (found,) = caught.value.diagnostics
    assert (found.code, found.help) == ("SQ703", "save it as UTF-8")
    assert found.message.endswith("line 2 is not UTF-8 at byte 11")
