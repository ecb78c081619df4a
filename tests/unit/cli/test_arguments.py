import pytest
from tests.unit.cli.command import Command

from serq.cli.main import VERBS


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["help"],
            [
                "error: `help` is no command of serq",
                "help: `serq --help` lists the commands, and `serq COMMAND --help` explains one",
                "usage: serq [--version] [--help] [COMMAND] [ARGS]...",
            ],
        ),
        (
            ["trace", "info"],
            [
                "error: `serq trace info` needs FILE",
                "help: `-` reads the trace from standard input",
                "usage: serq trace info [OPTIONS] FILE",
            ],
        ),
        (
            ["draw", "p.sq", "--format", "svg", "--out", "./p.sq"],
            [
                "error: `./p.sq` is read and would be written over",
                "help: name another file",
                "usage: serq draw [OPTIONS] FILE",
            ],
        ),
        (
            "fit --from-config c.json --gpu h100 --write c.json --force".split(),
            [
                "error: `c.json` is read and would be written over",
                "help: name another file",
                "usage: serq fit [OPTIONS] [FILE]",
            ],
        ),
        (
            ["rum"],
            [
                "error: `rum` is no command of serq",
                "help: did you mean `run`?",
                "usage: serq [--version] [--help] [COMMAND] [ARGS]...",
            ],
        ),
        (
            ["simulate"],
            [
                "error: `simulate` is no command of serq",
                f"help: the commands are {', '.join(f'`{verb}`' for verb in VERBS)}",
                "usage: serq [--version] [--help] [COMMAND] [ARGS]...",
            ],
        ),
        (
            ["run"],
            [
                "error: `serq run` needs FILE",
                "help: `-` reads the program from standard input",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--warmpu", "3"],
            [
                "error: `--warmpu` is no option of `serq run`",
                "help: did you mean `--warmup`?",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["check", "p.sq", "--dump", "samples"],
            [
                "error: `--dump` is no option of `serq check`",
                "help: it is an option of `serq run`",
                "usage: serq check [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--no-samples", "--dump", "samples"],
            [
                "error: `--dump` writes the samples that `--no-samples` does not keep",
                "help: leave one of them out",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--plot", "a.svg"],
            [
                "error: `--plot` is no option of `serq run`",
                "help: it is an option of `serq sweep`, `serq fit` and `serq calibrate`",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--inline-trace"],
            [
                "error: `--inline-trace` is no option of `serq run`",
                "help: it is an option of `serq ir`",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--trace", "--json"],
            [
                "error: `--trace` has no value, but `--json`",
                "help: write the value after it: `--trace CSV`",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--seed"],
            [
                "error: `--seed` has no value",
                "help: see `serq run --help`",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["run", "p.sq", "--engine", "natve"],
            [
                "error: `--engine` must be one of native, python, not `natve`",
                "help: did you mean `native`?",
                "usage: serq run [OPTIONS] FILE",
            ],
        ),
        (
            ["ir", "p.sq", "--error-format=xml"],
            [
                "error: `--error-format` must be one of text, json, github, not `xml`",
                "usage: serq ir [OPTIONS] FILE",
            ],
        ),
        (
            ["check", "p.sq", "q.sq"],
            [
                "error: `q.sq` is one argument too many for `serq check`",
                "usage: serq check [OPTIONS] FILE",
            ],
        ),
        (
            ["completion", "fishh"],
            [
                "error: there is no completion for the shell `fishh`",
                "help: did you mean `fish`?",
                "usage: serq completion [OPTIONS] bash|zsh|fish",
            ],
        ),
        (
            ["explain", "SQ3O1"],
            [
                "error: there is no code `SQ3O1`",
                "help: did you mean `SQ301`?",
                "usage: serq explain [OPTIONS] [CODE]",
            ],
        ),
        (
            ["explain", "stuck"],
            [
                "error: there is no code `stuck`",
                "help: there is SQ802 session-stuck",
                "usage: serq explain [OPTIONS] [CODE]",
            ],
        ),
        (
            ["explain", "zebra"],
            [
                "error: there is no code `zebra`",
                "help: `serq explain` lists all codes",
                "usage: serq explain [OPTIONS] [CODE]",
            ],
        ),
        (
            ["completion", "powershell"],
            [
                "error: there is no completion for the shell `powershell`",
                "help: the shells are bash, zsh, fish",
                "usage: serq completion [OPTIONS] bash|zsh|fish",
            ],
        ),
        (
            ["fmt"],
            [
                "error: `serq fmt` needs FILE",
                "help: `-` reads the program from standard input",
                "usage: serq fmt [OPTIONS] FILE...",
            ],
        ),
    ],
)
def test_wrong_arguments(serq: Command, arguments: list[str], lines: list[str]) -> None:
    outcome = serq(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.splitlines() == lines


@pytest.mark.parametrize(
    ("option", "value", "what"),
    [
        ("--seed", "-1", "a whole number from 0 to 2^64 - 1"),
        ("--seed", "18446744073709551616", "a whole number from 0 to 2^64 - 1"),
        ("--seed", "1.0", "a whole number from 0 to 2^64 - 1"),
        ("--seed", "", "a whole number from 0 to 2^64 - 1"),
        ("--arrivals", "0", "a whole number from 1 to 2^64 - 1"),
        ("--horizon", "0", "a finite number above 0"),
        ("--horizon", "inf", "a finite number above 0"),
        ("--horizon", "nan", "a finite number above 0"),
        ("--horizon", "1e999", "a finite number above 0"),
        ("--horizon", "1_0", "a finite number above 0"),
        ("--warmup", "-0.5", "a finite number from 0 on"),
        ("--limit-events", "0", "a whole number from 1 to 2^64 - 1"),
        ("--set", "x", "`name=expression`"),
        ("--set", "=1", "`name=expression`"),
        ("--set", "x=", "`name=expression`"),
        ("--set", "1x=2", "`name=expression`"),
        ("--def", "f(x)=2", "`name=expression`"),
        ("--dump", "", "the name of a folder"),
    ],
)
def test_a_value_that_can_not_be_is_refused_before_the_file_is_opened(
    serq: Command, option: str, value: str, what: str
) -> None:
    outcome = serq("run", "no-such-file.sq", option, value)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.splitlines()[0] == f"error: `{option}` must be {what}, not `{value}`"


@pytest.mark.parametrize("verb", VERBS)
def test_help_has_a_short_option(serq: Command, verb: str) -> None:
    assert serq(verb, "-h") == serq(verb, "--help")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(serq: Command, verb: str) -> None:
    outcome = serq(verb, "--help")
    assert outcome.status == 0
    assert (
        f"serq {verb}" in outcome.out.split("Examples:" if verb != "completion" else "Install:")[1]
    )


def test_help_lists_the_verbs_and_the_exit_status(serq: Command) -> None:
    outcome = serq("--help")
    assert outcome.status == 0
    assert all(f"  {verb} " in outcome.out for verb in VERBS)
    assert "Exit status: 0 fine; 1 the program" in outcome.out


@pytest.mark.parametrize("group", [(), ("trace",), ("oracle",)])
def test_without_a_command_they_are_listed(serq: Command, group: tuple[str, ...]) -> None:
    asked, help = serq(*group), serq(*group, "--help")
    assert (asked.status, asked.out, asked.err) == (2, "", help.out)
    assert (help.status, help.err) == (0, "")
    assert "Commands:" in help.out
