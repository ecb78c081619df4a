"""Completion of `--set` and `--def`: the names that the program on the line declares.

A program that is being written has mistakes; its words are enough to find what it declares.
Depends on click and the lexer, both loaded when a shell asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from serq.cli.arguments import Completion

_LARGEST: Final = 1 << 20
"""Bytes of a program that are read while somebody waits at the keyboard."""


def completing_declared(word: Literal["let", "def"], end: str = "=") -> Completion:
    """The names behind a word, of constants or of definitions of expressions, and an `=`."""

    def complete(
        ctx: click.Context, _parameter: click.Parameter, begun: str
    ) -> list[CompletionItem]:
        from pathlib import Path

        from click.shell_completion import CompletionItem

        # The option that is being completed lacks its value, so click has sorted nothing yet.
        given = [ctx.params.get("file"), *ctx.args]
        file = next((each for each in given if each is not None and Path(each).is_file()), None)
        if "=" in begun or file is None:
            return []
        names = [name for name in declared(file, word) if name.startswith(begun)]
        return [CompletionItem(name + end) for name in names]

    return complete


def declared(file: str, word: Literal["let", "def"]) -> list[str]:
    """What a file declares with `let`, or with `def` as an expression, in its order."""
    from pathlib import Path

    from serq.diagnostics import Source
    from serq.syntax.lexer import scan

    try:
        with Path(file).open("rb") as opened:
            text = opened.read(_LARGEST).decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return []
    tokens = [token.text for token in scan(Source(file, text), lambda _: None)]
    found: dict[str, None] = {}
    open_ = 0
    for at, token in enumerate(tokens[:-2]):
        open_ += (token in "({[") - (token in ")}]") if len(token) == 1 else 0
        if token == word and open_ == 0:
            after = at + 2 if word == "let" else _behind_parameters(tokens, at + 2)
            if tokens[after : after + 1] == ["="]:
                found[tokens[at + 1]] = None
    return list(found)


def _behind_parameters(tokens: list[str], at: int) -> int:
    """The place behind the `)` that ends the parameters which begin here."""
    try:
        return tokens.index(")", at) + 1 if tokens[at] == "(" else at
    except ValueError:
        return len(tokens)
