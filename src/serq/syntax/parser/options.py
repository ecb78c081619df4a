"""Blocks of options, `{ word value; … }`: pools, step stages, the workload and the run.

Each option is given up by itself when it can not be read. Depends on the parser's state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from serq.diagnostics import nearest
from serq.syntax.parser.recovery import (
    close_block,
    refuse_item_inside,
    report_missing_semicolon,
    skip_option,
)
from serq.syntax.parser.state import Parser, UnparsableError
from serq.syntax.tokens import Kind, Token


def parse_options(
    p: Parser, what: str, legal: tuple[str, ...], parse_option: Callable[[], None]
) -> bool:
    """Read a block of options; returns whether every one of them could be read."""
    opening = _open(p, what, legal)
    found, levels = len(p.diagnostics), p.levels
    while not (p.at("}") or p.at_kind(Kind.END)):
        refuse_item_inside(p, opening, what, legal)
        doubtful = p.doubtful
        try:
            parse_option()
        except UnparsableError:
            p.levels = levels
            skip_option(p)
        p.doubtful = p.doubtful and not doubtful
    close_block(p, opening, what)
    return len(p.diagnostics) == found


def _open(p: Parser, what: str, legal: tuple[str, ...]) -> Token:
    """Take the `{` of a block of options; before an option it is said to be missing, no more."""
    if p.peek().text not in legal or not p.at_kind(Kind.NAME):
        return p.expect("{", f"after {what}")
    p.report("SQ101", f"expected `{{` after {what}, found {p.peek().describe()}")
    return p.peek()


def end_option(p: Parser, word: Token) -> None:
    """Take the `;` that ends an option, or say that it is missing and go on."""
    if p.accept(";"):
        return
    found = p.peek()
    report_missing_semicolon(p, word)
    if not p.at("}") and found.span.start_line == word.span.start_line:
        raise UnparsableError


def unknown_option(
    p: Parser, word: Token, owner: str, legal: Sequence[str], old: str | None = None
) -> UnparsableError:
    """Refuse a word that is no option here."""
    p.braces_lost |= p.at("{")
    guess = nearest(word.text, legal) or _beginning(word.text, legal)
    return p.mistake(
        "SQ111",
        f"`{word.text}` is no option of {owner}",
        word,
        help=old or (f"did you mean `{guess}`?" if guess else f"legal are {p.one_of(legal)}"),
    )


def _beginning(word: str, legal: Sequence[str]) -> str | None:
    """The one option a word begins with, as `capacity` does with `cap`."""
    begins = [option for option in legal if word.startswith(option)]
    return begins[0] if len(begins) == 1 else None


def parse_choice(p: Parser, option: str, legal: tuple[str, ...]) -> str:
    """Take one word of a closed list."""
    if p.peek().text in legal and p.at_kind(Kind.NAME):
        return p.advance().text
    raise wrong_word(p, f"`{option}` takes {p.one_of(legal)}", legal)


def wrong_word(p: Parser, wanted: str, legal: Sequence[str]) -> UnparsableError:
    """Refuse what stands where one word of a closed list goes."""
    found = p.peek()
    guess = nearest(found.text, legal) if found.kind is Kind.NAME else None
    return p.mistake(
        "SQ111" if found.kind is Kind.NAME else "SQ101",
        f"{wanted}, found {found.describe()}",
        help=f"did you mean `{guess}`?" if guess else None,
    )
