"""Whatever a log holds, an import ends with a trace or with a diagnostic."""

from __future__ import annotations

import gzip
import io
import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from serq.diagnostics import SerqError
from serq.diagnostics.render.text import render
from serq.trace.convert import FORMATS, Selection, convert
from serq.trace.logs.log import open_log
from serq.trace.read import read_trace
from tests.trace.test_formats import AZURE, GUIDELLM, aiperf, perf, vllm

QUICK = settings(max_examples=150, derandomize=True, deadline=None, database=None)

LOGS = {
    "azure": AZURE,
    "burstgpt": "Timestamp,Session ID,Elapsed time,Request tokens,Response tokens\n0,a,2,9,9\n",
    "mooncake": '{"timestamp": 0, "input_length": 9, "output_length": 1, "hash_ids": [0]}\n' * 2,
    "vllm": vllm(),
    "guidellm": json.dumps(GUIDELLM),
    "inference-perf": json.dumps([perf(1.5), perf(2.5)]),
    "aiperf": aiperf(1) + aiperf(2),
}
WEIRD = ["1e999999999", "-1", "NaN", "Infinity", "1e-999999999", "null", "true", '"x"', "[]", "{}",
         "9" * 5000, "[" * 3000, "0.5", "1e18", ",", "\n", '"', "\u0661", ""]  # fmt: skip


def ends(name: str, data: bytes) -> None:
    """The import of these bytes ends as it may."""
    try:
        with open_log(io.BytesIO(data), "log") as log:
            convert(log, name, io.StringIO(), Selection())
    except SerqError as error:
        check(error, {"SQ703", "SQ713"})


def check(error: SerqError, codes: set[str]) -> None:
    """All findings have one of these codes, and can be shown."""
    assert {each.code for each in error.diagnostics} <= codes
    assert render(error.diagnostics)


def test_every_format_is_looked_at() -> None:
    assert set(LOGS) == set(FORMATS)


@pytest.mark.parametrize("name", LOGS)
@QUICK
@given(data=st.data())
def test_a_log_with_something_else_in_it(name: str, data: st.DataObject) -> None:
    text = LOGS[name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    put = data.draw(st.sampled_from(WEIRD) | st.text(max_size=5))
    ends(name, (text[:start] + put + text[end:]).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("weird", WEIRD)
def test_every_number_replaced(name: str, weird: str) -> None:
    for found in re.finditer(r"(?<![\w\"])\d[\d.]*", LOGS[name]):
        ends(name, (LOGS[name][: found.start()] + weird + LOGS[name][found.end() :]).encode())


@pytest.mark.parametrize("name", LOGS)
@QUICK
@given(data=st.binary(max_size=60))
@example(data=b"\x1f\x8b\x08")
@example(data=gzip.compress(b"x")[:-3] + b"\0\0\0")
@example(data=b"\xef\xbb\xbf")
@example(data=b"[" * 100_000)
def test_bytes_of_any_kind(name: str, data: bytes) -> None:
    ends(name, data)


@QUICK
@given(lines=st.lists(st.sampled_from(["0,0,1,1,0,0,", "0,0,1,1,0"]), max_size=4), end=st.text())
def test_a_trace_of_any_kind(lines: list[str], end: str, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(("\n".join(lines) + end).encode("utf-8", "surrogatepass"))
    for timed in (False, True):
        try:
            assert read_trace(path, timed=timed)
        except SerqError as error:
            check(error, {"SQ701", "SQ702", "SQ703", "SQ711"})
