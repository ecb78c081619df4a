"""The report of a guidellm benchmark: one JSON document, `benchmarks.json`.

A benchmark's `requests.successful` has for each request `request_start_time` and
`request_end_time` (seconds), `prompt_tokens` and `output_tokens`, where answers were streamed
`time_to_first_token_ms`, and in `info` the `conversation_id` that turns of one conversation share
(guidellm 0.8.1, `guidellm/schemas/base/request_stats.py` and `guidellm/schemas/base/info.py`).
Errored and incomplete requests are passed over. Depends on the document.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq.trace.logs.document import Part, parse
from serq.trace.logs.log import Log
from serq.trace.logs.request import Request
from serq.trace.logs.several import chosen


def read(log: Log, number: int | None = None) -> Iterator[Request]:
    """The successful requests of a benchmark in the order of their starts."""
    report = parse(log, "guidellm")
    if not isinstance(report.value, dict) or "benchmarks" not in report.value:
        help = "guidellm's report in JSON is the file `benchmarks.json`"
        raise report.refuse("has no `benchmarks`", help)
    benchmark = chosen(log, report.member("benchmarks").items(), number, "benchmarks")
    requests = benchmark.member("requests")
    for status in ("errored", "incomplete"):
        failed = requests.maybe(status)
        log.passed_over += 0 if failed is None else len(failed.items())
    log.answered = True
    log.linked = True
    found = [_request(each) for each in requests.member("successful").items()]
    yield from sorted(found, key=lambda request: request.sent)


def _request(part: Part) -> Request:
    info = part.maybe("info")
    conversation = None if info is None else info.maybe("conversation_id")
    end, ttft = part.maybe("request_end_time"), part.maybe("time_to_first_token_ms")
    sent = part.member("request_start_time").nanoseconds()
    return Request(
        sent,
        part.member("prompt_tokens").tokens(),
        part.member("output_tokens").tokens(),
        None if end is None else end.nanoseconds(),
        None if conversation is None else str(conversation.value),
        first=None if ttft is None else sent + ttft.milliseconds(),
    )
