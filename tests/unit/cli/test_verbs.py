import json
import re
from pathlib import Path

import pytest
from tests.unit.api.programs import MM1, REPLAY, TRACE
from tests.unit.cli.command import Command

import serq as package
from serq.diagnostics import CATALOGUE


def test_version(serq: Command) -> None:
    outcome = serq("--version")
    assert outcome.status == 0
    lines = outcome.out.splitlines()
    assert lines[0] == f"serq {package.__version__}"
    assert re.fullmatch(r"engines: native \((present|absent)\), python \(present\)", lines[1])
    assert lines[2] == "formats: IR version 10, report version 1"
    assert len(lines) == 3 + lines[1].count("absent")


def test_samples_are_not_written_over_the_trace(serq: Command) -> None:
    program = (
        'workload { arrive batch (1); trace "t.csv"; } '
        "session { turn; observe t = new; observe u = out; end; } run { horizon 1; }"
    )
    serq.write("t.csv", "0,0,5,1,0\n")
    asked = serq("run", serq.write("p.sq", program), "--dump", "../" + serq.folder.name)
    assert (asked.status, asked.out) == (1, "")
    assert "error[SQ704]: the samples of `t` would be written over the trace `t.csv`" in asked.err
    assert (serq.folder / "t.csv").read_text() == "0,0,5,1,0\n"
    assert serq("run", "p.sq", "--dump", "samples").status == 0


