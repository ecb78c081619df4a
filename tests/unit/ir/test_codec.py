import json
import time
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.ir.example import EXAMPLE

from serq.diagnostics import Diagnostic, Source
from serq.ir import json_text
from serq.ir import nodes as ir
from serq.ir.program_json import PROGRAM
from serq.ir.read import read_json
from serq.ir.shapes import MOST_FINDINGS, Place
from serq.ir.write import write_json

PARTS = (
    {"arrival": ir.Poisson(0.8), "arrivals": None, "share": "bottleneck"},
    {"arrival": ir.Renewal(ir.Draw("h2", (ir.Number(1.0), ir.Number(4.0))))},
    {"arrival": ir.Closed(3), "trace": None, "gauges": (), "share": None},
    {"arrival": ir.Batch(0), "hidden": ()},
    {"arrival": ir.NoArrivals()},
)

SMALL = """
pool kv { cap 100; block 16; } stage svc : fifo(2);
workload { arrive poisson(1 / 3); init { set K = 0; } }
session { hold kv (1 + 1) { run svc (~exp(1e-7)); } cache (K); observe n = now; end; }
run { horizon 1e17; seed 3; }
"""


def decoded(text: str) -> ir.Program:
    """The program a text states, whether or not it obeys the rules of a finished IR."""
    program: ir.Program = PROGRAM.decode(json_text.parse(Source("a.json", text)), Place([]))
    return program


def found_in(text: str) -> list[Diagnostic]:
    result = read_json(text, "a.json")
    assert result.program is None
    return result.diagnostics


def changed(path: list[str | int], value: Any) -> str:
    """The example's document with another value at `path`."""
    document = json.loads(write_json(EXAMPLE))
    node = document
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return json.dumps(document, indent=1)


@pytest.mark.parametrize("part", [{}, *PARTS])
def test_a_program_reads_back_from_what_was_written(part: dict[str, Any]) -> None:
    program = replace(EXAMPLE, **part)
    text = write_json(program)
    assert decoded(text) == program
    assert write_json(decoded(text)) == text


def test_the_document_is_byte_for_byte_the_references() -> None:
    pyserq = pytest.importorskip("pyserq")
    text = pyserq.compile(source=SMALL).to_json()
    result = read_json(text, "a.json")
    assert result.diagnostics == []
    assert result.program is not None
    assert write_json(result.program) == text


def test_the_reference_writes_the_examples_document_the_same() -> None:
    pyserq = pytest.importorskip("pyserq")
    # Its rules of a finished IR refuse some of what the example puts in one program.
    program = replace(EXAMPLE, share=None, arrivals=None, hidden=())
    plain_run = ir.Run(ir.StageReference(0, 1), "plain", ir.Number(1.0))
    body = tuple(
        plain_run if isinstance(each, ir.Run) and each.also else each for each in program.blocks[3]
    )
    keys = ir.ServeBy((ir.Context("remaining"),))
    engine = ir.Step(ir.Number(8.0), ir.Context("tokens"), ir.Number(0.0), keys, 2)
    stages = (program.stages[0], ir.Stage("engine", engine), *program.stages[2:])
    program = replace(
        program, stages=stages, blocks=(*program.blocks[:3], body, *program.blocks[4:])
    )
    text = write_json(program)
    assert pyserq.Program.from_json(text).to_json() == text


def test_members_nobody_knows_and_whole_numbers_for_floats_are_accepted() -> None:
    document = json.loads(write_json(EXAMPLE))
    document["horizon"] = 3
    document["colour"] = {"deep": []}
    document["pools"][0]["size"] = 1
    assert decoded(json.dumps(document)).horizon == 3.0


def test_what_may_be_null_may_be_missing() -> None:
    document = json.loads(write_json(EXAMPLE))
    for member in ("block", "queue", "spill", "admit_via"):
        del document["pools"][0][member]
    del document["trace"]
    program = decoded(json.dumps(document))
    assert program.trace is None
    pool = program.pools[0]
    assert (pool.block, pool.queue, pool.spill, pool.admit_via) == (None, None, None, None)


def test_the_version_is_looked_at_before_the_form() -> None:
    (found,) = found_in('{"version": 9, "pools": 3}')
    assert found.code == "SQ501"
    assert found.message == "this IR has version 9; this serQ reads and writes version 10"
    assert found.where() == "a.json:1:13"


