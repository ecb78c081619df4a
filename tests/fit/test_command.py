"""`serq fit` and `serq calibrate` as commands: what they print, write and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import serq
from serq.cli.main import command_status

STEPS = "decoders,kv_decode,prefilled,attention,seconds\n" + "".join(
    f"{n % 9},{(n % 7) * 900},{(n % 5) * 100},{(n % 5) ** 2 * 5000},"
    f"{0.01 + 1e-4 * (n % 9) + 1e-7 * (n % 7) * 900 + 5e-5 * (n % 5) * 100}\n"
    for n in range(120)
)
CONFIG = json.dumps(
    {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "intermediate_size": 14336,
        "vocab_size": 128256,
    }
)
TRACE = "session,turn,new,out,think,arrival\n0,0,300,20,0,0\n0,1,50,10,2,0\n1,0,700,5,0,1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("steps.csv", STEPS), ("config.json", CONFIG), ("trace.csv", TRACE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = command_status(arguments)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_three_commands_give_a_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(
        capsys, "fit", "--from-config", "config.json", "--gpu", "h100", "--write", "my.sq",
        "--vllm-args", "vllm serve org/model --max-num-seqs 8",
    )  # fmt: skip
    assert status == 0
    assert "org/model on h100" in out
    text = (folder / "my.sq").read_text()
    assert "let max_seqs = 8;" in text
    status, out, err = run(
        capsys, "run", "my.sq", "--trace", "trace.csv", "--arrivals", "2", "--quiet", "--json"
    )
    assert status == 0, err
    observes = json.loads(out)["observes"]
    assert {name: observes[name]["count"] for name in ("ttft", "tpot", "e2e")} == {
        "ttft": 3, "tpot": 3, "e2e": 3,
    }  # fmt: skip
    assert run(capsys, "fmt", "--check", "my.sq")[0] == 0


def test_a_written_program_keeps_what_a_session_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "fit", "--from-config", "config.json", "--gpu", "h100", "--write", "my.sq")
    program = serq.compile(folder / "my.sq", trace=folder / "trace.csv", arrivals=2)
    report = serq.run(program)
    kv = report.pool("kv")
    assert kv is not None
    assert report.turns == 3
    assert kv.mean_cached > 0.0
    # The second turn's prompt is 370 tokens; 304 of them are cached in whole blocks of 16.
    ttft = report.observes["ttft"].samples
    forgetful = serq.compile(
        folder / "my.sq",
        sets={"prefix_caching": 0},
        trace=folder / "trace.csv",
        arrivals=2,
    )
    assert serq.run(forgetful).observes["ttft"].samples[-1] > ttft[-1]


def test_an_existing_program_is_not_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "my.sq").write_text("// mine\n")
    arguments = ("fit", "--from-config", "config.json", "--gpu", "h100", "--write", "my.sq")
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (1, "")
    assert "SQ704" in err
    assert (folder / "my.sq").read_text() == "// mine\n"
    assert run(capsys, *arguments, "--force")[0] == 0
    assert "stage engine" in (folder / "my.sq").read_text()


def test_steps_are_fitted_and_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "p.sq").write_text(
        "stage engine : step { cost 1; }\n"
        "workload { arrive none; }\nsession { end; }\nrun { horizon 1; }\n"
    )
    status, out, err = run(
        capsys, "fit", "steps.csv", "--resamples", "3", "--json", "--write", "p.sq"
    )
    assert status == 0, err
    document = json.loads(out)
    assert document["coefficients"]["a"] == pytest.approx(5e-5, rel=1e-3)
    assert f"cost {document['cost']};" in (folder / "p.sq").read_text()


def test_figures_are_drawn_alike(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg"):
        assert run(capsys, "fit", "steps.csv", "--resamples", "0", "--plot", name)[0] == 0
    assert (folder / "a.svg").read_bytes() == (folder / "b.svg").read_bytes()


def test_a_measured_run_from_standard_file_to_program(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "fit", "--from-config", "config.json", "--gpu", "h100", "--write", "my.sq")
    rows = "".join(
        f"{n},{200 + 10 * n},20,{0.03 + 0.001 * n},{0.173 + 0.001 * n}\n" for n in range(20)
    )
    (folder / "bench.csv").write_text("sent,prompt,output,ttft,e2e\n" + rows)
    status, out, err = run(
        capsys, "fit", "my.sq", "--measured", "bench.csv", "--train", "12", "--restarts", "1",
        "--write", "my.sq", "--plot", "run.svg",
    )  # fmt: skip
    assert status == 0, err
    cost = out.strip().splitlines()[-1].strip()
    text = (folder / "my.sq").read_text()
    assert cost in text
    assert "let overhead = 0;" not in text
    assert "held out" in out
    assert (folder / "run.svg").exists()


def test_overheads_are_calibrated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "p.sq").write_text(
        "let per_step = 0; let per_request = 0;\n"
        "stage engine : step { cost per_step + 0.01; } stage network : delay;\n"
        'workload { arrive trace; trace "none.csv"; }\n'
        "session { turn; set sent = now; run network (per_request); run engine prefill (new);"
        " observe ttft = now - sent; run engine decode (out); observe e2e = now - sent; end; }\n"
        "run { horizon 60; arrivals 2; }\n"
    )
    (folder / "runs.csv").write_text("run,use,ttft.mean,e2e.mean\na,fit,0.05,0.225\n")
    status, out, err = run(
        capsys, "calibrate", "p.sq", "--trace", "trace.csv", "--measured", "runs.csv", "--json",
        "--per-step", "per_step", "--per-request", "per_request", "--plot", "ridge.svg",
    )  # fmt: skip
    assert status == 0, err
    constants = json.loads(out)["constants"]
    # ttft = request + step + 0.01 and e2e = request + 13.5 (step + 0.01): 12.5 decodes on average.
    assert constants["per_step"] == pytest.approx(0.004, abs=5e-4)
    assert constants["per_request"] == pytest.approx(0.036, abs=2e-3)
    assert (folder / "ridge.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fit",), "there is nothing to fit"),
        (("fit", "--gpu", "h100"), "or `--from-config CONFIG`"),
        (("fit", "my.sq"), "nothing to fit it to"),
        (("fit", "steps.csv", "--train", "3"), "`--train` goes with"),
        (("fit", "steps.csv", "--gpu", "h100"), "`--gpu` goes with"),
        (("fit", "steps.csv", "--terms", "c,x"), "`--terms` must be"),
        (("fit", "steps.csv", "--terms", "c", "--model", "roofline"), "linear model"),
        (("fit", "steps.csv", "--plot", "x.gif"), "`--plot` must be"),
        (("fit", "--from-config", "c.json"), "needs a GPU"),
        (("fit", "--from-config", "c.json", "--gpu", "h10"), "is no GPU of the table"),
        (("fit", "x.sq", "--from-config", "c.json", "--gpu", "h100"), "two ways to fit"),
        (("fit", "--from-config", "c.json", "--gpu", "h100", "--seed", "3"), "`--seed` goes with"),
        (("calibrate", "p.sq"), "`--measured` is missing"),
    ],
)
def test_wrong_arguments_are_found_before_a_file_is_opened(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