def test_version_says_once_why_an_engine_is_absent(
    serq: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serq.native.MISSING", "it was installed without a compiler")
    outcome = serq("--version")
    assert "engines: native (absent), python (present)\n" in outcome.out
    assert outcome.out.endswith("\nengine native is absent: it was installed without a compiler\n")
    assert outcome.out.count("native") == 2


def test_run_prints_the_report_and_who_ran_it(serq: Command) -> None:
    outcome = serq("run", serq.write("p.sq", MM1), "--engine", "python")
    assert outcome.status == 0
    report = package.run(package.compile(source=MM1))
    assert outcome.out == report.text()
    assert re.fullmatch(
        rf"engine python, {report.events} events in [0-9.]+ s, [0-9]+ events/s\n", outcome.err
    )


def test_run_as_json_quietly_with_overrides(serq: Command) -> None:
    outcome = serq(
        "run", serq.write("p.sq", MM1), "--json", "--quiet", "--seed", "7", "--set", "lam=0.25",
        "--set", "lam=lam0", "--set=lam=1/4", "--def", "law=~det(m)", "--horizon", "100",
    )  # fmt: skip
    options: dict[str, float] = {"seed": 7, "horizon": 100}
    program = package.compile(source=MM1, sets={"lam": "1/4"}, defs={"law": "~det(m)"}, **options)  # type: ignore[arg-type]
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == package.run(program).json() + "\n"


def test_run_reads_standard_input_as_text_or_as_an_ir(serq: Command) -> None:
    text = serq("run", "-", "--quiet", stdin=MM1)
    document = serq("ir", "-", stdin=MM1).out
    assert document == package.compile(source=MM1).to_json() + "\n"
    assert serq("run", "-", "--quiet", stdin="\n" + document) == text
    assert text.status == 0
    assert serq("run", serq.write("p.json", document), "--quiet") == text


def test_run_with_steps(serq: Command) -> None:
    source = (
        "stage engine : step { budget 8; cost 1; }\nworkload { arrive batch(2); }\n"
        "session { prefill 10; decode 3; end; }\nrun { horizon 100; }\n"
    )
    file = serq.write("p.sq", source)
    assert "prefill only" not in serq("run", file).out
    assert "prefill only" in serq("run", file, "--steps").out


def test_run_writes_the_samples(serq: Command) -> None:
    file = serq.write("p.sq", MM1)
    outcome = serq("run", file, "--dump", "out/samples")
    assert outcome.status == 0
    lines = (serq.folder / "out" / "samples" / "sojourn.csv").read_text().splitlines()
    assert lines[0] == "time,session,turn,value"
    assert len(lines) > 50


def test_run_keeps_no_samples_when_told(serq: Command) -> None:
    file = serq.write("p.sq", MM1)
    kept, alone = serq("run", file, "--json").out, serq("run", file, "--no-samples", "--json").out
    assert '"samples":false' in alone
    assert '"samples"' not in kept
    assert alone.partition('"ci"')[0] == kept.partition('"ci"')[0]
    assert "samples: not kept" in serq("run", file, "--no-samples").out


def test_a_folder_that_can_not_be_written_fails_and_prints_no_report(serq: Command) -> None:
    outcome = serq("run", serq.write("p.sq", MM1), "--dump", "p.sq")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("error[SQ704]: the samples can not be written into `p.sq`")
    assert (serq.folder / "p.sq").read_text() == MM1


@pytest.mark.parametrize("folder", ["p.sq", "p.sq/samples"])
def test_such_a_folder_is_refused_before_the_run(
    serq: Command, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("the program was run")

    monkeypatch.setattr("serq.api.run.run", run)
    outcome = serq("run", serq.write("p.sq", MM1), "--dump", folder)
    assert outcome.status == 1
    assert "p.sq` is a file" in outcome.err.splitlines()[0]


def test_run_replays_a_trace_found_from_the_program(serq: Command) -> None:
    (serq.folder / "sub").mkdir()
    serq.write("sub/p.sq", REPLAY)
    serq.write("sub/t.csv", TRACE)
    serq.write("other.csv", "0,0,9,1,0\n")
    assert '"p99":7' in serq("run", "sub/p.sq", "--json").out
    assert '"p99":9' in serq("run", "sub/p.sq", "--json", "--trace", "other.csv").out
    failed = serq("run", "sub/p.sq", "--trace", "t.csv")
    assert (failed.status, failed.out) == (1, "")
    assert failed.err.startswith("error[SQ703]: the trace `t.csv` can not be read")


def test_an_error_of_the_run_is_shown_in_the_text(serq: Command) -> None:
    outcome = serq("run", serq.write("p.sq", MM1.replace("end;", "branch (t0 + 0.5) { end; }")))
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("error[SQ601]: ")
    assert "p.sq:10:" in outcome.err


def test_limits_are_passed_on(serq: Command) -> None:
    file = serq.write("p.sq", MM1.replace("end;", "loop { set t0 = now; }"))
    outcome = serq("run", file, "--limit-statements", "1000")
    assert outcome.status == 1
    assert outcome.err.startswith("error[SQ604]: ")
    assert "ran 1001 statements at the instant" in outcome.err


def test_check_counts_the_parts(serq: Command) -> None:
    outcome = serq("check", serq.write("p.sq", MM1))
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == "OK: 0 pool(s), 1 stage(s), 10 attribute(s), 3 block(s)\n"


def test_check_shows_everything_that_is_wrong(serq: Command) -> None:
    file = serq.write("p.sq", MM1.replace("run svc", "run svcc").replace("- t0", "- t1"))
    outcome = serq("check", file)
    assert (outcome.status, outcome.out) == (1, "")
    assert re.findall(r"error\[(\w+)\]", outcome.err) == ["SQ206", "SQ201"]
    assert "  |       ^^^^\n" in outcome.err
    as_json = [
        json.loads(line) for line in serq("check", file, "--error-format", "json").err.splitlines()
    ]
    assert [(each["code"], each["place"]["line"]) for each in as_json] == [
        ("SQ206", 7),
        ("SQ201", 8),
    ]
    github = serq("check", file, "--error-format=github").err.splitlines()
    assert [line.split(",")[:2] for line in github] == [
        ["::error file=p.sq", "line=7"],
        ["::error file=p.sq", "line=8"],
    ]


def test_many_findings_are_counted(serq: Command) -> None:
    lines = "".join(f"observe a{i} = nope{i};\n" for i in range(80))
    outcome = serq("check", serq.write("p.sq", MM1.replace("end;", lines + "end;")))
    assert outcome.err.count("error[SQ201]") == 50
    assert outcome.err.endswith("\nand 30 more\n")


@pytest.mark.parametrize("content", [b"let a = \xff;\n", b"\xef\xbb\xbflet a = 1;", b"\x00"])
def test_bytes_that_are_no_program_are_refused(serq: Command, content: bytes) -> None:
    (serq.folder / "p.sq").write_bytes(content)
    outcome = serq("check", "p.sq")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("error[SQ")
    assert "SQ9" not in outcome.err


def test_ir_puts_the_trace_inside(serq: Command) -> None:
    file = serq.write("p.sq", REPLAY)
    serq.write("t.csv", TRACE)
    document = serq("ir", file, "--inline-trace").out
    assert len(json.loads(document)["arrival"]["Sessions"]) == 3
    assert serq("run", "-", "--json", stdin=document).out == serq("run", file, "--json").out
    refused = serq("ir", serq.write("q.sq", MM1), "--inline-trace")
    assert (refused.status, refused.out) == (1, "")
    assert refused.err.startswith("error[SQ705]: ")


def test_an_ir_has_no_constants(serq: Command) -> None:
    document = serq("ir", "-", stdin=MM1).out
    outcome = serq("check", "-", "--set", "lam=1", stdin=document)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("error[SQ508]: `--set` changes the text of a program")


def test_explain_prints_the_page_or_the_codes(serq: Command) -> None:
    page = serq("explain", "sq301")
    assert page.status == 0
    assert page.out.startswith("# SQ301 read-at-wrong-moment\n")
    assert [line.split()[0] for line in serq("explain").out.splitlines()] == list(CATALOGUE)


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_is_explained(serq: Command, code: str) -> None:
    assert f"# {code}" in serq("explain", code).out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(serq: Command, shell: str) -> None:
    outcome = serq("completion", shell)
    assert outcome.status == 0
    assert "_SERQ_COMPLETE" in outcome.out


def test_words_of_an_option_are_completed(
    serq: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from serq.cli.main import command_status

    monkeypatch.setenv("_SERQ_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "serq run --engine n")
    monkeypatch.setenv("COMP_CWORD", "3")
    with pytest.raises(SystemExit):
        command_status([])
    assert capsys.readouterr().out == "plain,native\n"
    assert isinstance(serq.folder, Path)


def test_a_defect_is_said_and_not_traced(serq: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("serq.api.run.run", broken)
    outcome = serq("run", serq.write("p.sq", MM1))
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith(
        "error[SQ901]: serQ itself failed: ZeroDivisionError: division by zero at test_verbs.py:"
    )
    assert "Traceback" not in outcome.err


def test_too_little_memory_is_said(serq: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(*_arguments: object, **_options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("serq.api.run.run", hungry)
    outcome = serq("run", serq.write("p.sq", MM1))
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith("error[SQ610]: there is not enough memory")