@pytest.mark.parametrize("text", ["[]", "3", '{"attrs": []}', '{"version": "10"}'])
def test_a_document_without_a_version_is_no_ir(text: str) -> None:
    (found,) = found_in(text)
    assert found.code == "SQ503"
    assert "version" in found.message


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["horizon"], "inf", '`horizon` should be a number, but is the string "inf"'),
        (["horizon"], True, "`horizon` should be a number, but is true"),
        (["seed"], 1.0, "should be a whole number from 0 to 2^64 - 1, but is the number 1.0"),
        (["seed"], -1, "`seed` should be a whole number from 0 to 2^64 - 1"),
        (["pools", 0, "cap"], "nan", 'should be a number, "inf" or "-inf", but is the string'),
        (["pools", 0, "preempt"], "Lif", "`pools[0].preempt` should be a preemption rule"),
        (["pools", 0], [], "`pools[0]` should be a pool, but is an empty array"),
        (["stages", 3, "kind"], {"Fifo": 1, "Ps": 2}, "should be a stage kind"),
        (["stages", 4, "kind"], {"Delay": None}, '`stages[4].kind` should be "Delay" alone'),
        (["stages", 3, "kind"], "Fifo", 'should be {"Fifo": …}, but is the string "Fifo"'),
        (["stages"], {}, "`stages` should be an array, but is an empty object"),
        (["blocks", 0, 0, "Set"], [1], "`blocks[0][0].Set` should be `[slot, value]`"),
        (["blocks", 0, 0, "Set", 1], {"Nim": 1}, "`blocks[0][0].Set[1]` should be an expression"),
        (["blocks", 0, 0, "Set", 1], {"Num": None}, "`blocks[0][0].Set[1].Num` should be a number"),
        (["blocks", 0, 0, "Set", 1], {"Ctx": "now"}, "should be a context variable"),
        (["blocks", 0, 0, "Set", 1], {"Unary": ["Neg"]}, "should be `[operator, operand]`"),
        (["blocks", 3, 4, "Drop"], {"base": 1}, "`blocks[3][4].Drop` lacks the member `count`"),
        (["arrival"], {"Sessions": [{"attrs": [[1]]}]}, "should be `[slot, value]`"),
    ],
)
def test_a_value_of_the_wrong_shape_is_named_with_its_path(
    path: list[str | int], value: Any, message: str
) -> None:
    text = changed(path, value)
    (found,) = found_in(text)
    assert found.code == "SQ503"
    assert message in found.message
    assert found.span is not None


def test_a_nearly_right_word_is_suggested() -> None:
    (found,) = found_in(changed(["blocks", 0, 0, "Set", 1], {"Ctx": "Ntok2"}))
    assert found.help == "did you mean `Ntok`?"


def test_every_mismatch_is_found_in_the_order_of_the_text() -> None:
    document = json.loads(changed(["horizon"], None))
    document["pools"][1]["cap"] = {}
    document["pools"][0]["name"] = 3
    del document["slot_new"]
    document["blocks"][3][2]["Run"]["work"] = {"Binary": ["Add", {"Num": "x"}, {"Attr": -1}]}
    found = found_in(json.dumps(document))
    assert [each.message.split("`")[1] for each in found] == [
        "the document",
        "pools[0].name",
        "pools[1].cap",
        "blocks[3][2].Run.work.Binary[1].Num",
        "blocks[3][2].Run.work.Binary[2].Attr",
        "horizon",
    ]


def test_a_file_of_another_kind_does_not_fill_the_screen() -> None:
    found = found_in(changed(["blocks"], [[3] * 1000]))
    assert len(found) == MOST_FINDINGS
    assert found[-1].help is not None


def deep_program(depth: int) -> ir.Program:
    value: ir.Expression = ir.Number(1.0)
    for _ in range(depth):
        value = ir.Call("max", (value, ir.Number(2.0)))
    return replace(EXAMPLE, blocks=((ir.Set(10, value),), *EXAMPLE.blocks[1:]))


def test_a_deep_expression_is_written_and_read_back() -> None:
    text = write_json(deep_program(800))
    assert write_json(decoded(text)) == text


def test_an_expression_ten_thousand_deep_is_read_back() -> None:
    # Pretty, such a document takes gigabytes: the indentation grows with the depth.
    deep = '{"Binary":["Add",' * 10_000 + '{"Num":1}' + ',{"Num":2}]}' * 10_000
    text = changed(["blocks", 0, 0, "Set", 1], "DEEP").replace('"DEEP"', deep)
    value = decoded(text).blocks[0][0]
    depth = 0
    assert isinstance(value, ir.Set)
    inner = value.value
    while isinstance(inner, ir.Binary):
        inner, depth = inner.left, depth + 1
    assert depth == 10_000
    (found,) = found_in(text.replace('"Num":1}', '"Num":"x"}'))
    assert found.code == "SQ503"


def test_absurd_nesting_is_refused_quickly() -> None:
    start = time.perf_counter()
    (found,) = found_in('{"version": 10, "blocks": ' + '{"Unary":["Neg",' * 1_000_000)
    assert found.code == "SQ112"
    assert time.perf_counter() - start < 5
