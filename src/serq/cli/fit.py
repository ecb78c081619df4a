"""`serq fit`: the numbers of a program from measurements, or from a model and a data sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from serq.cli.arguments import (
    ArgumentError,
    Verb,
    above_zero,
    check_outputs,
    completing_paths,
    def_option,
    error_format_option,
    one_of,
    set_option,
    value_option,
    whole,
)
from serq.cli.engines import engine_option
from serq.cli.fit_arguments import CONFIG, MODELS, STEPS, chosen_way, figure, file_name, terms
from serq.cli.streams import print_result, say
from serq.cli.verb import refusing
from serq.fit.gpus import GPUS

_INTERRUPTED = 130

_EPILOG = """\b
Examples:
  serq fit steps.csv                               engine steps to a cost
  serq fit steps.csv --model roofline --plot residuals.svg
  serq fit --from-config config.json --gpu h100 --tp 2
  serq fit --from-config config.json --gpu h100 --write my.sq \\
      --vllm-args "--max-num-seqs 128 --max-num-batched-tokens 8192"
  serq fit my.sq --measured bench.json --write my.sq

STEPS has the columns decoders, kv_decode, prefilled, attention, seconds; RUN
is a report of vllm bench serve (--save-detailed), guidellm, inference-perf or
aiperf, or has the columns sent, prompt, output, ttft, e2e. Ctrl-C ends a
search and prints the best so far."""


@click.command("fit", cls=Verb, epilog=_EPILOG)
@click.argument("file", metavar="[FILE]", required=False, shell_complete=completing_paths("file"))
@value_option(
    "--measured",
    "measured",
    file_name,
    metavar="RUN",
    complete=completing_paths("file"),
    help="Fit the program FILE to a benchmark's result, by replaying it.",
)
@value_option(
    "--train",
    "train",
    whole(1),
    metavar="N",
    help="Requests to fit to, the first ones; the others are held out. A third when not given.",
)
@value_option("--seed", "seed", whole(0), metavar="N", help="Seed of the search; 1.")
@value_option(
    "--restarts", "restarts", whole(1), metavar="N", help="Searches, the best is taken; 3."
)
@value_option(
    "--stage", "stage", file_name, metavar="NAME", help="The step stage, when there are several."
)
@set_option
@def_option
@engine_option("Engine to replay on; the fastest present when not given.")
@value_option(
    "--model",
    "model",
    one_of(MODELS),
    metavar="|".join(MODELS),
    words=MODELS,
    help="Form of the cost for a log of steps: a sum of terms, or max(memory, compute).",
)
@value_option(
    "--terms", "terms", terms, metavar="c,d,e,a,b", help="Terms of the sum; all when not given."
)
@value_option(
    "--resamples",
    "resamples",
    whole(0),
    metavar="N",
    help="Resamples of the steps for the intervals; 200.",
)
@value_option(
    "--from-config",
    "from_config",
    file_name,
    metavar="CONFIG",
    complete=completing_paths("file"),
    help="Estimate from a model's config.json and a GPU's data sheet instead.",
)
@value_option(
    "--gpu",
    "gpu",
    file_name,
    metavar="NAME",
    words=tuple(GPUS),
    help="The GPU: h100, a100-80gb, rtx4090, …",
)
@value_option("--tp", "tp", whole(1), metavar="N", help="GPUs of one replica; 1.")
@click.option(  # its value may well begin with an option of vLLM's
    "--vllm-args",
    "vllm_args",
    metavar="TEXT",
    help="A vLLM command line, in quotes; what it leaves open is vLLM's default.",
)
@value_option(
    "--batch",
    "batch",
    whole(1),
    metavar="N",
    help="Tokens of a step for which a mixture's experts are counted; 64.",
)
@value_option(
    "--weights",
    "weights",
    above_zero,
    metavar="BYTES",
    help="Bytes of a weight, such as 2, 1 or 0.5; as CONFIG has them when not given.",
)
@value_option(
    "--write",
    "write",
    file_name,
    metavar="PROGRAM",
    complete=completing_paths("file"),
    help="Put the cost into this program; with --from-config, make the program.",
)
@click.option("--force", is_flag=True, help="Let --from-config --write replace a file.")
@value_option(
    "--plot",
    "plot",
    figure,
    metavar="PATH",
    complete=completing_paths("file"),
    help="Draw residuals, or measured and predicted, into a .svg, .png or .pdf.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@error_format_option
@click.option("--quiet", is_flag=True, help="No progress bar.")
@refusing
def command(
    *,
    file: str | None,
    measured: str | None,
    from_config: str | None,
    write: str | None,
    as_json: bool,
    error_format: str,
    quiet: bool,
    **options: Any,
) -> int:
    """Fit a program's numbers and print them with what they are worth."""
    way = chosen_way(file, measured, from_config, options)
    check_outputs((from_config, measured), (write,))
    if options["plot"] is not None:
        from serq.fit.plots import check_figure

        check_figure(options["plot"])
    if way == CONFIG:
        assert from_config is not None
        return _from_config(from_config, write, as_json, options)
    assert file is not None
    if way == STEPS:
        return _steps(file, write, as_json, {**options, "quiet": quiet})
    assert measured is not None
    shown = {**options, "quiet": quiet, "error_format": error_format}
    return _run(file, measured, write, as_json, shown)


