"""`serq trace import` and `serq trace info` as a user meets them."""

from __future__ import annotations

import gzip
import io
import json
import os
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import serq
from serq.trace.convert import Converted, Selection, convert
from serq.trace.logs.log import Log, open_log
from tests.trace.test_formats import AZURE, vllm
from tests.unit.cli.command import Command

EXAMPLES = Path(__file__).parents[2] / "examples" / "replay"


def test_a_log_becomes_a_trace_that_a_program_replays(command: Command) -> None:
    command.write("log.csv", AZURE)
    done = command("trace", "import", "azure", "log.csv", "trace.csv", "--note", "Licence: ours")
    assert (done.status, done.out) == (0, "")
    assert done.err == "3 requests of azure in 3 sessions\n"
    assert (command.folder / "trace.csv").read_text() == (
        "# Made by `serq trace import azure`.\n# Licence: ours\n"
        "session,turn,new,out,think,forced,arrival\n"
        "0,0,374,44,0,0,0\n1,0,396,109,0,0,4.314579\n2,0,20,7,0,0,13.4428667\n"
    )
    program = (
        'workload { arrive trace; trace "trace.csv"; } session { turn; observe at = now; end; }'
    )
    command.write("p.sq", program + " run { horizon 99; }")
    report = json.loads(command("run", "p.sq", "--json", "--quiet").out)
    assert report["observes"]["at"]["count"] == 3


def test_streams_and_compression(command: Command) -> None:
    data = gzip.compress(AZURE.encode())
    done = command("trace", "import", "azure", "-", "-", "--limit", "1", "--quiet", stdin=data)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "0,0,374,44,0,0,0"


def test_a_window_in_seconds(command: Command) -> None:
    command.write("log.csv", AZURE)
    done = command("trace", "import", "azure", "log.csv", "-", "--from", "4.25", "--to", "13.5")
    assert done.out.splitlines()[-2:] == ["0,0,396,109,0,0,0.064579", "1,0,20,7,0,0,9.1928667"]
    assert "1 requests outside the window were left out" in done.err


def test_one_of_several_runs(command: Command) -> None:
    command.write("result.json", vllm() + "\n" + vllm())
    assert "--run N" in command("trace", "import", "vllm", "result.json", "t.csv").err
    assert command("trace", "import", "vllm", "result.json", "t.csv", "--run", "2").status == 0


def test_a_log_that_is_refused_leaves_nothing(command: Command) -> None:
    command.write("log.csv", AZURE + "2023-11-16 18:16:01,x,7\n")
    command.write("trace.csv", "as it was\n")
    done = command("trace", "import", "azure", "log.csv", "trace.csv")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error[SQ713]: line 5: column 2 (`ContextTokens`)")
    assert (command.folder / "trace.csv").read_text() == "as it was\n"
    assert sorted(path.name for path in command.folder.iterdir()) == ["log.csv", "trace.csv"]
    assert command("trace", "import", "azure", "log.csv", "-").out == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to_and_never_replaced(command: Command) -> None:
    command.write("log.csv", AZURE)
    pipe = command.folder / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert command("trace", "import", "azure", "log.csv", "pipe", "--limit", "1").status == 0
    reader.join(30)
    assert pipe.is_fifo()
    assert read[0].endswith("0,0,374,44,0,0,0\n")


def test_a_link_stays_a_link(command: Command) -> None:
    command.write("log.csv", AZURE)
    command.write("there.csv", "as it was\n")
    link = command.folder / "link.csv"
    link.symlink_to("there.csv")
    assert command("trace", "import", "azure", "log.csv", "link.csv", "--quiet").status == 0
    assert link.is_symlink()
    assert (command.folder / "there.csv").read_text().startswith("# Made by")


def test_an_interrupted_import_leaves_nothing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_log: Log) -> Iterator[str]:
        yield AZURE.splitlines()[0]
        yield AZURE.splitlines()[1]
        raise KeyboardInterrupt

    monkeypatch.setattr(Log, "lines", interrupted)
    command.write("log.csv", AZURE)
    done = command("trace", "import", "azure", "log.csv", "trace.csv")
    assert (done.status, done.out, done.err.strip()) == (130, "", "interrupted")
    assert sorted(path.name for path in command.folder.iterdir()) == ["log.csv"]


