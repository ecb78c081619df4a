"""The schema of the IR is current, and says of a document what the codec says."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conformance.loader import load_suite
from tools.schema import FILE, text

import serq
from serq.diagnostics import SerqError
from serq.ir.program_json import PROGRAM
from serq.ir.shapes import MismatchError, Place

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
Route = tuple[str | int, ...]

OTHER_VALUES: tuple[Any, ...] = (None, True, "kv", -0.5, [], {"Num": 1.0})
"""What a value of a document is replaced by; each is of another kind."""


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json.loads(FILE.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_file_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run `python -m tools.schema`"


def test_every_program_that_is_accepted_is_valid(validator: Any, tmp_path: Path) -> None:
    cases = [case for case in load_suite(ROOT / "conformance") if not case.refusals]
    assert len(cases) > 400
    for number, case in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in case.files.items():
            (folder / name).write_text(content, encoding="utf-8")
        (folder / "program.sq").write_text(case.program, encoding="utf-8")
        document = json.loads(serq.compile(folder / "program.sq").to_json())
        assert validator.is_valid(document), case.name


def test_every_example_is_valid(validator: Any) -> None:
    for path in sorted((ROOT / "examples").rglob("*.sq")):
        try:
            program = serq.compile(path)
        except SerqError:
            continue  # a library has no session
        assert validator.is_valid(json.loads(program.to_json())), path


RICH = """
pool disk { cap 100; }
pool kv[2] { cap inf; block 16; evict by (size, -age); preempt lifo; queue by (waited);
             spill disk via link (size) when (size > 0); }
pool reqs { cap 4; admit via engine; }
stage link : ps (1);
stage other : ps (2);
stage tool : fifo (2);
stage engine : step { budget 64; cost 1 + attention; memory disk; serve exclusive prefill; }
stage wait : delay;
share maxmin;
workload { arrive renewal (~h2(1, 2)); init { set a = 1; } turn { set n = ~exp(4); } hidden n; }
session {
  turn;
  loop {
    hold kv[0] (a ? 2 : !a), reqs (1) reserve (3) reuse (2) {
      run engine prefill (n) growing kv[0];
      run link, other (3);
      grow kv[0] (1);
      load kv[0] (1);
      choose i in 2 by (used(kv[i]), queue(tool), min(1, 2));
      observe x = -a ^ 2;
    } cache (4) lease kv[0] (1)
    release kv[0];
    drop kv[1];
    branch with (0.5) { end; }
  }
}
gauge used_all = sum j in 2 (used(kv[j]));
run { horizon 10; arrivals 3; }
"""
"""A program with every kind of part."""


def routes(value: Any, at: Route = ()) -> Iterator[Route]:
    """The places of a document, the document itself left out."""
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for key, member in members:
        yield (*at, key)
        yield from routes(member, (*at, key))


def unlike(document: Any) -> list[Route]:
    """A place of each kind: those whose last two keys, indices aside, are seen first."""
    seen: dict[Route, Route] = {}
    for route in routes(document):
        kind = tuple(key if isinstance(key, str) else 0 for key in route[-2:])
        seen.setdefault(kind, route)
    return list(seen.values())


def changed(document: Any, route: Route) -> Iterator[Any]:
    """The document with the value at a place replaced, removed or renamed."""
    for value in OTHER_VALUES:
        other = copy.deepcopy(document)
        holder(other, route)[route[-1]] = value
        yield other
    other = copy.deepcopy(document)
    removed = holder(other, route).pop(route[-1])
    yield copy.deepcopy(other)
    if isinstance(route[-1], str):
        holder(other, route)[f"{route[-1]}s"] = removed
        yield other


def holder(document: Any, route: Route) -> Any:
    for key in route[:-1]:
        document = document[key]
    return document


def decodes(document: Any) -> bool:
    """Whether the codec reads it; the version is looked at before."""
    if document.get("version") != 10 or type(document["version"]) is not int:
        return False
    try:
        PROGRAM.decode(document, Place([]))
    except MismatchError:
        return False
    return True


def test_the_rich_program_has_every_kind_of_part() -> None:
    program = json.dumps(json.loads(serq.compile(source=RICH).to_json()))
    parts = ("Hold", "Run", "Grow", "Load", "Release", "Drop", "Choose", "Branch", "Loop", "Cond",
             "Unary", "Call", "Sample", "Renewal", "ExclusivePrefill", "Fifo", "Ps", "Delay",
             "spill", "gauges", "share", "arrivals", "lease", "inf")  # fmt: skip
    assert [part for part in parts if f'"{part}"' not in program] == []


def test_schema_and_codec_agree_on_every_document_next_to_a_right_one(validator: Any) -> None:
    document = json.loads(serq.compile(source=RICH).to_json())
    assert validator.is_valid(document)
    refused = total = 0
    for route in unlike(document):
        for other in changed(document, route):
            total += 1
            read = decodes(other)
            refused += not read
            assert validator.is_valid(other) == read, (route, holder(other, route))
    assert total > 900
    assert refused > total / 2
