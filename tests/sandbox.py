"""Programs handled in a process of their own, with little memory and little time.

Whatever text comes in, what comes out is a refusal, an error of the run, or a report. The worker
says which; a traceback, engines that part, a hang and memory without end become answers too, so
that a test can name the input that caused them.
"""

from __future__ import annotations

import atexit
import multiprocessing
import sys
import traceback
from dataclasses import replace
from multiprocessing.connection import Connection

MEMORY = 512 * 2**20
"""Bytes of address space."""

PATIENCE = 5.0
"""Seconds an input may take."""

RUNNING = 0.3
"""Seconds a run may take before it is interrupted, as by Ctrl-C."""


def handle(text: str, form: str) -> str:
    """Format and compile `text` (a program or an IR), run it on every engine, report all of it."""
    import serq
    from serq.diagnostics import SerqError, Source
    from serq.diagnostics.render import github, json
    from serq.diagnostics.render import text as prose
    from serq.engines import available
    from serq.syntax.format import format_source

    def codes(error: SerqError) -> str:
        found = error.diagnostics
        assert found
        assert all(each.code.startswith("SQ") and each.code != "SQ901" for each in found), found
        for render in (prose.render, json.render, github.render):
            assert render(found)
        return " ".join(dict.fromkeys(each.code for each in found))

    try:
        if form == "ir":
            program = serq.Program.from_json(text)
        else:
            format_source(Source("<text>", text))
            program = serq.compile(source=text)
    except SerqError as error:
        return f"refused {codes(error)}"
    assert program.to_json()
    horizon = min(program.ir.horizon, program.ir.warmup + 20.0)
    program.ir = replace(program.ir, horizon=horizon)
    answers = {}
    for engine in available():
        try:
            report = serq.run(
                program,
                engine,
                progress=Impatience(),
                limit_events=20_000,
                limit_statements=20_000,
                limit_sessions=2_000,
            )
        except SerqError as error:
            answers[engine] = f"failed {codes(error)}", ""
            continue
        if report.partial:
            return "partial"
        assert report.text(steps=True)
        answers[engine] = "ran", report.json()
    assert len(set(answers.values())) == 1, answers
    return answers["python"][0]


class Impatience:
    """Interrupts a run that is still going after some time."""

    def __init__(self) -> None:
        import time

        self.clock = time.monotonic
        self.until = self.clock() + RUNNING

    def __call__(self, _progress: object) -> None:
        if self.clock() > self.until:
            raise KeyboardInterrupt


def _serve(connection: Connection) -> None:
    """Answer until the other end closes."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while True:
        try:
            text, form = connection.recv()
        except EOFError:
            return
        try:
            answer = handle(text, form)
        except BaseException:
            last = traceback.format_exc(limit=-6)
            answer = f"traceback {last}"
        connection.send(answer)


class Sandbox:
    """A worker that handles one input after another; one that does not answer is replaced."""

    def __init__(self) -> None:
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        atexit.register(self.close)

    def ask(self, text: str, form: str = "text", seconds: float = PATIENCE) -> str:
        """What became of `text`: `refused CODES`, `failed CODES`, `ran`, `partial`, or a defect
        that begins with `traceback`, `hung` or `died`.
        """
        if self._connection is None:
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            seconds += 30.0
        try:
            self._connection.send((text, form))
            if not self._connection.poll(seconds):
                self.close()
                return f"hung: no answer after {seconds:g} seconds"
            answer: str = self._connection.recv()
        except (EOFError, OSError):
            self.close()
            return "died: the process is gone"
        return answer

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None
