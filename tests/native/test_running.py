"""A run can be stopped and watched, gives the interpreter's lock away, and repeats itself."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import serq
from serq.engines.native import NativeEngine
from serq.report.options import Progress, RunOptions
from tests.native.both import bits

LONG = """stage s : fifo; workload { arrive poisson(0.8); }
session { set t = now; run s (~exp(1)); observe sojourn = now - t; }
run { horizon 1e9; warmup 10; seed 4; }"""

SHORT = LONG.replace("1e9", "2000")


def run(source: str, **options: object) -> serq.Report:
    return serq.run(serq.compile(source=source), engine="native", **options)  # type: ignore[arg-type]


def test_ctrl_c_ends_the_run_with_what_was_measured() -> None:
    sent = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    program = serq.compile(source=LONG)
    serq.run(serq.compile(source=SHORT), engine="native")  # everything is loaded
    timer = threading.Timer(0.3, interrupt)
    timer.start()
    report = serq.run(program, engine="native")
    ended = time.monotonic()
    timer.join()
    assert ended - sent[0] < 0.2 + 0.3  # the machine may be busy; measured alone it is 0.05
    assert report.partial
    assert report.events > 0
    sojourn = report.observe("sojourn")
    assert sojourn is not None
    assert sojourn.count > 0


def test_progress_is_told_and_may_end_the_run() -> None:
    seen: list[Progress] = []

    def progress(where: Progress) -> None:
        seen.append(where)
        if len(seen) == 3:
            raise KeyboardInterrupt

    report = run(LONG, progress=progress)
    assert report.partial
    assert len(seen) == 3
    assert 0.0 < seen[0].now < seen[1].now < seen[2].now
    assert 0 < seen[0].events < seen[2].events
    assert report.events >= seen[2].events


def test_a_run_in_which_all_engines_sleep_may_end() -> None:
    source = """stage engine[2] : step { budget 8; cost 0.01; }
    workload { arrive batch(2); }
    session { run engine[serial] decode (1e12 + serial); }
    run { horizon 1e12; seed 1; }"""
    asked = []

    def progress(where: Progress) -> None:
        asked.append(where)
        raise KeyboardInterrupt

    report = run(source, progress=progress)
    assert report.partial
    assert len(asked) == 1
    iterations = [stage.iterations for stage in report.stages]
    assert min(iterations) > 1000
    assert max(iterations) - min(iterations) <= 1
    assert report.events == sum(iterations) - 2


def test_another_exception_of_progress_is_the_caller_s() -> None:
    def progress(where: Progress) -> None:
        raise ZeroDivisionError(where.live)

    with pytest.raises(ZeroDivisionError):
        run(LONG, progress=progress)


def test_other_threads_run_meanwhile() -> None:
    """The timer's thread needs the interpreter's lock to end the run."""
    over = threading.Event()

    def progress(_where: Progress) -> None:
        if over.is_set():
            raise KeyboardInterrupt

    timer = threading.Timer(0.2, over.set)
    timer.start()
    assert run(LONG, progress=progress).partial
    timer.join()


def test_runs_in_threads_are_those_in_a_row() -> None:
    programs = [serq.compile(source=SHORT, seed=seed) for seed in range(4)]
    engine = NativeEngine()
    alone = [bits(engine.run(program.ir, RunOptions())) for program in programs]
    together: list[object] = [None] * len(programs)

    def work(at: int) -> None:
        together[at] = bits(engine.run(programs[at].ir, RunOptions()))

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(programs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone
    assert alone[0] != alone[1]


def test_a_trace_that_was_not_given_is_an_error() -> None:
    program = serq.compile(
        source="""stage s : delay; workload { arrive batch(1); trace "t.csv"; }
session { turn; run s (1); }
run { horizon 5; seed 1; }"""
    )
    with pytest.raises(serq.SerqError) as caught:
        NativeEngine().run(program.ir, RunOptions(spans=program.spans))
    assert caught.value.diagnostics[0].code == "SQ702"


def test_sessions_that_end_at_one_instant_take_no_memory() -> None:
    """A closed workload whose sessions end at once: two million of them, never two at a time."""
    code = """
import resource, serq
program = serq.compile(source="workload { arrive closed(2); } session { end; } run { horizon 5; }")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    serq.run(program, "native", limit_events=2_000_000)
except serq.SerqError as error:
    print(error.diagnostics[0].code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    pytest.importorskip("resource")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    refused, kilobytes = done.stdout.split()
    assert refused == "SQ604"
    assert int(kilobytes) < 20_000


def test_without_samples_memory_does_not_grow_with_the_run() -> None:
    code = """
import resource, sys, serq
def run(horizon):
    program = serq.compile(source=sys.argv[1].replace("1e9", horizon))
    return serq.run(program, "native", samples=False).events
run("1000")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
events = run("1e6")
print(events, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    pytest.importorskip("resource")
    command = [sys.executable, "-c", code, LONG]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    events, kilobytes = map(int, done.stdout.split())
    assert events > 1_500_000
    assert kilobytes < 5_000  # the samples would be 26 MB
