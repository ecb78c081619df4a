"""From a request log to a trace: the window, the sessions, the lines of the CSV.

A log whose requests are sessions of their own is converted line by line, whatever its size; one
that has turns is held as numbers, some forty bytes a request, until it is over. Depends on
`serq.trace.logs` and `serq.trace.sessions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain
from typing import Final, TextIO

from serq.diagnostics import SerqError
from serq.trace.columns import COLUMNS
from serq.trace.logs.log import Log
from serq.trace.logs.request import Request, seconds
from serq.trace.sessions import Reuse, Row, Sessions

FORMATS: Final = {
    "azure": "Azure LLM inference trace 2023 or 2024 (CSV)",
    "burstgpt": "BurstGPT (CSV)",
    "mooncake": "Mooncake (JSON lines)",
    "vllm": "vllm bench serve --save-result --save-detailed (JSON)",
    "guidellm": "guidellm's benchmarks.json",
    "inference-perf": "inference-perf's per_request_lifecycle_metrics.json",
    "aiperf": "aiperf's profile_export.jsonl",
}
"""The formats by name, and what they are."""

WITH_RUNS: Final = ("vllm", "guidellm")
"""The formats whose logs may hold several runs."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which requests of a log are taken: those sent from `start` on and before `end`, in
    nanoseconds from the log's first request, the first `limit` of them; of run `run`, where there
    are several. Without `link` every request is a session of its own.
    """

    start: int = 0
    end: int | None = None
    limit: int | None = None
    run: int | None = None
    link: bool = True


@dataclass(slots=True)
class Converted:
    """What a conversion has done so far, in requests: those taken, those outside the window, those
    that failed; turns sent before the answer to the one before, prompts that start over.
    """

    requests: int = 0
    sessions: int = 0
    outside: int = 0
    failed: int = 0
    overlaps: int = 0
    restarts: int = 0
    reuse: Reuse = field(default_factory=Reuse)


def convert(
    log: Log,
    name: str,
    target: TextIO,
    selection: Selection,
    *,
    notes: Sequence[str] = (),
    tell: Callable[[Converted], None] = lambda _: None,
) -> Converted:
    """Write the trace of a log in format `name`. Raises `SerqError` (SQ703, SQ713).

    `notes` are written as comments; `tell` is called for every thousandth request.
    """
    done = Converted()
    requests = _Taken(log, requests_of(log, name, selection.run), selection, done, tell)
    first = next(requests, None)
    if first is None:
        raise _nothing(log, done)
    linked = log.linked and selection.link
    for note in (f"Made by `serq trace import {name}`.", *notes):
        target.write(f"# {note}\n")
    if linked:
        since = "the answer to" if log.answered else "the sending of"
        target.write(f"# think: from {since} the turn before to the sending of this one.\n")
    target.write(",".join(COLUMNS) + "\n")
    rows = _turns(chain([first], requests), done) if linked else _sessions(chain([first], requests))
    for row in rows:
        arrival = seconds(row.arrival - requests.origin)
        think = seconds(row.think) if row.think else "0"
        target.write(f"{row.session},{row.turn},{row.new},{row.out},{think},0,{arrival}\n")
    done.sessions = done.sessions if linked else done.requests
    done.failed = log.passed_over
    return done


def requests_of(log: Log, name: str, run: int | None = None) -> Iterator[Request]:
    """The requests of a log in format `name`, read by the module of that name; of run `run`,
    where there are several. Raises `SerqError` (SQ703, SQ713).
    """
    read = import_module(f"serq.trace.logs.{name.replace('-', '_')}").read
    found: Iterator[Request] = read(log, run) if name in WITH_RUNS else read(log)
    return found


class _Taken:
    """The requests of a log that are selected; `origin` is the time the trace begins at."""

    def __init__(
        self,
        log: Log,
        requests: Iterator[Request],
        selection: Selection,
        done: Converted,
        tell: Callable[[Converted], None],
    ) -> None:
        self.log = log
        self.requests = requests
        self.selection = selection
        self.done = done
        self.tell = tell
        self.begun = False
        self.beginning = 0
        self.before = 0

    @property
    def origin(self) -> int:
        """The time that is 0 in the trace."""
        return self.beginning + self.selection.start

    def __iter__(self) -> _Taken:
        return self

    def __next__(self) -> Request:
        """The next request that is taken."""
        selection, done = self.selection, self.done
        if selection.limit is not None and done.requests >= selection.limit:
            raise StopIteration
        for request in self.requests:
            self.look(request)
            since = request.sent - self.beginning
            if since < selection.start or (selection.end is not None and since >= selection.end):
                done.outside += 1
                continue
            done.requests += 1
            if done.requests % 1000 == 0:
                self.tell(done)
            return request
        raise StopIteration

    def look(self, request: Request) -> None:
        """A log begins with its first request, and turns come in the order of their times."""
        if not self.begun:
            self.begun, self.beginning, self.before = True, request.sent, request.sent
        ordered = self.log.linked and self.selection.link
        if request.sent < (self.before if ordered else self.beginning):
            which = "the one before" if ordered else "the first of the log"
            help = "sort the log by the times of its requests"
            raise self.log.refuse(f"the request is earlier than {which}", help)
        self.before = request.sent


def _sessions(requests: Iterable[Request]) -> Iterator[Row]:
    """Every request as a session of its own."""
    for number, request in enumerate(requests):
        yield Row(number, 0, request.prompt, request.answer, 0, request.sent)


def _turns(requests: Iterable[Request], done: Converted) -> Iterator[Row]:
    """The requests as turns of sessions, when all of them have been read."""
    sessions = Sessions()
    for request in requests:
        sessions.add(request)
    done.sessions = len(sessions.arrivals)
    done.overlaps, done.restarts = sessions.overlaps, sessions.restarts
    done.reuse = sessions.reuse
    yield from sessions.rows()


def _nothing(log: Log, done: Converted) -> SerqError:
    if done.outside:
        return log.refuse_document(
            f"none of the log's requests was sent in the window; {done.outside} were outside",
            "`--from` and `--to` are seconds from the log's first request",
        )
    failed = f" but {log.passed_over} that failed" if log.passed_over else ""
    return log.refuse_document(f"the log has no request{failed}")
