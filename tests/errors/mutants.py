"""Programs with a slip: valid ones of the conformance suite, one word lost or replaced."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from conformance.loader import find_pages, load_page

from serq.vocabulary.keywords import KEYWORDS
from serq.vocabulary.moments import CONTEXT_VARIABLES

SUITE = Path(__file__).parents[2] / "conformance"

_WORD = re.compile(
    r'//[^\n]*|"[^"]*"|[0-9][0-9._]*(?:[eE][+-]?[0-9]+)?|\w+|&&|\|\||[<>=!]=|\s+|.', re.DOTALL
)
_NUMBERS = ("0", "1", "0.5", "-1", "inf", "(0 / 0)", "~exp(1)", "now", "serial", "used(kv)")
_SIGNS = tuple("(){}[],;=+-*/^<!?:~")


def valid_programs() -> list[str]:
    """Programs of the suite that run, with nothing beside them."""
    pages = [page for page in find_pages(SUITE) if page.parent.name != "errors"]
    return [
        case.program
        for page in pages
        for case in load_page(page)
        if case.expect is not None and not case.files
    ]


def mutants(seed: int, count: int) -> Iterator[str]:
    """So many mutants of the suite's programs, always the same ones for a seed.

    A program that is added takes the place of few others: each mutant's program is the one whose
    check sum with the mutant's number is least.
    """
    programs = [(program.encode(), program) for program in valid_programs()]
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        start = chance.getrandbits(32)
        words = _WORD.findall(min(programs, key=lambda each: zlib.crc32(each[0], start))[1])
        mutate = _break if number % 2 else _confuse
        mutate(words, chance)
        source = "".join(words)
        if not source.lstrip().startswith("{"):  # that would be an IR
            yield source


def _places(words: list[str]) -> list[int]:
    return [at for at, word in enumerate(words) if not word.isspace() and word[:2] != "//"]


def _break(words: list[str], chance: random.Random) -> None:
    """Lose, double, exchange or replace a word: mostly no program any more."""
    places = _places(words)
    at, other = chance.choice(places), chance.choice(places)
    vocabulary = [*sorted(KEYWORDS), *CONTEXT_VARIABLES, *_SIGNS, "1", "x"]
    kind = chance.randrange(5)
    if kind == 0:
        words[at] = ""
    elif kind == 1:
        words[at] += " " + words[at]
    elif kind == 2:
        words[at], words[other] = words[other], words[at]
    else:
        words[at] = words[other] if kind == 3 else chance.choice(vocabulary)


def _confuse(words: list[str], chance: random.Random) -> None:
    """Replace a name by a name or a number by a number: mostly a program with another meaning."""

    def is_name(word: str) -> bool:
        return (word[0].isalpha() or word[0] == "_") and word not in KEYWORDS

    places = [at for at in _places(words) if is_name(words[at]) or words[at][0].isdigit()]
    at = chance.choice(places)
    if is_name(words[at]):
        names = [words[place] for place in places if is_name(words[place])]
        words[at] = chance.choice([*names, *CONTEXT_VARIABLES, "cached", "serial", "inf", "x"])
    else:
        numbers = [words[place] for place in places if words[place][0].isdigit()]
        words[at] = chance.choice([*numbers, *_NUMBERS])