def _steps(file: str, write: str | None, as_json: bool, options: dict[str, Any]) -> int:
    from serq.cli.progress import runs_bar
    from serq.fit import step_fit
    from serq.fit.models import linear, roofline
    from serq.fit.rewrite import check_place, write_cost
    from serq.fit.steps import COLUMNS, read_steps
    from serq.fit.terms import COEFFICIENTS, VARIABLES

    named = options["terms"] or COEFFICIENTS
    wants_roofline = options["model"] == "roofline"
    if wants_roofline and options["terms"]:
        raise ArgumentError("`--terms` are those of the linear model", "leave it out")
    if write is not None:
        check_place(write, stage=options["stage"])
    used = tuple(VARIABLES[name] for name in named if VARIABLES[name])
    log = read_steps(file, COLUMNS if wants_roofline else used)
    resamples = options["resamples"]
    with runs_bar(quiet=options["quiet"]) as bar:
        found = step_fit.fit_steps(
            log,
            roofline() if wants_roofline else linear(named),
            rival=linear() if wants_roofline else None,
            seed=1 if options["seed"] is None else options["seed"],
            resamples=step_fit.RESAMPLES if resamples is None else resamples,
            progress=_counted(bar),
        )
    if options["plot"] is not None:
        from serq.fit.plots import plot_steps

        plot_steps(found, options["plot"])
    if write is not None and not found.partial:
        write_cost(write, found.model.text(found.coefficients), stage=options["stage"])
    _print(step_fit.text(found), step_fit.document(found), as_json)
    return _INTERRUPTED if found.partial else 0


def _run(
    file: str, measured: str, write: str | None, as_json: bool, options: dict[str, Any]
) -> int:
    from serq.cli.fit_programs import OVERHEAD, load_program
    from serq.cli.progress import runs_bar
    from serq.fit import outcome
    from serq.fit.measured import read_measured
    from serq.fit.replay import Replay
    from serq.fit.rewrite import check_place, write_cost
    from serq.fit.search import RESTARTS, fit_run

    program, has_overhead = load_program(
        file, options["sets"], options["defs"], options["error_format"]
    )
    if write is not None:
        check_place(write, stage=options["stage"])
    run = read_measured(measured)
    replay = Replay(program, run.requests, stage=options["stage"], engine=options["engine"])
    with runs_bar(quiet=options["quiet"]) as bar:
        found = fit_run(
            replay,
            run,
            train=options["train"],
            seed=1 if options["seed"] is None else options["seed"],
            restarts=options["restarts"] or RESTARTS,
            progress=_counted(bar),
        )
    if options["plot"] is not None:
        from serq.fit.plots import plot_run

        plot_run(found, options["plot"])
    if write is not None and not found.partial:
        constants = {OVERHEAD: found.overhead} if has_overhead else {}
        write_cost(write, found.cost.text(), stage=options["stage"], constants=constants)
    _print(outcome.text(found), outcome.document(found), as_json)
    return _INTERRUPTED if found.partial else 0


def _from_config(
    from_config: str, write: str | None, as_json: bool, options: dict[str, Any]
) -> int:
    from serq.diagnostics import Diagnostic, SerqError
    from serq.fit import deployment
    from serq.fit.gpus import find_gpu
    from serq.fit.model_config import read_config
    from serq.fit.rewrite import replace_file
    from serq.fit.vllm_args import parse_vllm

    gpu = find_gpu(options["gpu"])
    arguments = parse_vllm(options["vllm_args"] or "")
    found = deployment.deploy(
        read_config(from_config, options["weights"]),
        gpu,
        arguments,
        tp=options["tp"],
        batch=options["batch"] or deployment.BATCH,
        weight_bytes=options["weights"],
    )
    if write is not None:
        if Path(write).exists() and not options["force"]:
            message = f"`{write}` exists already"
            hint = "name another file, or replace it with `--force`"
            raise SerqError([Diagnostic("SQ704", message, help=hint, file=write)])
        replace_file(write, deployment.program(found))
    _print(deployment.text(found), deployment.document(found), as_json)
    return 0


def _counted(bar: Any) -> Any:
    """What a search or a bootstrap tells, as the bar of many runs takes it."""
    if bar is None:
        return None
    from serq.api.run_many import RunsProgress

    def tell(done: int, total: int, events: int = 0) -> None:
        bar(RunsProgress(done, total, events))

    return tell


def _print(text: str, document: dict[str, Any], as_json: bool) -> None:
    from serq.fit.outcome import as_json as to_json

    print_result(to_json(document) + "\n" if as_json else text)
    if document.get("partial"):
        say("interrupted: nothing was written")
