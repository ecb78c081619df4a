"""inference-perf's `per_request_lifecycle_metrics.json`: one JSON array, a request an element.

`start_time` and `end_time` are seconds of the client's clock; the tokens are in
`info.request_metrics.text.input_tokens` and `info.response_metrics.output_tokens` (inference-perf
0.7.0, `inference_perf/reportgen/base.py:867-912`), or in `computed_metrics` under the same names;
earlier versions have `info.input_tokens` and `info.output_tokens`. A request with an `error`
failed and is passed over. There are no sessions. Depends on the document.
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
        found.append(
            Request(
                each.member("start_time").nanoseconds(),
                _first(each, _PROMPT).tokens(),
                _first(each, _ANSWER).tokens(),
                each.member("end_time").nanoseconds(),
            )
        )
    yield from sorted(found, key=lambda request: request.sent)


def _first(request: Part, paths: tuple[tuple[str, ...], ...]) -> Part:
    """The first of some members that is there."""
    for path in paths:
        found: Part | None = request
        for name in path:
            found = None if found is None else found.maybe(name)
        if found is not None:
            return found
    help = "the report needs its `info`: `report.request_lifecycle.per_request_fields.info: true`"
    raise request.refuse(f"has no `{'.'.join(paths[0])}`", help)