def test_files_that_can_not_be_read_or_written(command: Command) -> None:
    assert "SQ703" in command("trace", "import", "azure", "none.csv", "trace.csv").err
    command.write("log.csv", AZURE)
    assert "SQ704" in command("trace", "import", "azure", "log.csv", "no/trace.csv").err
    assert "SQ704" in command("trace", "import", "azure", "log.csv", ".").err
    assert "SQ703" in command("trace", "info", "none.csv").err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("imprt",), "did you mean `import`?"),
        (("import", "azure", "a.csv"), "needs OUT"),
        (("import", "azur", "a", "b"), "did you mean `azure`?"),
        (("import", "csv", "a", "b"), "the formats are `azure`"),
        (("import", "azure", "a", "a"), "`a` is read and would be written over"),
        (("import", "azure", "a", "./b/../a"), "is read and would be written over"),
        (("import", "azure", "a", "b", "--run", "1"), "`--run` is for `vllm` and `guidellm`"),
        (("import", "azure", "a", "b", "--from", "9", "--to", "9"), "`--from 9` is not before"),
        (("import", "azure", "a", "b", "--to", "0"), "`--to` must be a finite number above 0"),
        (("import", "azure", "a", "b", "--note", "x\ny"), "a `--note` is one line"),
        (("info", "a", "--plot", "a.jpg"), "a file that ends in one of"),
        (("info",), "needs FILE"),
    ],
)
def test_wrong_arguments(command: Command, arguments: tuple[str, ...], part: str) -> None:
    done = command("trace", *arguments)
    assert (done.status, done.out) == (2, "")
    assert part in done.err
    assert "usage: serq trace" in done.err


def test_help_and_its_formats(command: Command) -> None:
    assert "import" in command("trace", "--help").out
    assert "inference-perf" in command("trace", "import", "--help").out
    assert "trace" in command("--help").out


