"""Each format of a request log, and what is wrong with logs that are none of it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.trace.importing import imported, refused

NS = 1_000_000_000

AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:50.9951690,396,109
2023-11-16 18:16:00.1234567,20,7
"""


def test_azure_2023_has_seven_decimals() -> None:
    rows, done = imported("azure", AZURE)
    assert rows == ["0,0,374,44,0,0,0", "1,0,396,109,0,0,4.314579", "2,0,20,7,0,0,13.4428667"]
    assert (done.requests, done.sessions) == (3, 3)


def test_azure_2024_has_a_time_zone() -> None:
    text = """TIMESTAMP,ContextTokens,GeneratedTokens
2024-05-10 00:00:00.009930+00:00,2162,5
2024-05-10 02:00:01+02:00,2399,6
2024-05-10T00:00:02Z,76,15
"""
    rows, _ = imported("azure", text)
    assert [row.rpartition(",")[2] for row in rows] == ["0", "0.99007", "1.99007"]


def test_columns_are_found_by_their_names() -> None:
    text = "Id,GeneratedTokens,TIMESTAMP,ContextTokens\r\n7,44,2023-11-16 18:15:46,374\r\n\r\n"
    assert imported("azure", text)[0] == ["0,0,374,44,0,0,0"]


def test_burstgpt_without_sessions_and_a_failed_request() -> None:
    text = """Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
5,ChatGPT,472,18,490,Conversation log
45,ChatGPT,1087,0,1087,Conversation log
118.25,GPT-4,417,276,693,API log
"""
    rows, done = imported("burstgpt", text)
    assert rows == ["0,0,472,18,0,0,0", "1,0,417,276,0,0,113.25"]
    assert done.failed == 1


def test_burstgpt_with_sessions_and_answer_times() -> None:
    text = """Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens
0,a,2,m,100,20
1,,3,m,7,7
10,a,1.5,m,150,10
11,b,1,m,40,5
11.2,a,1,m,170,10
30,a,1,m,90,10
"""
    rows, done = imported("burstgpt", text)
    # a: 150 - 120 new after 10 - 2 of thought; then 170 - 160 before the answer came; then a prompt
    # that does not contain the conversation any more
    assert rows == [
        "0,0,100,20,0,0,0",
        "0,1,30,10,8,0,0",
        "0,2,10,10,0,0,0",
        "1,0,7,7,0,0,1",
        "2,0,40,5,0,0,11",
        "3,0,90,10,0,0,30",
    ]
    assert (done.overlaps, done.restarts, done.sessions) == (1, 1, 4)
    assert len(imported("burstgpt", text, link=False)[0]) == 6


def vllm(**changed: Any) -> str:
    result = {
        "date": "20261001-120000",
        "duration": 9.0,
        "input_lens": [100, 200, 300],
        "output_lens": [2, 0, 3],
        "ttfts": [0.5, 0.0, 0.25],
        "itls": [[0.1], [], [0.1, 0.2]],
        "start_times": [1000.5, 1000.75, 1002.125],
        "errors": ["", "timeout", ""],
    }
    return json.dumps({name: each for name, each in {**result, **changed}.items() if each})


def test_vllm_bench_serve() -> None:
    rows, done = imported("vllm", vllm())
    assert rows == ["0,0,100,2,0,0,0", "1,0,300,3,0,0,1.625"]
    assert done.failed == 1


@pytest.mark.parametrize("name", ["output_lens", "start_times", "errors", "ttfts", "itls"])
def test_vllm_arrays_that_do_not_go_together(name: str) -> None:
    found = refused("vllm", vllm(**{name: [1]}))
    assert found.message == f"`{name}` has 1 elements, and `input_lens` has 3"


def test_vllm_runs_that_were_appended() -> None:
    text = vllm() + "\n" + vllm(input_lens=[1, 2, 3])
    assert imported("vllm", text, run=2)[0] == ["0,0,1,2,0,0,0", "1,0,3,3,0,0,1.625"]
    assert "the log has 2 runs" in refused("vllm", text).message
    assert "there is no run 3" in refused("vllm", text, run=3).message


GUIDELLM = {
    "metadata": {"version": 1},
    "benchmarks": [
        {
            "requests": {
                "successful": [
                    {
                        "request_id": "b",
                        "info": {"conversation_id": "c1", "turn_index": 1},
                        "prompt_tokens": 150,
                        "output_tokens": 30,
                        "request_start_time": 1760000010.0,
                        "request_end_time": 1760000012.0,
                    },
                    {
                        "request_id": "a",
                        "info": {"conversation_id": "c1", "turn_index": 0},
                        "prompt_tokens": 100,
                        "output_tokens": 20,
                        "request_start_time": 1760000000.25,
                        "request_end_time": 1760000003.5,
                    },
                ],
                "errored": [{"request_id": "x"}],
                "incomplete": [],
            }
        }
    ],
}


