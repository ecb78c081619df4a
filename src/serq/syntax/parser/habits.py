"""Habits from elsewhere: what one writes in other languages, and how it is written here.

Consulted once a mistake is known, by its code and the text around its place. It only gives a
mistake a way out, or a better one than the nearest word; it finds none. Depends on
`serq.diagnostics`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from serq.diagnostics import Diagnostic, Span

_END = "`end;` ends the session"
_LOOP = "`loop { … }` repeats its block until the session ends"
_TIME = "time passes at a stage: declare `stage pause : delay;`, then `run pause (2);`"
_OBSERVE = "`observe ttft = now - sent;` records a number"
_SET = "`set x = 1;` assigns an attribute of the session"

_STATEMENTS = {
    "{": "a block follows `hold`, `branch` or `loop`",
    "if": "a test is `branch (n > 10) { … } else { … }`",
    "when": "a test is `branch (n > 10) { … } else { … }`",
    "while": _LOOP,
    "for": _LOOP,
    "repeat": _LOOP,
    "return": _END,
    "exit": _END,
    "break": _END,
    "leave": _END,
    "wait": _TIME,
    "sleep": _TIME,
    "delay": _TIME,
    "think": _TIME,
    "record": _OBSERVE,
    "measure": _OBSERVE,
    "print": _OBSERVE,
    "let": _SET,
    "var": _SET,
    "acquire": "`hold kv (n) { … }` takes units, and gives them back after its block",
    "alloc": "`hold kv (n) { … }` takes units, and gives them back after its block",
    "allocate": "`hold kv (n) { … }` takes units, and gives them back after its block",
    "free": "`release kv;` gives a hold's units back before its block ends",
}
"""What begins a statement elsewhere (SQ104)."""

_OPERATORS = {
    "and": "the logical and is `&&`",
    "or": "the logical or is `||`",
    "not": "the logical not is `!`",
    "mod": "there is no remainder; `n - d * floor(n / d)` is one",
}
"""Words of other languages between operands (SQ101, SQ102)."""

_NEAR = 200
"""Characters of the text before a mistake that are looked at."""
_UNITS = frozenset("ns us ms s sec min h k K M G B KB MB GB KiB MiB GiB tokens blocks".split())
"""What stands behind numbers elsewhere."""
_WORD = re.compile(r"([^\W\d]\w*)\s*\Z")
"""A word at the end of a text."""
_NOT = re.compile(r"(?<!\w)not\s+\Z")
"""The word `not` before an operand."""
_NUMBER = re.compile(r"(?<![\w.])(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9]+)\Z")
"""A number at the end of a text."""
_LETTERED = re.compile(r"(?<![\w.])[0-9._]+[^\W\d]")
"""A number with a letter right behind it."""


def with_way_out(found: Diagnostic) -> Diagnostic:
    """The diagnostic, with the way out of a habit where it comes from one."""
    if found.span is None:
        return found
    match found.code:
        case "SQ101" | "SQ102":
            hint = found.help or _instead(found.message, found.span)
        case "SQ105" if found.span.text == "let":
            hint = found.help or _SET
        case "SQ104":
            hint = _STATEMENTS.get(found.span.text) or found.help
        case "SQ110" if found.span.text == "}":
            hint = "the block above is closed already: this `}` is one too many"
        case _:
            return found
    return replace(found, help=hint) if hint != found.help else found


def _instead(message: str, span: Span) -> str | None:
    """What is written instead of a token that can not stand where it does."""
    text = span.source.text
    written, before = span.text, text[max(0, span.start - _NEAR) : span.start]
    after = text[span.end : span.end + 1]
    value = "expected an expression" in message
    match written:
        case "=" | ":" if value:
            word = _WORD.search(before)
            return f"a value follows its word at once: `{word[1]} …;`" if word else None
        case "=" if "`branch`" in message:
            return "`==` compares"
        case "*" if before.endswith("*"):
            return "the power is `^`"
        case "," if _NUMBER.search(before) and after.isdigit():
            return "digits are grouped with `_`: `20_000`"
        case "branch" if "`else`" in message:
            return "a branch in the other case has a block around it: `else { branch (…) { … } }`"
        case "(" if "after `observe`" in message:
            return _OBSERVE
        case _ if _has_unit(before, written):
            return "a number has no unit behind it: write `0.006` for 6 ms and `20_000` for 20 k"
        case _ if _NOT.search(before):
            return _OPERATORS["not"]
    return _OPERATORS.get(written)


def _has_unit(before: str, written: str) -> bool:
    """Whether a word stands right behind a number, or is a unit that stands behind one."""
    if _NUMBER.search(before):
        return _LETTERED.search(before + written[:1]) is not None
    return written in _UNITS and _NUMBER.search(before.rstrip()) is not None