@pytest.mark.parametrize("name", ["azure", "burstgpt", "mooncake"])
def test_a_log_of_single_requests_needs_no_memory(name: str) -> None:
    lines = {
        "azure": (AZURE.splitlines()[0], "2023-11-16 18:15:46.6805900,374,44"),
        "burstgpt": ("Timestamp,Request tokens,Response tokens", "5,374,44"),
        "mooncake": ("", '{"timestamp": 0, "input_length": 5, "output_length": 1}'),
    }
    header, line = lines[name]

    class Lines(io.RawIOBase):
        """A log of a million bytes that is never whole in memory."""

        left = 20_000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            text = header if self.left == 20_000 else line
            self.left -= 1
            raw = f"{text}\n".encode() if self.left >= 0 else b""
            buffer[: len(raw)] = raw  # type: ignore[index]
            return len(raw)

    class Nowhere(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    stream = io.BufferedReader(Lines(), 512)
    tracemalloc.start()
    try:
        with open_log(stream, "log") as log:
            done = convert(log, name, Nowhere(), Selection(link=False))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert done.requests == 19_999
    assert peak < 300_000


def test_progress_is_told_now_and_then() -> None:
    text = AZURE.splitlines()[0] + "\n" + "2023-11-16 18:15:46.6805900,374,44\n" * 2500
    told: list[int] = []

    def tell(done: Converted) -> None:
        told.append(done.requests)

    with open_log(io.BytesIO(text.encode()), "log") as log:
        convert(log, "azure", io.StringIO(), Selection(), tell=tell)
    assert told == [1000, 2000]


TRACE = """session,turn,new,out,think,forced,arrival
0,0,100,20,0,0,0
0,1,30,10,4,0,
0,2,40,10,6,1,
1,0,50,5,0,0,1
2,0,60,5,0,0,3
"""


def test_what_a_trace_holds(command: Command) -> None:
    command.write("t.csv", TRACE)
    info = json.loads(command("trace", "info", "t.csv", "--json").out)
    assert (info["sessions"], info["turns"], info["forced_turns"]) == (3, 5, 1)
    # gaps of 1 and 2: mean 1.5, variance 0.5
    assert info["arrivals"] == {
        "first": 0.0, "last": 3.0, "rate": 2 / 3, "cv2": 0.5 / 2.25, "busiest": None,
    }  # fmt: skip
    # prompts 100, 150 (120 of it said before), 200 (160, but forced to miss), 50, 60
    assert info["prompt"]["mean"] == 112.0
    assert (info["prompt"]["p50"], info["prompt"]["max"]) == (100.0, 200.0)
    assert info["think"] == {
        "count": 2, "mean": 5.0, "cv2": 0.08, "min": 4.0, "p5": 4.0, "p50": 4.0, "p90": 6.0,
        "p95": 6.0, "p99": 6.0, "max": 6.0,
    }  # fmt: skip
    assert (info["prompt_tokens"], info["repeated_tokens"]) == (560.0, 120.0)
    assert info["reuse"] == 120 / 560


def test_what_a_trace_holds_in_words(command: Command) -> None:
    command.write("t.csv", TRACE)
    out = command("trace", "info", "t.csv").out.splitlines()
    assert out[0] == "3 sessions, 5 turns, 1 forced to miss"
    assert out[1] == ("arrivals: 0 to 3 s, 0.6667 sessions/s, cv2 of the gaps 0.222")
    assert out[-1] == "prefixes: 21.4 % of 560 prompt tokens repeat their session's context"
    assert [line.split("  ")[0] for line in out[5:10]] == [
        "turns a session", "prompt (tokens)", "", "output (tokens)", "think (s)",
    ]  # fmt: skip


def test_the_busiest_minute() -> None:
    from serq.trace import TimedSession, TraceTurn
    from serq.trace.info import describe

    # four within the minute from 30 on (that of 90 is not), three within any other
    times = [0, 30, 50, 60, 89, 90, 200]
    info = describe([TimedSession([TraceTurn(1, 1, 0)], time) for time in times])
    assert info.arrivals is not None
    assert info.arrivals.busiest == 4 / 60


def test_a_trace_of_lengths_has_no_arrivals(command: Command) -> None:
    command.write("t.csv", "0,0,1,1,0\n1,0,nan,1,0\n")
    assert "not every session says when it arrives" in command("trace", "info", "t.csv").out
    info = json.loads(command("trace", "info", "t.csv", "--json").out)
    assert (info["arrivals"], info["new"]["mean"], info["new"]["p50"]) == (None, None, None)


@pytest.mark.parametrize("text", [TRACE, "0,0,1,1,0\n", "0,0,nan,1,0,0,5\n", "0,0,0,0,0,0,0\n" * 2])
def test_a_figure_is_the_same_bytes(command: Command, text: str) -> None:
    command.write("t.csv", text)
    for name in ("a.svg", "b.svg"):
        assert command("trace", "info", "t.csv", "--plot", name).status == 0
    drawn = [(command.folder / name).read_bytes() for name in ("a.svg", "b.svg")]
    assert drawn[0] == drawn[1]
    assert b"sessions/s" in drawn[0]


def test_without_matplotlib_there_is_no_figure(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    command.write("t.csv", TRACE)
    done = command("trace", "info", "t.csv", "--plot", "a.svg")
    assert (done.status, done.out) == (1, "")
    assert "SQ509" in done.err
    assert 'pip install "serq[plot]"' in done.err


def test_info_reads_standard_input(command: Command) -> None:
    command.write("t.csv", TRACE)
    piped = command("trace", "info", "-", stdin=TRACE)
    assert piped == command("trace", "info", "t.csv")
    assert piped.status == 0
    assert " --> <stdin>:1:1" in command("trace", "info", "-", stdin="1,2\n").err


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_document_without_end_is_refused(
    command: Command, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr("serq.trace.logs.log.MOST_BYTES", 100)
    (command.folder / "run.json").write_bytes(pack(b" " * 101))
    done = command("trace", "import", "vllm", "run.json", "t.csv")
    assert (done.status, done.out) == (1, "")
    assert "SQ703" in done.err
    assert "it has more than 100 bytes" in done.err


def test_check_reads_the_trace(command: Command) -> None:
    command.write("p.sq", 'workload { arrive batch (1); trace "t.csv"; } run { horizon 1; }')
    assert "SQ703" in command("check", "p.sq").err
    command.write("t.csv", "0,0,many,1,0\n")
    assert "SQ701" in command("check", "p.sq").err
    command.write("other.csv", TRACE)
    program = 'workload { arrive trace; trace "t.csv"; } session { turn; } run { horizon 1; }'
    command.write("q.sq", program)
    assert command("check", "q.sq", "--trace", "other.csv").status == 0


def test_a_trace_that_is_not_read_is_refused(command: Command) -> None:
    command.write("t.csv", TRACE)
    command.write("p.sq", "workload { arrive batch (1); } run { horizon 1; }")
    done = command("run", "p.sq", "--trace", "t.csv")
    assert (done.status, done.out) == (1, "")
    assert "SQ712" in done.err
    assert "arrive trace;" in done.err


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("0;0;100;10;2.5", "separated by commas, not by semicolons"),
        ("0;0;100;10;2,5", "numbers have a point"),
        ("0\t0\t100\t10\t2.5", "separated by commas, not by tabs"),
        ("id,turn,input,output,think", "a header is a line that starts with `session`"),
        ('"0",0,100,10,2.5', "numbers stand without quotes"),
        ("0,0,100, 10,2.5", "leave out the blanks"),
        ("TIMESTAMP,ContextTokens,GeneratedTokens", "serq trace import azure"),
        ("Timestamp,Model,Request tokens,Response tokens,x", "serq trace import burstgpt"),
        ('{"timestamp": 0, "input_length": 5, "output_length": 1}', "serq trace import mooncake"),
        ("{}", "this is JSON"),
        ("0,0,100", "the columns are `session,turn,new,out,think`"),
    ],
)
def test_the_way_out_of_a_line_that_is_no_turn(command: Command, line: str, part: str) -> None:
    command.write("t.csv", line + "\n")
    done = command("trace", "info", "t.csv")
    assert done.status == 1
    assert part in done.err


@pytest.mark.parametrize("name", ["azure_conv", "mooncake_conv"])
def test_the_shipped_traces_are_replayed_at_their_own_times(name: str) -> None:
    trace = serq.read_trace(EXAMPLES / f"{name.replace('azure', 'azure2023')}.csv", timed=True)
    arrivals = sorted(session.arrival for session in trace)  # type: ignore[attr-defined]
    program = serq.compile(EXAMPLES / f"{name}.sq", arrivals=100)
    report = serq.run(program)
    assert report.arrivals == 100
    assert len(report.observes["ttft"].samples) >= 100
    assert report.end > arrivals[99]
