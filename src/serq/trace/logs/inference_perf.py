"""inference-perf's `per_request_lifecycle_metrics.json`: one JSON array, a request an element.

`start_time` and `end_time` are seconds of the client's clock; the tokens are in
`info.request_metrics.text.input_tokens` and `info.response_metrics.output_tokens` (inference-perf
0.7.0, `inference_perf/reportgen/base.py:867-912`), or in `computed_metrics` under the same names;
earlier versions have `info.input_tokens` and `info.output_tokens`. Of a streamed answer the first
token came at `output_token_times[0]` of `info.response_metrics`, `time_to_first_token` seconds
after the start in `computed_metrics` (`inference_perf/reportgen/base.py:649-651`). A request with
an `error` failed and is passed over. There are no sessions. Depends on the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from serq.trace.logs.document import Part, parse
from serq.trace.logs.log import Log
from serq.trace.logs.request import Request

_PROMPT: Final = (
    ("info", "request_metrics", "text", "input_tokens"),
    ("computed_metrics", "input_tokens"),
    ("info", "input_tokens"),
)
_ANSWER: Final = (
    ("info", "response_metrics", "output_tokens"),
    ("computed_metrics", "output_tokens"),
    ("info", "output_tokens"),
)

_TIMES: Final = (
    ("info", "response_metrics", "output_token_times"),
    ("info", "output_token_times"),
)


def read(log: Log) -> Iterator[Request]:
    """The requests that were answered, in the order of their starts."""
    report = parse(log, "inference-perf")
    if not isinstance(report.value, list):
        help = (
            "single requests are in `per_request_lifecycle_metrics.json`, which "
            "`report.request_lifecycle.per_request: true` writes"
        )
        raise report.refuse("is no array of requests", help)
    log.answered = True
    found: list[Request] = []
    for each in report.items():
        if each.maybe("error") is not None:
            log.passed_over += 1
            continue
        sent = each.member("start_time").nanoseconds()
        found.append(
            Request(
                sent,
                _tokens(each, _PROMPT),
                _tokens(each, _ANSWER),
                each.member("end_time").nanoseconds(),
                first=_first_token(each, sent),
            )
        )
    yield from sorted(found, key=lambda request: request.sent)


def _first_token(request: Part, sent: int) -> int | None:
    """When the first token came; None where it is not told."""
    ttft = _at(request, ("computed_metrics", "time_to_first_token"))
    if ttft is not None:
        return sent + ttft.nanoseconds()
    for path in _TIMES:
        times = _at(request, path)
        if times is not None and times.items():
            return times.items()[0].nanoseconds()
    return None


def _at(request: Part, path: tuple[str, ...]) -> Part | None:
    """A member of a member, when it is there."""
    found: Part | None = request
    for name in path:
        found = None if found is None else found.maybe(name)
    return found


def _tokens(request: Part, paths: tuple[tuple[str, ...], ...]) -> int:
    """The first of some members that is there."""
    for path in paths:
        found = _at(request, path)
        if found is not None:
            return found.tokens()
    help = "the report needs its `info`: `report.request_lifecycle.per_request_fields.info: true`"
    raise request.refuse(f"has no `{'.'.join(paths[0])}`", help)
