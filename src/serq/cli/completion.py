"""`serq completion`: the script that completes `serq` in a shell."""

from __future__ import annotations

import click

from serq.cli.arguments import ArgumentError, Verb, completing_words
from serq.cli.streams import print_result
from serq.diagnostics import nearest

_VARIABLE = "_SERQ_COMPLETE"
_SHELLS = ("bash", "zsh", "fish")

_OPEN_ENDED = {
    "bash": {
        "COMPREPLY+=($value)\n": "COMPREPLY+=($value)\n"
        "            [[ $value == *= ]] && compopt -o nospace\n"
    },
    "zsh": {
        'completions+=("$key")\n': '[[ "$key" == *= ]] && compadd -U -S "" -- "$key" '
        '|| completions+=("$key")\n'
    },
}
"""What click's scripts lack, by what stands there: no blank behind a `NAME=` (fish sets none)."""

_EPILOG = """\b
Install:
  bash  serq completion bash >> ~/.bashrc
  zsh   serq completion zsh >> ~/.zshrc
  fish  serq completion fish > ~/.config/fish/completions/serq.fish"""


@click.command("completion", cls=Verb, epilog=_EPILOG)
@click.argument("shell", metavar="|".join(_SHELLS), shell_complete=completing_words(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that completes commands, options and files of serq in a shell."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell) if shell in _SHELLS else None
    if kind is None:
        near = nearest(shell, _SHELLS)
        hint = f"did you mean `{near}`?" if near else f"the shells are {', '.join(_SHELLS)}"
        raise ArgumentError(f"there is no completion for the shell `{shell}`", hint, ctx)
    # Not its own source(): bash's starts a bash to look at its version.
    script = ShellComplete.source(kind(ctx.find_root().command, {}, "serq", _VARIABLE))
    for plain, open_ended in _OPEN_ENDED.get(shell, {}).items():
        script = script.replace(plain, open_ended)
    print_result(script)
    return 0
