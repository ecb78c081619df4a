"""A benchmark's result: what every request asked for, and when its tokens came.

Read from a CSV or JSON lines with the columns `sent`, `prompt`, `output`, `ttft`, `e2e`; from the
reports of vllm bench serve, guidellm, inference-perf and aiperf; and from request logs with vLLM's
own time stamps (`arrival_time`, `input_toks`, `output_toks`, `queued_ts`, `first_token_ts`,
`last_token_ts`). A request that failed, or was answered with nothing, is left out and counted.
Depends on rows and on the reports.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from serq.fit.benchmarks import format_of, read_report
from serq.fit.findings import bad_file
from serq.fit.rows import Findings, Row, read_rows, require

COLUMNS: Final = ("sent", "prompt", "output", "ttft", "e2e")
_STAMPS: Final = ("arrival_time", "input_toks", "output_toks", "first_token_ts", "last_token_ts")


class MeasuredRequest(NamedTuple):
    """One request: when it was `sent` (seconds from the first one), its `prompt` and `output`
    in tokens, the time to its first token and to its last one (`e2e`), in seconds.
    """

    sent: float
    prompt: float
    output: float
    ttft: float
    e2e: float

    @property
    def tpot(self) -> float:
        """Seconds a token after the first; NaN for an answer of one token."""
        return (self.e2e - self.ttft) / (self.output - 1.0) if self.output > 1.0 else math.nan


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """The requests of a run in the order they were sent, and how many were left out."""

    name: str
    requests: tuple[MeasuredRequest, ...]
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.requests)


def read_measured(name: str) -> MeasuredRun:
    """The requests of a benchmark's result. Raises `SerqError` (SQ720, SQ713, SQ703)."""
    format = format_of(name)
    if format is not None:
        told, left_out = read_report(name, format)
        requests = [MeasuredRequest(*each) for each in told]
    else:
        requests, left_out = _from_rows(name, list(read_rows(name)))
    if not requests:
        raise bad_file(name, "has no request that was answered")
    requests.sort(key=lambda request: request.sent)
    first = requests[0].sent
    shifted = tuple(request._replace(sent=request.sent - first) for request in requests)
    return MeasuredRun(name, shifted, left_out)


def _from_rows(name: str, rows: Sequence[Row]) -> tuple[list[MeasuredRequest], int]:
    if not rows:
        raise bad_file(name, "has no row")
    if all(column in rows[0].fields for column in _STAMPS):
        return _from_stamps(name, rows)
    require(name, rows[0], COLUMNS, "a measured run")
    findings = Findings(name)
    requests: list[MeasuredRequest] = []
    left_out = 0
    for row in rows:
        if not row.fields.get("ttft") and not row.fields.get("e2e"):
            left_out += 1
            continue
        request = MeasuredRequest(
            findings.number(row, "sent", least=-math.inf),
            findings.number(row, "prompt", least=1.0),
            findings.number(row, "output", least=1.0),
            findings.number(row, "ttft"),
            findings.number(row, "e2e"),
        )
        if request.e2e < request.ttft:
            findings.add(row, "has its last token (`e2e`) before its first one (`ttft`)")
        requests.append(request)
    findings.finish()
    return requests, left_out


def _from_stamps(name: str, rows: Sequence[Row]) -> tuple[list[MeasuredRequest], int]:
    """Rows of vLLM's time stamps. `arrival_time` is on another clock than the engine's: the
    smallest difference to `queued_ts` is taken for the difference of the clocks.
    """
    require(name, rows[0], (*_STAMPS, "queued_ts"), "a measured run with time stamps")
    findings = Findings(name)
    stamps = [
        [findings.number(row, column, least=-math.inf) for column in (*_STAMPS, "queued_ts")]
        for row in rows
    ]
    findings.finish()
    clocks = min(row[-1] - row[0] for row in stamps)
    requests = []
    for row, (arrival, prompt, output, first, last, _) in zip(rows, stamps, strict=True):
        sent = arrival + clocks
        if not sent < first <= last or prompt < 1.0 or output < 1.0:
            findings.add(row, "has a token before its request, or no token")
        requests.append(MeasuredRequest(sent, prompt, output, first - sent, last - sent))
    findings.finish()
    return requests, 0
