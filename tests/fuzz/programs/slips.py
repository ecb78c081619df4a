"""Programs with a slip of the pen: one token left out, doubled, exchanged or put elsewhere.

Most are refused, and have to be refused by both sides; the others are programs nobody meant.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.programs.chance import Chance
from tests.fuzz.shrink import TOKEN

NUMBERS = ("0", "1", "2", "0.5", "-1", "1e3", "inf")
WORDS = ("cached", "now", "turn", "end", "tokens", "computed", "size", "cache", "release", "K")


def with_slip(program: Callable[[str, str], str], families: tuple[str, ...], seed: str) -> str:
    """A program of some family, with one slip."""
    chance = Chance(f"slips {seed}")
    source = program(chance.one(families), seed)
    tokens = [found for found in TOKEN.finditer(source) if not found[0].startswith('"')]
    at = chance.whole(0, len(tokens) - 1)
    token, other = tokens[at], chance.one(tokens)
    instead = {
        "left out": "",
        "doubled": f"{token[0]} {token[0]}",
        "another": other[0],
        "a word": chance.one(WORDS),
        "a number": chance.one(NUMBERS),
        "one more": f"{token[0]} {other[0]}",
    }
    kind = chance.weighted(
        {"left out": 3, "doubled": 1, "another": 4, "a word": 1, "a number": 1, "one more": 1}
    )
    if kind == "another":  # a name for a name, a sign for a sign
        alike = [each for each in tokens if each[0][0].isalpha() == token[0][0].isalpha()]
        instead["another"] = chance.one(alike)[0]
    return f"{source[: token.start()]} {instead[kind]} {source[token.end() :]}"
