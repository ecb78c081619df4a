"""aiperf's `profile_export.jsonl`: JSON lines, a request a line in the order of their ends.

`metadata` has `request_start_ns` and `request_end_ns` (nanoseconds), the `x_correlation_id` that
turns of one conversation share, `benchmark_phase` and `was_cancelled`; `metrics` has the tokens in
`input_sequence_length.value` and `output_sequence_length.value`, and of a streamed answer
`time_to_first_token.value` (milliseconds, `aiperf/metrics/types/ttft_metric.py:18-22`); `error` is
null where all went well (aiperf 0.13.0, `aiperf/common/models/record_models.py:158-267` and
`aiperf/common/models/record_models.py:1714-1742`). Requests that failed, were cancelled or belong
to the warm-up are passed over. Depends on the document.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq.trace.logs import guess
from serq.trace.logs.document import Part, decode
from serq.trace.logs.log import Log
from serq.trace.logs.request import Request


def read(log: Log) -> Iterator[Request]:
    """The requests that were answered, in the order of their starts."""
    log.linked = log.answered = True
    found: list[Request] = []
    for line in log.lines():
        try:
            record = Part(log, decode(line), "")
        except ValueError as error:
            reason = getattr(error, "msg", str(error)).lower()
            help = guess.hint(line, "aiperf")
            raise log.refuse(f"this is no line of JSON: {reason}", help) from None
        request = _request(record)
        if request is None:
            log.passed_over += 1
        else:
            found.append(request)
    yield from sorted(found, key=lambda request: request.sent)


def _request(record: Part) -> Request | None:
    """The request of a line; None for one that is passed over."""
    metadata = record.member("metadata")
    phase, cancelled = metadata.maybe("benchmark_phase"), metadata.maybe("was_cancelled")
    if record.maybe("error") is not None or (cancelled is not None and cancelled.value):
        return None
    if phase is not None and phase.value == "warmup":
        return None
    metrics = record.member("metrics")
    conversation = metadata.maybe("x_correlation_id")
    ttft = metrics.maybe("time_to_first_token")
    sent = metadata.member("request_start_ns").whole_nanoseconds()
    return Request(
        sent,
        metrics.member("input_sequence_length").member("value").tokens(),
        metrics.member("output_sequence_length").member("value").tokens(),
        metadata.member("request_end_ns").whole_nanoseconds(),
        None if conversation is None else str(conversation.value),
        first=None if ttft is None else sent + ttft.member("value").milliseconds(),
    )
