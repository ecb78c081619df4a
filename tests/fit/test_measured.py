"""Benchmarks' results, in the forms they have."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from serq.diagnostics import SerqError
from serq.fit.measured import read_measured
from tests.fit.measured_runs import RUNS
from tests.trace.test_formats import GUIDELLM, NS, aiperf, perf

PLAIN = "sent,prompt,output,ttft,e2e\n10.5,100,3,0.2,0.6\n10,50,1,0.1,0.1\n11,70,4,,\n"


def write(tmp_path: Path, text: str, name: str = "run.csv") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_rows_are_sorted_and_start_at_0(tmp_path: Path) -> None:
    run = read_measured(write(tmp_path, PLAIN))
    assert [request.sent for request in run.requests] == [0.0, 0.5]
    assert run.left_out == 1  # the one without an answer
    assert run.requests[1].tpot == pytest.approx(0.2)
    assert run.requests[0].tpot != run.requests[0].tpot


def test_json_lines_say_the_same(tmp_path: Path) -> None:
    rows = [
        {"sent": 10.5, "prompt": 100, "output": 3, "ttft": 0.2, "e2e": 0.6},
        {"sent": 10, "prompt": 50, "output": 1, "ttft": 0.1, "e2e": 0.1},
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    found = read_measured(write(tmp_path, text, "run.jsonl"))
    assert found.requests == read_measured(write(tmp_path, PLAIN)).requests


def bench(**changes: object) -> dict[str, object]:
    return {
        "start_times": [100.0, 101.0, 102.0],
        "input_lens": [10, 20, 30],
        "output_lens": [3, 1, 0],
        "ttfts": [0.1, 0.2, 0.0],
        "itls": [[0.01, 0.02], [], []],
        "errors": ["", "", "timeout"],
    } | changes


def test_a_result_of_vllm_bench_serve_is_read(tmp_path: Path) -> None:
    run = read_measured(write(tmp_path, json.dumps(bench()), "run.json"))
    assert [tuple(request) for request in run.requests] == [
        pytest.approx((0.0, 10, 3, 0.1, 0.13)),
        pytest.approx((1.0, 20, 1, 0.2, 0.2)),
    ]
    assert run.left_out == 1


def test_time_stamps_of_two_clocks_are_brought_together() -> None:
    """The engine's clock is 27 thousand seconds behind; a request is queued after it is sent."""
    for measured in RUNS:
        run = read_measured(measured.file)
        assert len(run) == 300
        assert all(0 < request.ttft < request.e2e < 200 for request in run.requests)
        assert 29 < run.requests[-1].sent < 30


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "run.csv", "has no row"),
        ("sent,prompt,output,ttft\n1,2,3,4\n", "run.csv", "no column `e2e`"),
        (PLAIN + "12,1,x,1,1\n", "run.csv", "line 5 has `x` for `output`"),
        (PLAIN + "x" * 200_000 + "\n", "run.csv", "line 5 is no CSV"),
        (PLAIN + "12,1,2,2,1\n", "run.csv", "line 5 has its last token"),
        (PLAIN + "12,0,2,1,2\n", "run.csv", "line 5 has `0` for `prompt`"),
        (json.dumps(bench(errors=["a"] * 3)), "run.json", "no request that was answered"),
    ],
)
def test_what_is_wrong_is_said(text: str, name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SerqError, match=message) as refused:
        read_measured(write(tmp_path, text, name))
    assert {found.code for found in refused.value.diagnostics} == {"SQ720"}


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("{", "run.json", "is no JSON"),
        ("[]", "run.json", "has no request that was answered"),
        ("{}", "run.json", "has no `input_lens`"),
        (json.dumps(bench(itls=None)), "run.json", "has no request that was answered"),
        (json.dumps(bench(ttfts=None)), "run.json", "does not tell when the first token"),
        (json.dumps(bench(ttfts=[1.0])), "run.json", "`ttfts` has 1 elements"),
        (json.dumps(bench(ttfts=["a", 1, 1])), "run.json", r"`ttfts\[0\]` should be a time"),
        (2 * (json.dumps(bench()) + "\n"), "run.json", "keep one of them in the file"),
        ("TIMESTAMP,ContextTokens,GeneratedTokens\n", "run.csv", "of azure, which does not tell"),
        (json.dumps([perf(1.5)]), "run.json", "`api.streaming: true`"),
        (json.dumps(GUIDELLM), "run.json", "does not tell when the first token"),
        (aiperf(0), "run.jsonl", "`--streaming`"),
    ],
)
def test_what_is_wrong_with_a_report_is_said(
    text: str, name: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(SerqError, match=message) as refused:
        read_measured(write(tmp_path, text, name))
    (found,) = refused.value.diagnostics
    assert found.code in ("SQ713", "SQ720")
    assert "--run" not in str(found.help)


def streamed(requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Requests of guidellm's report with the milliseconds until their first token."""
    return [{**each, "time_to_first_token_ms": 125.5} for each in requests]


def guidellm() -> str:
    report = json.loads(json.dumps(GUIDELLM))
    requests = report["benchmarks"][0]["requests"]
    requests["successful"] = streamed(requests["successful"])
    return json.dumps(report)


def inference_perf() -> str:
    times = {"output_tokens": 5, "output_token_times": [8.0, 8.25]}
    info = {"request_metrics": {"text": {"input_tokens": 11}}, "response_metrics": times}
    computed = {"input_tokens": 12, "output_tokens": 6, "time_to_first_token": 0.5}
    old = {"input_tokens": 13, "output_tokens": 7, "output_token_times": [9.5]}
    entries = [
        perf(7.5, info=info),
        perf(5.0, info=None, computed_metrics=computed),
        perf(9.25, info=old),
        perf(6.0, error={}),
        perf(6.5),
    ]
    return json.dumps(entries)


REPORTS = {
    "guidellm": (
        guidellm(),
        [(0, 100, 20, 0.1255, 3.25), (9.75, 150, 30, 0.1255, 2.0)],
        1,
    ),
    "inference-perf": (
        inference_perf(),
        [(0, 12, 6, 0.5, 1.0), (2.5, 11, 5, 0.5, 1.0), (4.25, 13, 7, 0.25, 1.0)],
        2,
    ),
    "aiperf": (
        aiperf(NS, ttft=250.0) + aiperf(0, ttft=62.5) + aiperf(0, error="timeout"),
        [(0, 100, 20, 0.0625, 2.0), (1.0, 101, 20, 0.25, 2.0)],
        1,
    ),
}


@pytest.mark.parametrize("format", REPORTS)
@pytest.mark.parametrize("name", ["run.json", "run", "run.json.gz"])
def test_reports_of_other_benchmarks_are_read(format: str, name: str, tmp_path: Path) -> None:
    text, wanted, left_out = REPORTS[format]
    packed = gzip.compress(text.encode()) if name.endswith("gz") else text.encode()
    (tmp_path / name).write_bytes(packed)
    run = read_measured(str(tmp_path / name))
    assert [tuple(request) for request in run.requests] == wanted
    assert run.left_out == left_out


def test_a_file_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    for name in ("no.csv", "no.json"):
        with pytest.raises(SerqError) as refused:
            read_measured(str(tmp_path / name))
        assert refused.value.diagnostics[0].code == "SQ703"


def test_a_document_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serq.trace.logs.log.MOST_BYTES", 100)
    path = tmp_path / "run.json"
    path.write_text(" " * 101)
    with pytest.raises(SerqError, match="has more than 100 bytes"):
        read_measured(str(path))
