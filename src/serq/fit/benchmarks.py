"""Requests of a benchmark's own report, as the trace readers understand it.

A fit needs what a trace does not: when the first token of every request came. Depends on the
request logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from serq.diagnostics import SerqError
from serq.fit.findings import bad_file
from serq.trace.convert import requests_of
from serq.trace.logs.guess import looks_like
from serq.trace.logs.log import Log, open_log
from serq.trace.logs.request import NANOSECONDS, Request

STREAMED: Final = {
    "vllm": "run `vllm bench serve` with `--save-result --save-detailed`",
    "guidellm": "let guidellm stream the answers",
    "inference-perf": "set `api.streaming: true`, and `report.request_lifecycle.per_request: true`",
    "aiperf": "run aiperf with `--streaming`",
}
"""The formats that may say when the first token of a request came, and what makes them say it."""

_HEAD: Final = 65_536


class Told(NamedTuple):
    """A request as a report tells it: `sent` in seconds from the first one told, tokens, and the
    seconds from then until its first and its last token.
    """

    sent: float
    prompt: float
    output: float
    ttft: float
    e2e: float


def format_of(name: str) -> str | None:
    """The format of a report by its first characters; None for a table, or JSON lines of another
    kind. Raises `SerqError` (SQ703).
    """
    with open_log(name) as log:
        head = log.head(_HEAD).lstrip()
    if head.startswith("["):
        return "inference-perf"
    return looks_like(head) or ("vllm" if name.endswith(".json") else None)


def read_report(name: str, format: str) -> tuple[list[Told], int]:
    """The requests that were answered with a token, and how many were left out.

    Raises `SerqError`: SQ713 and SQ703 as the reader of a log does, SQ720 when the report does
    not say when first tokens came.
    """
    if format not in STREAMED:
        *others, last = (f"`{each}`" for each in STREAMED)
        help = f"reports of {', '.join(others)} and {last} do; so does a table, docs/fit.md"
        raise bad_file(name, f"is a log of {format}, which does not tell when tokens came", help)
    with open_log(name) as log:
        requests = list(_requests(log, format))
    if requests and all(request.first is None for request in requests):
        reason = "does not tell when the first token of a request came"
        raise bad_file(name, reason, STREAMED[format])
    origin = min((request.sent for request in requests), default=0)
    told = [found for each in requests if (found := _told(each, origin)) is not None]
    return told, log.passed_over + len(requests) - len(told)


def _requests(log: Log, format: str) -> Iterator[Request]:
    """The requests of the only run there is in the report."""
    try:
        yield from requests_of(log, format)
    except SerqError as error:
        several = "--run" in str(error)
        help = "keep one of them in the file"
        found = [replace(each, help=help) if several else each for each in error.diagnostics]
        raise SerqError(found) from None


def _told(request: Request, origin: int) -> Told | None:
    """The times of a request; None without an answer, or where they are not told."""
    sent, first, last = request.sent, request.first, request.answered
    if first is None or last is None or not sent < first <= last or request.answer < 1:
        return None
    since, ttft, e2e = (time / NANOSECONDS for time in (sent - origin, first - sent, last - sent))
    return Told(since, float(request.prompt), float(request.answer), ttft, e2e)
