"""Reading on after a mistake.

A statement or an option that could not be read ends at its `;` or before the `}` of the block it
is in; a block on the way is read for its own mistakes. An item that could not be read ends where
the next one begins. What looks like an item inside a block says that a brace is missing.
Depends on the parser's state.
"""

from __future__ import annotations

from collections.abc import Callable

from serq.diagnostics import Note, Span
from serq.syntax.parser.state import Parser, UnclosedError, UnparsableError
from serq.syntax.tokens import Kind, Token
from serq.vocabulary.keywords import ITEMS, STATEMENTS

_BLOCK_ITEMS = ("workload", "session", "server", "run")
"""Items that are a word and a block: `run {` can be nothing else."""

_SECOND = {
    "let": ("=",),
    "def": ("(",),
    "pool": ("{", "["),
    "stage": (":", "["),
    "queue": ("{", "[", ":"),
    "gauge": ("=",),
    "share": (";",),
}
"""What stands after the name of an item."""

TAILS = {"else": "branch", "cache": "hold", "lease": "hold"}
"""Words that carry a statement on after its block, and the statement."""


def begins_item(p: Parser) -> bool:
    """Whether what comes next has the shape of an item of the program."""
    word = p.peek()
    if word.kind is Kind.NAME and p.at("pull", 1) and p.at_kind(Kind.NAME, 2):
        return True
    if word.kind is not Kind.NAME or word.text not in ITEMS:
        return False
    if word.text in _BLOCK_ITEMS:
        return p.at("{", 1)
    if word.text == "use":
        return p.at_kind(Kind.STRING, 1)
    return p.at_kind(Kind.NAME, 1) and p.peek(2).text in _SECOND[word.text]


def close_block(p: Parser, opening: Token, what: str) -> Token:
    """Take the `}` of a block."""
    if p.at("}"):
        return p.advance()
    refuse_unclosed(p, opening, what)
    raise UnclosedError


def refuse_unclosed(p: Parser, opening: Token, what: str) -> None:
    """Say at its opening brace that a block has no end."""
    p.count_mistake()
    found = p.peek()
    cut_short = found.kind is Kind.END and found.text
    if not (p.braces_lost or cut_short):
        p.report(
            "SQ103",
            f"{what} is not closed: expected `}}`, found {found.describe()}",
            opening,
            notes=(Note("the block has no `}` before this", found.span),),
        )
    p.braces_lost = True


def refuse_item_inside(p: Parser, opening: Token, what: str, legal: tuple[str, ...] = ()) -> None:
    """Leave a block that an item of the program follows: its brace is missing."""
    word = p.peek()
    if word.text in legal or not begins_item(p):
        return
    if word.text in _BLOCK_ITEMS or _stands_at_margin(word):
        refuse_unclosed(p, opening, what)
        raise UnclosedError


def _stands_at_margin(word: Token) -> bool:
    return word.span.start_column == 1


def skip_statement(p: Parser, read_block: Callable[[Parser], object]) -> None:
    """Go to the end of a statement that could not be read.

    Where it broke off at a `;` or a `{` and no statement follows, what follows may be its rest,
    and is not reported again.
    """
    cut = p.at(";")
    p.doubtful |= p.at("{") and not (p.at("}", 1) or begins_statement(p, 1))
    while not (p.at_kind(Kind.END) or p.at("}")):
        if p.accept(";"):
            p.doubtful = cut and not (p.at("}") or begins_statement(p))
            return
        if p.at("{"):
            read_block(p)
            p.doubtful = False
            if p.peek().text not in TAILS:
                p.accept(";")
                return
            continue
        p.skip()


def skip_option(p: Parser) -> None:
    """Go to the end of an option that could not be read."""
    cut = p.at(";")
    while not (p.at_kind(Kind.END) or p.at("}")):
        if p.accept(";"):
            p.doubtful = cut and not (p.at("}") or p.at_kind(Kind.NAME))
            return
        if p.at("{"):
            skip_braces(p)
            p.accept(";")
            return
        p.skip()


def skip_braces(p: Parser) -> None:
    """Read over a block whose content means nothing here."""
    open_ = 0
    while not p.at_kind(Kind.END):
        token = p.skip()
        open_ += (token.text == "{") - (token.text == "}")
        if open_ <= 0:
            return


def skip_item(p: Parser) -> None:
    """Go to where the next item begins."""
    open_ = 0
    while not p.at_kind(Kind.END):
        if open_ <= 0 and begins_item(p):
            return
        token = p.skip()
        open_ = max(0, open_ + (token.text == "{") - (token.text == "}"))
        ended = token.text in (";", "}") and open_ == 0
        if ended and p.at_kind(Kind.NAME) and _stands_at_margin(p.peek()):
            return


def report_missing_semicolon(p: Parser, word: Token) -> None:
    """Say that a `;` is missing, and behind what when that is on a line above."""
    found, last = p.peek(), p.last
    notes: tuple[Note, ...] = ()
    if last is not None and _stands_above(last.span, found.span):
        notes = (Note("the `;` belongs behind this", last.span),)
    message = f"expected `;` after `{word.text} …`, found {found.describe()}"
    p.report("SQ102", message, notes=notes)


def _stands_above(first: Span, second: Span) -> bool:
    return first.source is second.source and first.start_line < second.start_line


def end_statement(p: Parser, word: Token) -> None:
    """Take the `;` that ends a statement, or say that it is missing and go on."""
    if p.accept(";"):
        return
    found = p.peek()
    report_missing_semicolon(p, word)
    if begins_statement(p):
        p.doubtful = found.span.start_line == word.span.start_line
    elif not p.at("}"):
        raise UnparsableError


def begins_statement(p: Parser, ahead: int = 0) -> bool:
    """Whether a token ahead begins a statement: its word, a definition's use, or a call."""
    word = p.peek(ahead)
    called = word.text in p.definitions.known and p.at("(", ahead + 1)
    called |= p.at(".", ahead + 1) and p.at_kind(Kind.NAME, ahead + 2)
    return word.kind is Kind.NAME and (word.text in STATEMENTS or called)