def test_guidellm_conversations_in_the_order_of_their_starts() -> None:
    rows, done = imported("guidellm", json.dumps(GUIDELLM))
    assert rows == ["0,0,100,20,0,0,0", "0,1,30,30,6.5,0,0"]
    assert done.failed == 1


def perf(start: float, **more: Any) -> dict[str, Any]:
    info = {
        "request_metrics": {"text": {"input_tokens": 11}},
        "response_metrics": {"output_tokens": 5},
    }
    return {"start_time": start, "end_time": start + 1, "info": info, "error": None, **more}


def test_inference_perf() -> None:
    computed = {"computed_metrics": {"input_tokens": 12, "output_tokens": 6}, "info": None}
    old = {"info": {"input_tokens": 13, "output_tokens": 7}}
    text = json.dumps([perf(7.5), perf(5.0, **computed), perf(6.0, error={}), perf(9.25, **old)])
    rows, done = imported("inference-perf", text)
    assert rows == ["0,0,12,6,0,0,0", "1,0,11,5,0,0,2.5", "2,0,13,7,0,0,4.25"]
    assert done.failed == 1


def aiperf(start: int, *, ttft: float | None = None, **more: Any) -> str:
    metadata = {"request_start_ns": start, "request_end_ns": start + 2 * NS, "session_num": 0}
    metrics = {
        "input_sequence_length": {"value": 100 + start // NS, "unit": "tokens"},
        "output_sequence_length": {"value": 20, "unit": "tokens"},
    }
    if ttft is not None:
        metrics["time_to_first_token"] = {"value": ttft, "unit": "ms"}
    record = {"metadata": {**metadata, **more}, "metrics": metrics, "error": more.get("error")}
    return json.dumps(record) + "\n"


def test_aiperf_conversations_in_the_order_of_their_starts() -> None:
    text = (
        aiperf(60 * NS, x_correlation_id="a")
        + aiperf(3 * NS, x_correlation_id="a")
        + aiperf(1, benchmark_phase="warmup")
        + aiperf(2, was_cancelled=True)
        + aiperf(3, error={"code": 500})
        + aiperf(4 * NS + 1, x_correlation_id="b")
    )
    rows, done = imported("aiperf", text)
    # the prompts of conversation a are 103 and 160, and 123 had been said
    assert rows == ["0,0,103,20,0,0,0", "0,1,37,20,55,0,0", "1,0,104,20,0,0,1.000000001"]
    assert done.failed == 3


def test_a_compressed_log_is_read_as_it_is() -> None:
    assert imported("azure", gzip.compress(AZURE.encode())) == imported("azure", AZURE)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert imported("azure", "\ufeff" + AZURE) == imported("azure", AZURE)


def test_a_window_of_a_log() -> None:
    rows, done = imported("azure", AZURE, start=4 * NS, end=5 * NS)
    assert rows == ["0,0,396,109,0,0,0.314579"]
    assert done.outside == 2
    assert len(imported("azure", AZURE, limit=2)[0]) == 2
    assert imported("azure", AZURE, start=4 * NS, limit=1)[0] == rows


HEAD = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
TIME = "2023-11-16 18:15:46"

REFUSED = [
    ("azure", "", None, "the log is empty"),
    ("azure", HEAD, None, "the log has no request"),
    ("azure", f"{HEAD}{TIME},1\n", (2, 1), "a row has 3 fields at least, this one has 2"),
    ("azure", f"{HEAD}{TIME};1;2\n", (2, 1), "a row has 3 fields at least"),
    ("azure", f"{HEAD}yesterday,1,2\n", (2, 1), "not `yesterday`"),
    ("azure", f"{HEAD}2023-13-16 18:15:46,1,2\n", (2, 1), "a time that exists"),
    ("azure", f"{HEAD}{TIME},1,2\n{TIME},-1,2\n", (3, 21), "whole and not negative, not `-1`"),
    ("azure", f"{HEAD}{TIME},1.5,2\n", (2, 21), "not `1.5`"),
    ("azure", f"{HEAD}{TIME},1,\n", (2, 23), "not nothing"),
    ("azure", f"{HEAD}{TIME},1,2\n2022{TIME[4:]},1,2\n", (3, 1), "earlier than the first"),
    ("azure", "TIMESTAMP;ContextTokens;GeneratedTokens\n", (1, 1), "is not in this one"),
    ("azure", "timestamp,ContextTokens,GeneratedTokens\n", (1, 1), "`TIMESTAMP` is not in this"),
    ("burstgpt", AZURE, (1, 1), "the header of a log of burstgpt"),
    ("burstgpt", "Timestamp,Request tokens,Response tokens\nsoon,1,2\n", (2, 1), "a time in s"),
    ("mooncake", AZURE, (1, 1), "this is no line of JSON"),
    ("mooncake", "[]\n", (1, 1), "a request is an object"),
    ("mooncake", '{"timestamp": 0, "input_length": 5}\n', (1, 1), "no `output_length`"),
    (
        "mooncake",
        '{"timestamp": 0, "input_length": "5", "output_length": 1}\n',
        (1, 18),
        "`input_length` is a number of tokens",
    ),
    (
        "mooncake",
        '{"timestamp": 0, "input_length": 5, "output_length": 1, "hash_ids": [0.5]}\n',
        (1, 57),
        "`hash_ids` is an array of whole numbers",
    ),
    ("vllm", "{", (1, 2), "this is no JSON"),
    ("vllm", "", None, "this is no JSON"),
    ("vllm", '{"input_lens": [1]}', None, "has no `output_lens`"),
    ("vllm", vllm(output_lens=[1, 2]), None, "`output_lens` has 2 elements"),
    ("vllm", vllm(start_times=[1, 2, None]), None, "`start_times[2]`"),
    ("guidellm", "[]", None, "has no `benchmarks`"),
    ("guidellm", '{"benchmarks": []}', None, "the log has 0 benchmarks"),
    ("guidellm", '{"benchmarks": [{"requests": {}}]}', None, "`benchmarks[0].requests` has no"),
    ("aiperf", AZURE, (1, 1), "this is no line of JSON"),
    ("aiperf", "\n{}\n", (2, 1), "the request has no `metadata`"),
    ("aiperf", aiperf(0).replace('"value": 20', '"value": null'), (1, 1), "has no `value`"),
    ("inference-perf", '{"load_summary": {}}', None, "is no array of requests"),
    ("inference-perf", "[{}]", None, "`[0]` has no `start_time`"),
    ("inference-perf", json.dumps([perf(1, info=None)]), None, "text.input_tokens`"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "place", "part"), REFUSED)
def test_what_is_wrong_with_a_log(
    name: str, text: str, place: tuple[int, int] | None, part: str
) -> None:
    found = refused(name, text)
    assert found.code == "SQ713"
    assert found.file == "log"
    assert part in found.message
    if place is not None:
        assert found.span is not None
        assert found.span.source.position(found.span.start) == place


HINTS = [
    (
        "azure",
        "TIMESTAMP;ContextTokens;GeneratedTokens\n",
        "separated by commas, not by semicolons",
    ),
    ("azure", HEAD.replace(",", "\t"), "not by tabs"),
    ("azure", "TIMESTAMPS,ContextTokens,GeneratedTokens\n", "is `TIMESTAMPS` meant?"),
    ("azure", '{"timestamp": 0, "input_length": 5, "output_length": 1}\n', "a log of mooncake"),
    ("mooncake", AZURE, "a log of azure"),
    ("mooncake", "session,turn,new,out,think\n", "a trace already"),
    ("azure", "# Made by `serq trace import azure`.\nsession,turn\n", "a trace already"),
    ("burstgpt", AZURE, "a log of azure"),
    ("vllm", AZURE, "a log of azure"),
    ("aiperf", AZURE, "a log of azure"),
    ("mooncake", aiperf(0), "a log of aiperf"),
    ("vllm", '{"duration": 1}', "--save-detailed"),
    ("guidellm", "{}", "benchmarks.json"),
    ("inference-perf", "{}", "per_request_lifecycle_metrics.json"),
]


@pytest.mark.parametrize(("name", "text", "part"), HINTS)
def test_the_way_out(name: str, text: str, part: str) -> None:
    assert part in str(refused(name, text).help)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (HEAD.encode() + b"\xff,1,2\n", "line 2 is not UTF-8 at byte 1"),
        (gzip.compress(AZURE.encode())[:-12], "the compressed data are broken or cut off"),
        (b"x" * (17 * 1024 * 1024), "line 1 has more than"),
    ],
)
def test_a_log_that_can_not_be_read(data: bytes, reason: str) -> None:
    found = refused("azure", data)
    assert found.code == "SQ703"
    assert reason in found.message


def test_a_window_without_a_request() -> None:
    found = refused("azure", AZURE, start=500 * NS)
    assert "none of the log's requests was sent in the window; 3 were outside" in found.message
