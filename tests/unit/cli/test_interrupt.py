import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.unit.api.programs import MM1
from tests.unit.cli.command import Command

LONG = MM1.replace("horizon 200", "horizon 1e9")


@contextmanager
def ctrl_c_once_it_runs() -> Iterator[None]:
    """Press Ctrl-C as soon as a run has made itself interruptible."""

    def press() -> None:
        for _ in range(3000):
            time.sleep(0.01)
            if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
                time.sleep(0.1)
                os.kill(os.getpid(), signal.SIGINT)
                return

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    presser = threading.Thread(target=press)
    presser.start()
    try:
        yield
    finally:
        presser.join()
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_ctrl_c_prints_what_was_measured(serq: Command) -> None:
    file = serq.write("p.sq", LONG)
    with ctrl_c_once_it_runs():
        outcome = serq("run", file, "--engine", "python", "--dump", "samples")
    assert outcome.status == 130
    assert outcome.out.startswith("run: horizon 1000000000 end ")
    assert re.search(r"^partial: interrupted at [0-9.]+$", outcome.out, re.MULTILINE)
    assert outcome.err.endswith("interrupted: no samples were written into `samples`\n")
    assert not (serq.folder / "samples").exists()


def test_ctrl_c_outside_a_run_prints_nothing(
    serq: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("serq.api.read_text.read_stream", interrupted)
    outcome = serq("check", "-")
    assert (outcome.status, outcome.out) == (130, "")
    assert outcome.err.strip() == "interrupted"
