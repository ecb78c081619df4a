"""A benchmark's result: what every request asked for, and when its tokens came.

Read from a CSV or JSON lines with the columns `sent`, `prompt`, `output`, `ttft`, `e2e`; from the
JSON that `vllm bench serve --save-result --save-detailed` writes; and from request logs with
vLLM's own time stamps (`arrival_time`, `input_toks`, `output_toks`, `queued_ts`,
`first_token_ts`, `last_token_ts`). A request that failed, or was answered with nothing, is left
out and counted. Depends on rows, and on the limit of a request log.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from serq.fit.findings import bad_file
from serq.fit.rows import Findings, Row, read_rows, require, unreadable
from serq.trace.logs.log import MOST_BYTES

COLUMNS: Final = ("sent", "prompt", "output", "ttft", "e2e")
_STAMPS: Final = ("arrival_time", "input_toks", "output_toks", "first_token_ts", "last_token_ts")
_ARRAYS: Final = ("start_times", "input_lens", "output_lens", "ttfts", "itls")


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
    """The requests of a benchmark's result. Raises `SerqError` (SQ720, SQ703)."""
    document = _document(name)
    if document is not None:
        requests, left_out = _bench_serve(name, document)
    else:
        requests, left_out = _from_rows(name, list(read_rows(name)))
    if not requests:
        raise bad_file(name, "has no request that was answered")
    requests.sort(key=lambda request: request.sent)
    first = requests[0].sent
    shifted = tuple(request._replace(sent=request.sent - first) for request in requests)
    return MeasuredRun(name, shifted, left_out)


def _document(name: str) -> Mapping[str, Any] | None:
    """The file as one JSON object, when it is one that holds arrays."""
    if not name.endswith(".json"):
        return None
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(name, error) from None
    if len(data) > MOST_BYTES:
        raise bad_file(name, f"has more than {MOST_BYTES} bytes")
    try:
        value = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise bad_file(name, f"is not UTF-8 at byte {error.start + 1}") from None
    except (ValueError, RecursionError) as error:
        raise bad_file(name, f"is no JSON: {str(error)[:80]}") from None
    if not isinstance(value, dict):
        raise bad_file(name, "is JSON, but no object")
    return value


def _bench_serve(name: str, result: Mapping[str, Any]) -> tuple[list[MeasuredRequest], int]:
    """The arrays of a `vllm bench serve` result."""
    missing = [array for array in _ARRAYS if not isinstance(result.get(array), list)]
    if missing:
        help = "run `vllm bench serve` with `--save-result --save-detailed`"
        listed = ", ".join(f"`{array}`" for array in missing)
        raise bad_file(name, f"has no array {listed}", help)
    columns = [result[array] for array in _ARRAYS]
    if len({len(column) for column in columns}) != 1:
        sizes = ", ".join(f"`{a}` {len(result[a])}" for a in _ARRAYS)
        raise bad_file(name, f"has arrays of different lengths: {sizes}")
    errors = result.get("errors") or [""] * len(columns[0])
    requests: list[MeasuredRequest] = []
    for at, (sent, prompt, output, ttft, itls) in enumerate(zip(*columns, strict=True)):
        if at < len(errors) and errors[at]:
            continue
        try:
            e2e = float(ttft) + math.fsum(float(gap) for gap in itls)
            request = MeasuredRequest(float(sent), float(prompt), float(output), float(ttft), e2e)
        except (TypeError, ValueError):
            raise bad_file(name, f"has something else than numbers for request {at}") from None
        if not all(math.isfinite(value) for value in request):
            raise bad_file(name, f"has a number that is not finite for request {at}")
        if request.output >= 1.0 and request.ttft > 0.0:
            requests.append(request)
    return requests, len(columns[0]) - len(requests)


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
