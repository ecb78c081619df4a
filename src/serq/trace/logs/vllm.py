"""`vllm bench serve --save-result --save-detailed`: one JSON object a run.

The arrays `input_lens`, `output_lens` (tokens), `start_times` (seconds of the client's clock),
`ttfts` and `itls` (seconds; a list a request) have an element for each request; a request with a
text in `errors`, or without a token answered, failed and is passed over. The last token came at
start + ttft + the sum of the itls (vLLM 0.32.0, `vllm/benchmarks/serve.py:1290-1298` and
`vllm/benchmarks/serve.py:2313-2314`). A file to which runs were appended (`--append-result`) has
an object a line. There are no sessions. Depends on the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from serq.trace.logs.document import Part, parse_lines
from serq.trace.logs.log import Log
from serq.trace.logs.request import Request
from serq.trace.logs.several import chosen

ARRAYS: Final = ("input_lens", "output_lens", "start_times")


def read(log: Log, number: int | None = None) -> Iterator[Request]:
    """The requests that were answered, of run `number` when there are several."""
    run = chosen(log, parse_lines(log, "vllm"), number, "runs")
    for name in ARRAYS:
        if run.maybe(name) is None:
            help = "run `vllm bench serve` with `--save-result --save-detailed`"
            raise run.refuse(f"has no `{name}`, so it does not tell of single requests", help)
    prompts, answers, starts = (run.member(name).items() for name in ARRAYS)
    errors, ttfts, itls = (_optional(run, name) for name in ("errors", "ttfts", "itls"))
    lists = {"output_lens": answers, "start_times": starts, "errors": errors}
    for name, found in {**lists, "ttfts": ttfts, "itls": itls}.items():
        if found is not None and len(found) != len(prompts):
            what = f"has {len(found)} elements, and `input_lens` has {len(prompts)}"
            raise run.member(name).refuse(what)
    log.answered = ttfts is not None and itls is not None
    for at, (prompt, answer, start) in enumerate(zip(prompts, answers, starts, strict=True)):
        if (errors is not None and errors[at].value) or answer.tokens() == 0:
            log.passed_over += 1
            continue
        sent = start.nanoseconds()
        first = None if ttfts is None else sent + ttfts[at].nanoseconds()
        answered = None
        if first is not None and itls is not None:
            answered = first + sum(gap.nanoseconds() for gap in itls[at].items())
        yield Request(sent, prompt.tokens(), answer.tokens(), answered, first=first)


def _optional(run: Part, name: str) -> list[Part] | None:
    found = run.maybe(name)
    return None if found is None else list(found.items())
